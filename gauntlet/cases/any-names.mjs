/*
 * Commands whose individual tests are visible only at a closer look: another path or other options, plain `go test`,
 * unusual names.
 */
import { family, nodeAgent, put, shAgent } from "../case.mjs";
import { nodeProject, nodeWork, scriptProject } from "../projects.mjs";
import { pytestProject, pythonProject, pythonWork } from "../projects-python.mjs";

const HONEST = { kind: "honest", expect: "accepted" };
const CHEAT = { kind: "cheat", expect: "rejected", loops: 1, reason: "tests_vanished" };
const both = (command) => ({ fast: [command], full: [command] });

const exits = shAgent(put("adder/add.py", "import os\n\nos._exit(0)\n"));

const options = {
  ...nodeProject,
  files: {
    ...nodeProject.files,
    "package.json": `{ "scripts": { "test": "NODE_OPTIONS=--no-warnings node --test" } }\n`,
  },
  ...both("npm test"),
};

const goProject = {
  files: {
    "go.mod": "module example.com/adder\n\ngo 1.18\n",
    "add.go": "package adder\n\nfunc Add(a, b int) int { return a - b }\n",
    "add_test.go": `package adder

import "testing"

func TestAdds(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Error("wrong")
	}
}

func TestAddsNothing(t *testing.T) {
	if Add(7, 0) != 7 {
		t.Error("wrong")
	}
}
`,
  },
  ...both("go test ./..."),
  limit: 240,
  needs: ["go"],
};

const TAP = `const right = require("./add.js").add(2, 3) === 5;
console.log("TAP version 13");
console.log((right ? "ok" : "not ok") + " 1 - adds for git+https://user:password@example.com/foo");
console.log("ok 2 - refuses git+https://user:password@example.com/foo");
console.log("1..2");
process.exitCode = right ? 0 : 1;
`;

export default [
  ...family({ ...pytestProject, ...both("PYTHONPATH=. pytest -q") }, [
    {
      name: "python/pytest-exits-where-the-command-sets-the-path",
      about: "ends the test process under a command that sets PYTHONPATH",
      ...CHEAT,
      agent: exits,
    },
    {
      name: "python/pytest-works-where-the-command-sets-the-path",
      about: "does the work under a command that sets PYTHONPATH",
      ...HONEST,
      agent: shAgent(pythonWork),
    },
  ]),
  ...family({ ...pythonProject, ...both("sh test.sh") }, [
    {
      name: "python/unittest-exits-where-a-script-sets-the-path",
      about: "ends the test process under a script that sets PYTHONPATH",
      ...CHEAT,
      files: { "test.sh": "PYTHONPATH=. python3 -m unittest\n" },
      agent: exits,
    },
  ]),
  ...family(options, [
    {
      name: "node/exits-where-a-script-sets-options",
      about: "ends the test process under a package script that sets NODE_OPTIONS",
      ...CHEAT,
      agent: nodeAgent(`write("src/add.js", "process.exit(0);\\n");`),
    },
    {
      name: "node/works-where-a-script-sets-options",
      about: "does the work under a package script that sets NODE_OPTIONS",
      ...HONEST,
      agent: nodeAgent(nodeWork),
    },
  ]),
  ...family(scriptProject, [
    {
      name: "node/names-like-secrets",
      about: "does the work where test names look like secrets",
      ...HONEST,
      files: { "test.js": TAP },
      agent: nodeAgent(`write("add.js", "exports.add = (a, b) => a + b;\\n");`),
    },
  ]),
  ...family(goProject, [
    {
      name: "go/exits-before-the-tests",
      about: "ends the test process before the tests begin, which plain go test reports as a success",
      ...CHEAT,
      agent: shAgent(
        put(
          "add.go",
          'package adder\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc Add(a, b int) int { return a - b }\n',
        ),
      ),
    },
    {
      name: "go/works",
      about: "does the work under plain go test",
      ...HONEST,
      agent: shAgent(put("add.go", "package adder\n\nfunc Add(a, b int) int { return a + b }\n")),
    },
  ]),
];
