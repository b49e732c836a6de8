import { describe, expect, test } from "vitest";
import { leastTools } from "../../src/agents/adapter.ts";
import { adapterFor } from "../../src/agents/registry.ts";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { requestFor } from "./golden.ts";

test.each([
  ["all", "none", "all"],
  ["read", "none", "read"],
  ["none", "none", "none"],
  ["all", "read", "all"],
  ["read", "read", "read"],
  ["none", "read", "read"],
  ["all", "all", "all"],
  ["read", "all", "all"],
  ["none", "all", "all"],
] as const)("a role with %s and an agent that supports %s get %s", (wanted, can, gets) => {
  expect(leastTools(wanted, can)).toBe(gets);
});

describe.each(ADAPTERS)("%s", (name) => {
  const adapter = adapterFor(name);

  test("has its registered name", () => {
    expect(adapter.name).toBe(name);
  });

  test("is called by the program that is named, without the prompt", () => {
    const { words } = adapter.command(requestFor("/opt/other"));
    expect(words[0]).toBe("/opt/other");
    expect(words.join(" ")).not.toContain("hello.txt");
  });

  test("is called in another way for every kind of tools that it can be kept to", () => {
    const called = (["all", "read", "none"] as const).map((tools) =>
      JSON.stringify(adapter.command(requestFor(name, { tools: leastTools(tools, adapter.can.tools) }))),
    );
    expect(new Set(called).size).toBe({ all: 1, read: 2, none: 3 }[adapter.can.tools]);
  });
});

test.each(ADAPTERS.filter((name) => name !== "acp" && name !== "command"))(
  "%s: doctor shows the installation, the login and the tested versions",
  (name) => {
    const { program, install, login, tested } = adapterFor(name);
    expect([program, install, login]).not.toContain("");
    expect(tested.join(" ")).toMatch(/^\d+\.\d+\.\d+ \d+\.\d+\.\d+$/);
  },
);
