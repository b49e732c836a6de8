import { expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";

test("x", async () => {
  const rig = new Rig();
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
  console.log(await terminal.shows("Mark as failed"));
  terminal.press(Key.down);
  console.log(await terminal.shows(/● Mark as passed/));
  terminal.press(Key.enter);
  console.log(await terminal.shows("Note"));
  terminal.press("hello", Key.enter);
  expect(await terminal.ended).toBe(0);
  console.log(terminal.text());
});
test("d", async () => {
  const rig = new Rig();
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
  console.log(await terminal.shows("Mark as failed"));
  terminal.press(Key.ctrlD);
  expect(await terminal.ended).toBe(3);
  console.log(terminal.text());
}, 10000);
