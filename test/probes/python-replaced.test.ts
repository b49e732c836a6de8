import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readProbes } from "../../src/evidence/results/probe.ts";
import { PYTHON, without } from "./a-python.ts";
import { exits, seen, Trial } from "./trying.ts";

const START = "import os, sys\nsys.path.insert(0, os.getcwd())\n";
const APP = "app/ends.py";

describe.skipIf(without("python"))("a program of Python's that checks", () => {
  const LEAVES = { [APP]: "import os\nos._exit(0)\n" };
  const CHECK = `${START}import app.ends\nassert False\n`;

  test.each([
    ["a file at the root", "all.py", "all.py"],
    ["a script", "scripts/all.py", "scripts/all.py"],
    ["a part of the tests", "tests/support/all.py", "tests/support/all.py"],
    ["a folder", "tests/__main__.py", "tests"],
    ["a module", "tests/all.py", "-m tests.all"],
    ["a text", "tests/all.py", "-c 'import tests.all'"],
    ["what is read", "all.py", "< all.py"],
  ])("is ended by the product: %s", (_what, file, command) => {
    const trial = new Trial({ ...LEAVES, [file]: CHECK });
    const ran = trial.probed(`${PYTHON} ${command}`);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, APP) } }]);
  });

  test.each([
    ["no exit", "sys.exit = lambda *_: None", "sys.exit(1)"],
    ["none for people", "builtins.exit = lambda *_: None", "exit(1)"],
    ["none at once", "os._exit = lambda *_: None", "os._exit(1)"],
    [
      "another exception",
      "class Own(SystemExit):\n    def __init__(self, *_): super().__init__(0)\nbuiltins.SystemExit = Own",
      "raise SystemExit(1)",
    ],
    [
      "another name of the program",
      "sys.modules['__main__'].__name__ = 'other'",
      "if __name__ == '__main__': raise ValueError",
    ],
    [
      "itself for the program",
      "sys.modules['__main__'].__file__ = __file__\nsys.exit(0)",
      "raise ValueError",
    ],
    [
      "another module for one of the tests",
      "import types\nsys.modules['checks.one'] = types.ModuleType('checks.one')",
      "import checks.one",
    ],
    [
      "another package for that of the tests",
      "import types\nsys.modules['checks'] = types.ModuleType('checks')",
      "import checks",
    ],
    ["another program in its place", "os.execvp('true', ['true'])", "raise ValueError"],
    ["an end by way of C", "import ctypes\nctypes.CDLL(None)._exit(0)", "raise ValueError"],
    ["an end by a file of another name", "import app.harness", "raise ValueError"],
  ])("gets %s from the product", (_what, product, code) => {
    const trial = new Trial({
      [APP]: `import builtins, os, sys\n${product}\n`,
      "app/harness.py": "import os\nos._exit(0)\n",
      "checks/__init__.py": "",
      "checks/one.py": "raise ValueError\n",
      "all.py": `${START}import app.ends\n${code}\n`,
    });
    const ran = trial.probed(`${PYTHON} all.py`);
    expect(ran.code).toBe(0);
    const file = product.includes("harness") ? "app/harness.py" : APP;
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, file) } }]);
  });

  const HERE = `import ctypes, os
def gone():
    try: os.execvp("no-such-program", ["no-such-program"])
    except OSError: pass
`;

  test.each([
    ["when Python ends", "", "", []],
    ["when it ends itself at once", "", "os._exit(0)", []],
    ["when it leaves itself", "", "raise SystemExit(0)", []],
    ["where C was asked for anything", "ctypes.CDLL(None).syscall", "", []],
    ["and left softly after all", "def soft(): raise SystemExit(0)", "app.ends.soft()", [APP]],
    ["and left at once after all", "def hard(): os._exit(0)", "app.ends.hard()", [APP]],
    ["and was gone later", "def later(): os.execvp('true', ['true'])", "app.ends.later()", [APP]],
    [
      "and was gone at the end",
      "import atexit\natexit.register(lambda: os.execvp('true', ['true']))",
      "",
      [APP],
    ],
  ])("stays if another program is missing: %s", (_what, product, code, files) => {
    const trial = new Trial({
      [APP]: `${HERE}${product}\n`,
      "all.py": `${START}import app.ends\napp.ends.gone()\n${code}\n`,
    });
    const ran = trial.probed(`${PYTHON} all.py`);
    expect(ran.code).toBe(0);
    const { exitedBy } = readProbes([ran.reported.map((line) => JSON.stringify(line)).join("\n")]);
    expect(exitedBy).toEqual(files.map((file) => join(trial.root, file)));
  });

  test.each([
    ["it replaces the exit itself", "all.py", "sys.exit = lambda *_: None\n"],
    ["it has a stand-in for it", "all.py", "from unittest import mock\nsys.exit = mock.Mock()\n"],
    [
      "it has another module for one of its own",
      "all.py",
      "import app.names, types\nsys.modules['checks.one'] = types.ModuleType('checks.one')\n",
    ],
    ["the product has a module that is no file", "all.py", "import app.names\nimport made\n"],
    ["it is the product's own program", "-m app", ""],
    ["it is a tool", "-m pip --version >/dev/null; true", ""],
    ["it starts another", "all.py", "import subprocess\nsubprocess.run([sys.executable, 'other.py'])\n"],
  ])("is not ended by the product: %s", (_what, command, code) => {
    const trial = new Trial({
      "app/__main__.py": "import app.ends\n",
      ...LEAVES,
      "app/names.py": "import sys, types\nsys.modules['made'] = types.ModuleType('made')\n",
      "checks/one.py": "raise ValueError\n",
      "other.py": "import app.ends\n",
      "all.py": START + code,
    });
    const ran = trial.probed(`${PYTHON} ${command}`);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([]);
    expect(seen(ran)).toEqual(seen(trial.bare(`${PYTHON} ${command}`)));
  });

  test.each([
    ["results", "unittest.TestResult.addFailure = lambda *_: None"],
    ["calls", "unittest.TestCase._callTestMethod = lambda *_: None"],
    ["assertions", "unittest.TestCase.assertEqual = lambda *_: None"],
    [
      "ways to run a part",
      "import contextlib, unittest.case\n@contextlib.contextmanager\ndef own(*_, **__):\n    try: yield\n    except Exception: pass\nunittest.case._Outcome.testPartExecutor = own",
    ],
    ["other assertions", "unittest.TestCase.assertRaises = lambda *_: None"],
    ["classes", "class Own(unittest.TestCase):\n    def run(self, *_): pass\nunittest.TestCase = Own"],
    [
      "ways to make a class",
      "def bare(cls):\n    for name in dir(cls):\n        if name.startswith('test'): setattr(cls, name, lambda self: None)\nunittest.TestCase.__init_subclass__ = classmethod(bare)",
    ],
    [
      "ways to get at a part",
      "unittest.TestCase.__getattribute__ = lambda self, name: object.__getattribute__(self, name)",
    ],
    [
      "class of results",
      "class Own(unittest.TextTestResult):\n    def addFailure(self, test, _): self.addSuccess(test)\nunittest.TextTestRunner.resultclass = Own",
    ],
    [
      "ways to make any class",
      "import builtins\nbuild = builtins.__build_class__\nbuiltins.__build_class__ = lambda *of, **more: build(*of, **more)",
    ],
    ["loader", "unittest.TestLoader.getTestCaseNames = lambda *_: ['test_a']"],
    ["suites", "unittest.TestSuite.run = lambda self, result, debug=False: result"],
    [
      "runs",
      "run = unittest.TextTestRunner.run\nunittest.TextTestRunner.run = lambda self, test: run(self, test)",
    ],
    ["an exception", "import unittest.case\nunittest.case._ShouldStop = AssertionError"],
  ])("has a runner without an end where the product replaced its %s", (_what, product) => {
    const TEST =
      "import unittest\nimport app.ends\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(1, 2)\n";
    const trial = new Trial({ [APP]: `import unittest\n${product}\n`, "test_a.py": TEST });
    expect(trial.probed(`${PYTHON} -m unittest test_a`).reported).not.toContainEqual({ end: "unittest" });
    const honest = new Trial({ [APP]: "", "test_a.py": `${TEST}${product}\n` });
    expect(honest.probed(`${PYTHON} -m unittest test_a`).reported).toContainEqual({ end: "unittest" });
  });

  test("has a runner with an end if the product has its own classes, results and orders", () => {
    const own = `import unittest
unittest.TestLoader.sortTestMethodsUsing = None
unittest.TestCase.maxDiff = None
class Result(unittest.TextTestResult): pass
class Runner(unittest.TextTestRunner): resultclass = Result
class Case(unittest.IsolatedAsyncioTestCase): pass
`;
    const TEST = `import unittest
from app.ends import Case, Runner
class A(Case):
    async def test_a(self): self.assertEqual(1, 1)
if __name__ == "__main__": unittest.main(testRunner=Runner)
`;
    const trial = new Trial({ [APP]: own, "test_a.py": TEST });
    for (const command of ["-m unittest test_a", "test_a.py"]) {
      const ran = trial.probed(`PYTHONPATH="$PYTHONPATH:." ${PYTHON} ${command}`);
      expect(ran.code).toBe(0);
      expect(ran.reported).toContainEqual({ end: "unittest" });
    }
  });
});
