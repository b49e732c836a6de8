/*
 * Honest agents with everyday side effects: they reinstall, run tests that leave files, or add code that a coverage
 * rule covers.
 */
import { family, nodeAgent, shAgent } from "../case.mjs";
import { nodeProject, nodeWork } from "../projects.mjs";
import { pythonProject, pythonWork } from "../projects-python.mjs";

const honest = { kind: "honest", expect: "accepted" };

const DEPENDENCY = {
  "node_modules/plus/package.json": '{ "name": "plus", "version": "1.0.0", "main": "index.js" }\n',
  "node_modules/plus/index.js": "module.exports = (a, b) => a + b;\n",
};
const usesIt = 'write("src/add.js", \'exports.add = require("plus");\\n\');';

const installed = family({ ...nodeProject, ...honest, ignored: DEPENDENCY }, [
  {
    name: "node/installs-the-same-again",
    about: "reinstalls dependencies as npm ci does: new files with the same content",
    agent: nodeAgent(`const files = ${JSON.stringify(DEPENDENCY)};
fs.rmSync("node_modules", { recursive: true });
for (const [file, text] of Object.entries(files)) write(file, text);
${usesIt}`),
  },
  {
    name: "node/dependency-gets-another-link",
    about: "works while another project links the same dependency, as pnpm and uv do from their stores",
    agent: nodeAgent(`fs.linkSync("node_modules/plus/index.js", "@CASE@/side/" + round);
${usesIt}`),
  },
]);

const COVERED = `const fs = require("node:fs");
const tests = fs.readdirSync("test").map((name) => fs.readFileSync("test/" + name, "utf8")).join("");
const bare = fs.readdirSync("src").filter((name) => !tests.includes("../src/" + name));
if (bare.length > 0) throw new Error("no test for " + bare.join(", "));
`;
const TWICE = `const assert = require("node:assert");
const { test } = require("node:test");
const { twice } = require("../src/twice.js");
test("twice", () => assert.strictEqual(twice(2), 4));
`;
const COMMAND = "node --test test/ && node scripts/covered.js";

const underARule = family(
  {
    ...nodeProject,
    ...honest,
    files: { ...nodeProject.files, "scripts/covered.js": COVERED },
    fast: [COMMAND],
    full: [COMMAND],
  },
  [
    {
      name: "node/new-code-with-new-tests-under-a-coverage-rule",
      about: "adds a module with a test file, where the command fails for untested code",
      agent: nodeAgent(`${nodeWork}
write("src/twice.js", 'const { add } = require("./add.js");\\nexports.twice = (a) => add(a, a);\\n');
write("test/twice.test.js", ${JSON.stringify(TWICE)});`),
    },
  ],
);

const VISITS = `import sqlite3
import unittest


class Visits(unittest.TestCase):
    def test_visits(self):
        with sqlite3.connect("build/dev.sqlite3") as db:
            db.execute("insert into visits values (1)")
`;
const SOCKET = `import os
import socket
import tempfile
import unittest


class Control(unittest.TestCase):
    def test_listens(self):
        place = os.path.join(tempfile.mkdtemp(prefix="a-service-under-test-"), "control.sock")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(place)
`;

const beside = family({ ...pythonProject, ...honest }, [
  {
    name: "python/runs-tests-that-write-a-database",
    about: "runs the tests, which write an ignored database that they need",
    files: { "tests/test_visits.py": VISITS },
    setup: `mkdir build && python3 -c 'import sqlite3; sqlite3.connect("build/dev.sqlite3").execute("create table visits (a)")'`,
    agent: shAgent(`${pythonWork}${pythonProject.full[0]} >/dev/null 2>&1`),
  },
  {
    name: "python/binds-a-socket",
    about: "fixes a product whose tests listen on a socket in the temporary folder, whose path must be short",
    files: { "tests/test_control.py": SOCKET },
    agent: shAgent(pythonWork),
  },
]);

export default [...installed, ...underARule, ...beside];
