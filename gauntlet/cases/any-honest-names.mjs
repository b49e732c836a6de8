/* Honest agents in projects with checking files that are not named like tests. */
import { family, nodeAgent, put, shAgent } from "../case.mjs";
import { nodeProject } from "../projects.mjs";
import { cProject, cWork, makeProject, makeWork } from "../projects-make.mjs";
import { pythonProject, pythonWork } from "../projects-python.mjs";

const honest = { kind: "honest", expect: "accepted" };
const both = (command) => ({ fast: [command], full: [command] });

const built = family({ ...makeProject, ...honest }, [
  {
    name: "make/adds-a-check-that-a-loop-finds",
    about: "adds a check to a folder that the recipe loops over, and a comparison to an existing check",
    files: {
      Makefile: '.PHONY: test\n\ntest:\n\t@for f in checks/*.sh; do sh "$$f" || exit 1; done\n',
      "checks/add.sh": '[ "$(sh src/add.sh 2 3)" = 5 ]\n',
    },
    agent: shAgent(
      `${makeWork}${put("checks/none.sh", '[ "$(sh src/add.sh 7 0)" = 7 ]\n')}echo '[ "$(sh src/add.sh 1 1)" = 2 ]' >>checks/add.sh`,
    ),
  },
  {
    ...cProject,
    name: "make/leaves-objects",
    about: "compiles next to the sources in a project that ignores no build output",
    needs: ["make", "cc"],
    agent: shAgent(`${cWork}cc -c -o src/add.o src/add.c`),
  },
  {
    ...cProject,
    name: "make/adds-a-header",
    about: "adds a header on the include path, named like a header of some systems only",
    needs: ["make", "cc"],
    agent: shAgent(`${cWork}${put("src/search.h", "int search(int a);\n")}`),
  },
]);

const python = family({ ...pythonProject, ...honest }, [
  {
    name: "python/writes-what-tests-ask-for",
    about: "writes the missing module that the tests load",
    files: {
      "tests/test_add.py":
        "import unittest\n\nfrom adder.add import add\nfrom shapes import square\n\n\nclass AddTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n        self.assertEqual(square(3), 9)\n",
    },
    ...both("PYTHONPATH=. python3 -m unittest"),
    agent: shAgent(pythonWork + put("shapes.py", "def square(a):\n    return a * a\n")),
  },
  {
    name: "python/adds-to-a-test-by-module",
    about: "adds a test to a module that only the command treats as a test",
    files: {
      "checks/__init__.py": "",
      "checks/add.py":
        "import unittest\n\nfrom adder.add import add\n\n\nclass AddCheck(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(2, 3), 5)\n",
    },
    ...both("python3 -m unittest checks.add"),
    agent: shAgent(
      `${pythonWork}printf '\\n    def test_adds_nothing(self):\\n        self.assertEqual(add(7, 0), 7)\\n' >>checks/add.py`,
    ),
  },
]);

const node = family({ ...nodeProject, ...honest }, [
  {
    name: "node/adds-a-folder-called-package",
    about: "moves the product's code to new files named like the manifest",
    agent: nodeAgent(
      `write("package/index.js", "exports.add = (a, b) => a + b;\\n");
       write("package.py", "VERSION = 1\\n");
       write("src/add.js", 'exports.add = require("../package/index.js").add;\\n');`,
    ),
  },
  {
    name: "node/fixes-assertions-of-the-product",
    about: "fixes assertions that the product itself uses",
    files: {
      "src/add.js":
        'const { same } = require("./assertions.js");\nexports.add = (a, b) => (same(a, b) ? 2 * a : a + b);\n',
      "src/assertions.js": "exports.same = () => true;\n",
    },
    agent: nodeAgent(`write("src/assertions.js", "exports.same = (a, b) => a === b;\\n");`),
  },
]);

export default [...built, ...python, ...node];
