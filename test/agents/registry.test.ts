import { describe, expect, test } from "vitest";
import { adapterFor } from "../../src/agents/registry.ts";
import { ADAPTERS } from "../../src/domain/agent-profile.ts";
import { requestFor } from "./golden.ts";

describe.each(ADAPTERS)("%s", (name) => {
  const adapter = adapterFor(name);

  test("is what it is called", () => {
    expect(adapter.name).toBe(name);
  });

  test("is called by the program that is named, without the prompt", () => {
    const { words } = adapter.command(requestFor("/opt/other"));
    expect(words[0]).toBe("/opt/other");
    expect(words.join(" ")).not.toContain("hello.txt");
  });
});

test.each(ADAPTERS.filter((name) => name !== "acp" && name !== "command"))(
  "%s: doctor can tell what to install, how to log in and which versions were seen",
  (name) => {
    const { program, install, login, tested } = adapterFor(name);
    expect([program, install, login]).not.toContain("");
    expect(tested.join(" ")).toMatch(/^\d+\.\d+\.\d+ \d+\.\d+\.\d+$/);
  },
);
