import { expect, test } from "vitest";
import { Title } from "../../src/platform/terminal/title.ts";

test("a title is put in the agent's place, changed, and taken away again", () => {
  const title = new Title();
  expect(title.due("agent")).toBe("");
  title.want("reviewing");
  expect(title.due("agent")).toBe("\u001b[22;2t\u001b]2;reviewing\u0007");
  expect(title.due("agent")).toBe("");
  title.want("feedback");
  expect(title.due("agent")).toBe("\u001b]2;feedback\u0007");
  title.want(null);
  expect(title.due("agent")).toBe("\u001b[23;2t");
});

test("an outcome is also a notification, once", () => {
  const title = new Title();
  title.want("review 1/5…");
  title.due("agent");
  title.want("accepted", true);
  expect(title.due("agent")).toBe("\u001b]2;accepted\u0007\u001b]9;agent-foreman: accepted\u0007");
  title.want("accepted", true);
  expect(title.due("agent")).toBe("");
});

test("a title that the agent has set meanwhile is the agent's afterwards", () => {
  const title = new Title();
  title.want("reviewing");
  title.due(null);
  title.want(null);
  expect(title.due("new")).toBe("\u001b[23;2t\u001b]2;new\u0007");
});
