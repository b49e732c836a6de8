import fs from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { suggest } from "../../src/cli/completion.ts";
import { config } from "../../src/cli/config.ts";
import { loadConfig } from "../../src/cli/config/load.ts";
import { configSchemaText } from "../../src/cli/config/schema.ts";
import { buildProgram } from "../../src/cli/program.ts";
import type * as settingsTable from "../../src/cli/settings/table.ts";
import { valuesOf } from "../../src/cli/settings/values.ts";
import type { Lang } from "../../src/core/settings.ts";
import { fakeIo } from "../commands/fixtures.ts";
import { complaintsAbout } from "./fixtures.ts";

// Test files of a worker share loaded modules, and a loaded module keeps the table it was loaded with.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

/** Adds a setting to the table, and its flag to `supervise`. Everything else in this file derives from that. */
vi.mock("../../src/cli/settings/table.ts", async (original) => {
  const table = await original<typeof settingsTable>();
  const { configured } = await import("../../src/cli/settings/setting.ts");
  const { choice } = await import("../../src/cli/settings/value-types.ts");
  const paint = configured("house.paint", {
    about: "The colour of the house",
    flag: "--paint <colour>",
    help: { en: "what to paint it with", zh: "用什么颜色" },
    type: choice(["red", "green", "blue"]),
    default: "green",
  });
  return {
    ...table,
    SETTINGS: { ...table.SETTINGS, paint },
    FLAGS: { ...table.FLAGS, supervise: [...table.FLAGS.supervise, "paint"] },
  };
});

async function flagsOf(...args: string[]): Promise<settingsTable.AnyFlags> {
  const program = buildProgram(fakeIo(), () => undefined);
  let flags: settingsTable.AnyFlags = {};
  program.commands
    .find((command) => command.name() === "supervise")
    ?.action((given: settingsTable.AnyFlags) => {
      flags = given;
    });
  await program.parseAsync(["supervise", ...args], { from: "user" });
  return flags;
}

async function paintOf(flags: settingsTable.AnyFlags, written: string | null): Promise<unknown> {
  const { cwd } = fakeIo();
  if (written !== null) fs.writeFileSync(join(cwd, "agent-foreman.yaml"), written);
  const values: object = valuesOf(flags, await loadConfig({ cwd, env: { HOME: cwd } }));
  return (values as { readonly paint?: unknown }).paint;
}

test("the flag has precedence over the file, and the file over the default", async () => {
  const file = "house: { paint: red }\n";
  expect(await paintOf({}, null)).toBe("green");
  expect(await paintOf({}, file)).toBe("red");
  expect(await paintOf(await flagsOf("--paint", "blue"), file)).toBe("blue");
});

test("an invalid value is refused, in the file and as a flag", async () => {
  expect(await complaintsAbout("house: { paint: pink }")).toContain(
    "1:17: paint must be red, green or blue, got pink",
  );
  expect(await complaintsAbout("house: { pant: red }")).toContain("did you mean paint? (known: paint)");
  await expect(flagsOf("--paint", "pink")).rejects.toThrow(/Allowed choices are red, green, blue/);
});

test.each<[Lang, string]>([
  ["en", "what to paint it with (default: green)"],
  ["zh", "用什么颜色（默认：green）"],
])("help and completion describe it: %s", (lang, about) => {
  const program = buildProgram(fakeIo({ lang }), () => undefined);
  const help = program.commands.find((command) => command.name() === "supervise")?.helpInformation();
  expect(help?.replaceAll(/\s+/g, " ")).toContain(
    `--paint <colour> ${about} (choices: "red", "green", "blue")`,
  );
  expect(suggest(program, ["supervise", "--pain"], [])).toEqual([{ value: "--paint", about }]);
  expect(suggest(program, ["supervise", "--paint", "r"], [])).toEqual([{ value: "red", about: "" }]);
  expect(suggest(program, ["run", "--pain"], [])).toEqual([]);
});

test("config show prints it with its source", async () => {
  const io = fakeIo();
  fs.writeFileSync(join(io.cwd, "agent-foreman.yaml"), "# mine\nhouse: { paint: red }\n");
  await config("show", {}, io);
  expect(io.text()).toMatch(/^house\.paint +red +agent-foreman\.yaml:2$/m);
  const json = { ...io, ...fakeIo(), cwd: io.cwd };
  await config("show", { json: true }, json);
  expect(JSON.parse(json.text())).toMatchObject({ house: { paint: { value: "red", origin: { line: 2 } } } });
});

test("the schema for editors has it", () => {
  expect(JSON.parse(configSchemaText())).toMatchObject({
    properties: {
      house: {
        properties: {
          paint: { description: "The colour of the house", type: "string", enum: ["red", "green", "blue"] },
        },
      },
    },
  });
});
