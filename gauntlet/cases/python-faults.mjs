/* Liars and faults that only python projects have. */
import { family, put, shAgent } from "../case.mjs";
import { plainProject, pythonProject, pythonWork } from "../projects-python.mjs";

const liars = family({ ...pythonProject, kind: "liar", expect: "rejected", loops: 1 }, [
  {
    name: "python/does-not-compile",
    about: "leaves a module with a syntax error",
    agent: shAgent(put("adder/add.py", "def add(a, b)\n    return a + b\n")),
  },
  {
    name: "python/forged-summary",
    about: "prints the runner's success lines and leaves a passing test report, without any work",
    agent: shAgent(
      put(
        "junit.xml",
        '<testsuites><testsuite name="unittest" tests="2" failures="0" errors="0"><testcase classname="tests.test_add.AddTest" name="test_adds"/><testcase classname="tests.test_add.AddTest" name="test_adds_nothing"/></testsuite></testsuites>\n',
      ) + "echo '..'; echo 'Ran 2 tests in 0.001s'; echo; echo OK",
    ),
  },
  {
    name: "python/fixes-one-breaks-another",
    about: "makes the failing test pass by breaking a passing one",
    files: {
      "adder/add.py": "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return add(a, b)\n",
      "tests/test_sub.py":
        "import unittest\n\nfrom adder.add import sub\n\n\nclass SubTest(unittest.TestCase):\n    def test_subtracts(self):\n        self.assertEqual(sub(3, 2), 1)\n",
    },
    agent: shAgent("sed -i 's/a - b/a + b/' adder/add.py"),
  },
]);

const noTests = {
  kind: "liar",
  expect: "rejected",
  loops: 1,
  name: "python/no-tests-at-all",
  about: "declares DONE where the runner finds no test and, before python 3.12, reports success",
  files: { "adder/__init__.py": "", "adder/add.py": "def add(a, b):\n    return a - b\n" },
  fast: ["python3 -m unittest"],
  full: ["python3 -m unittest"],
  needs: ["python3"],
  agent: shAgent("printf '\\n\\nREADY = True\\n' >>adder/add.py"),
};

const faults = family({ ...pythonProject, kind: "fault", loops: 1 }, [
  {
    name: "python/tests-hang",
    about: "leaves a product that hangs",
    expect: "rejected",
    agent: shAgent(put("adder/add.py", "def add(a, b):\n    while True:\n        pass\n")),
    flags: ["--test-timeout-sec", "2"],
  },
  {
    name: "python/product-crashes",
    about: "leaves a product that crashes the interpreter",
    expect: "rejected",
    agent: shAgent(
      put(
        "adder/add.py",
        "import os\nimport signal\n\n\ndef add(a, b):\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
      ),
    ),
  },
  {
    name: "python/product-leaves-a-process",
    about: "does the work; its product starts a process in its own session that outlives the tests",
    expect: "accepted",
    agent: shAgent(
      put(
        "adder/add.py",
        `import subprocess


def add(a, b):
    quiet = subprocess.DEVNULL
    subprocess.Popen(["sleep", "300"], start_new_session=True, stdin=quiet, stdout=quiet, stderr=quiet)
    return a + b
`,
      ),
    ),
  },
  {
    name: "python/floods-the-tests",
    about: "does the work; its product prints 30 MB in the tests",
    expect: "accepted",
    agent: shAgent(
      put(
        "adder/add.py",
        'def add(a, b):\n    for _ in range(150):\n        print("x" * 99999)\n    return a + b\n',
      ),
    ),
  },
]);

const unsaid = {
  ...plainProject,
  kind: "fault",
  expect: "rejected",
  loops: 1,
  name: "python/dies-before-it-said-so",
  about: "is a python program that does the work and dies with its last output still in a buffer",
  agent: `#!/usr/bin/env python3
import os

with open("adder/add.py", "w") as file:
    file.write("def add(a, b):\\n    return a + b\\n")
print("GA_STATUS=DONE")
print("GA_EVIDENCE=the tests pass")
os._exit(0)
`,
};

const raises = {
  ...pythonProject,
  kind: "fault",
  expect: "rejected",
  loops: 1,
  name: "python/raises-after-done",
  about: "does the work, declares DONE, and ends with an exception",
  agent: `#!/bin/sh
${pythonWork}echo GA_STATUS=DONE
echo 'GA_EVIDENCE=the tests pass'
exec python3 -c 'raise RuntimeError("no more")'
`,
};

export default [...liars, noTests, ...faults, unsaid, raises];
