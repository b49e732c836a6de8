import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keepingProbes, probed, probesIn } from "../../src/evidence/probes/probes.ts";
import { Trial } from "./trying.ts";

const SOURCES = join(import.meta.dirname, "../../src/evidence/probes");

describe("the probes", () => {
  test("are all listed in the program", () => {
    const programs = fs
      .readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:[cm]js|py|sh)$/.test(name));
    const { files } = probesIn("/p", "/r", "/t");
    expect(Object.keys(files).sort()).toEqual(programs.sort());
    for (const name of programs) expect(files[name], name).toBe(fs.readFileSync(join(SOURCES, name), "utf8"));
  });

  test("are found through the environment, and know where to report", () => {
    const probes = probesIn("/p", "/r", "/t");
    const first = {
      NODE_OPTIONS: '--require "/p/node-preload.cjs" ',
      PYTHONPATH: "/p/python:",
      GOFLAGS: "-exec=/p/go-test.sh -count=1 ",
    };
    expect(probes.first).toEqual(first);
    expect(probes.env).toMatchObject({ AGENT_FOREMAN_ROOT: "/t", AGENT_FOREMAN_TESTS: "/r" });
    expect(probed({ PATH: "/bin", PYTHONPATH: "src" }, probes)).toEqual({
      ...probes.env,
      PATH: "/bin",
      NODE_OPTIONS: '--require "/p/node-preload.cjs"',
      PYTHONPATH: "/p/python:src",
      GOFLAGS: "-exec=/p/go-test.sh -count=1",
    });
  });

  test("leave Go alone where it cannot read their place", () => {
    expect(probesIn("/a b", "/r", "/t").first).not.toHaveProperty("GOFLAGS");
  });

  test.each([
    ["PYTHONPATH=src pytest -q", "PYTHONPATH='/p/python:'src pytest -q"],
    [`PYTHONPATH="src:$X" pytest`, `PYTHONPATH='/p/python:'"src:$X" pytest`],
    ["cd x && A=1 B='a b' PYTHONPATH=src pytest", "cd x && A=1 B='a b' PYTHONPATH='/p/python:'src pytest"],
    ["env PYTHONPATH=src pytest", "env PYTHONPATH='/p/python:'src pytest"],
    ["export PYTHONPATH=src\npytest", "export PYTHONPATH='/p/python:'src\npytest"],
    [
      "NODE_OPTIONS=--no-warnings node --test; PYTHONPATH=. pytest",
      `NODE_OPTIONS='--require "/p/node-preload.cjs" '--no-warnings node --test; PYTHONPATH='/p/python:'. pytest`,
    ],
    ["GOFLAGS=-mod=mod go test ./...", "GOFLAGS='-exec=/p/go-test.sh -count=1 '-mod=mod go test ./..."],
    ["PYTHONPATH= pytest", "PYTHONPATH= pytest"],
    ["echo PYTHONPATH=src", "echo PYTHONPATH=src"],
    ["sh -c 'cd x; PYTHONPATH=src pytest'", "sh -c 'cd x; PYTHONPATH=src pytest'"],
    ["MY_PYTHONPATH=src pytest", "MY_PYTHONPATH=src pytest"],
  ])("stay where a command sets the variables that have them found: %s", (command, expected) => {
    expect(keepingProbes(command, probesIn("/p", "/r", "/t"))).toBe(expected);
  });

  test.each([`a b'c"d`, String.raw`a\"b\ `, "a$b#?%20c*\t\nä"])(
    "are found in a directory named %j",
    (name) => {
      const trial = new Trial({ "test/a.cjs": `require("node:test").test("a", () => {});` }, name);
      expect(trial.probed("node test/a.cjs").reported).toContainEqual({ begin: "node:test" });
    },
  );
});
