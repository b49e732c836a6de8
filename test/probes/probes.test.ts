import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { probesIn } from "../../src/probes/probes.ts";
import { Trial } from "./trying.ts";

const SOURCES = join(import.meta.dirname, "../../src/probes");

describe("the probes", () => {
  test("are all that is beside them", () => {
    const programs = fs
      .readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:[cm]js|py)$/.test(name));
    const { files } = probesIn("/p", "/r", "/t");
    expect(Object.keys(files).sort()).toEqual(programs.sort());
    for (const name of programs) expect(files[name], name).toBe(fs.readFileSync(join(SOURCES, name), "utf8"));
  });

  test("are found by what the environment says, and say where to tell", () => {
    expect(probesIn("/p", "/r", "/t").env).toEqual({
      AGENT_FOREMAN_ROOT: "/t",
      AGENT_FOREMAN_TESTS: "/r",
      NODE_OPTIONS: '--require "/p/node-preload.cjs"',
      PYTHONPATH: "/p/python",
    });
  });

  test.each([`a b'c"d`, String.raw`a\"b\ `, "a$b#?%20c*\t\nä"])(
    "are found in a directory named %j",
    (name) => {
      const trial = new Trial({ "test/a.cjs": `require("node:test").test("a", () => {});` }, name);
      expect(trial.probed("node test/a.cjs").told).toContainEqual({ begin: "node:test" });
    },
  );
});
