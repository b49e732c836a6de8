import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { without } from "../probes/a-python.ts";
import { put, reasonsOf, RoomRig, WORKS, type Files } from "./project.ts";

const CASES = `import unittest
from app import add
class Adds(unittest.TestCase):
    def test_adds(self): self.assertEqual(add.add(2, 3), 5)
    def test_nothing(self): self.assertEqual(add.add(7, 0), 7)
`;
const PYTHON: Files = {
  "src/app/__init__.py": "",
  "src/app/add.py": "def add(a, b):\n    return a - b\n",
  "tests/test_add.py": CASES,
  "test.sh": "PYTHONPATH=src python3 -m unittest discover -q tests\n",
};
/** Exits the test process before any test has failed. */
const LEAVES = put("src/app/add.py", "import os\nos._exit(0)\n");
const ADDS = put("src/app/add.py", "def add(a, b):\n    return a + b\n");

const TAP = `const right = require("./src/add.js").add(2, 3) === 5;
console.log("TAP version 13");
console.log(\`\${right ? "ok" : "not ok"} 1 - adds for git+https://user:hunter2@example.com/foo\`);
console.log("ok 2 - refuses git+https://user:hunter2@example.com/foo");
console.log("1..2");
process.exitCode = right ? 0 : 1;
`;

describe("names of tests", () => {
  test("may look like secrets: they are the same tests on the base and later, and are written nowhere", async () => {
    const rig = new RoomRig({ "test.js": TAP });
    const { code, report, runId } = await rig.rounds([WORKS], { full: ["node test.js"] });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.base?.tests[1]?.tests).toMatchObject({ passed: 1, failed: 1 });
    expect(report.attempts[0]?.tests[1]?.tests).toMatchObject({ passed: 2, vanished: { count: 0 } });
    const dir = dirname(rig.journalPath(runId));
    const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
    const kept = names.filter((name) => name.endsWith(".tests"));
    expect(kept.length).toBeGreaterThan(1);
    for (const name of kept) expect(fs.readFileSync(join(dir, name), "utf8")).not.toContain("hunter2");
  });

  const COMMANDS = ["PYTHONPATH=src python3 -m unittest discover -q tests", "sh test.sh"];
  test.skipIf(without("python")).each(COMMANDS)(
    "are seen where Python has another path: %s",
    async (command) => {
      const rig = new RoomRig(PYTHON);
      const { code, report } = await rig.rounds([LEAVES, ADDS], { full: [command] });
      expect([code, reasonsOf(report)]).toEqual([0, [expect.arrayContaining(["tests_vanished"]), []]]);
      expect(report.base?.tests[1]?.tests).toMatchObject({ runners: ["unittest"], passed: 1, failed: 1 });
    },
  );

  test("are seen where a script of a package gives Node other options", async () => {
    const scripts = { test: "NODE_OPTIONS=--no-warnings node --test" };
    const rig = new RoomRig({ "package.json": JSON.stringify({ scripts }) });
    const { code, report } = await rig.rounds([WORKS], { full: ["npm test"] });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.base?.tests[1]?.tests).toMatchObject({ runners: ["node:test"], passed: 1, failed: 1 });
  });
});
