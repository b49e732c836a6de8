import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PYTHON, without } from "./a-python.ts";
import { exits, Trial } from "./trying.ts";

const COMMAND = `PYTHONPATH="$PYTHONPATH:." ${PYTHON} -m pytest -q -p no:cacheprovider -p no:randomly`;
const END = { end: "pytest" };
const APP = "app/ends.py";
const FAILS = "import app.ends\ndef test_a(): assert False\n";
const QUIET = `import gc
class Quiet:
    def pytest_pyfunc_call(self, pyfuncitem): return True
def manager():
    return [it for it in gc.get_objects() if type(it).__name__ == "PytestPluginManager"][0]
`;

function of(product: string, files: Readonly<Record<string, string>> = {}): Trial {
  return new Trial({ "app/__init__.py": "", [APP]: product, "tests/test_a.py": FAILS, ...files });
}

describe.skipIf(without("pytest"))("pytest (where it is installed)", () => {
  test.each([
    ["when it is loaded", `${QUIET}manager().register(Quiet())\n`, {}],
    [
      "when a conftest.py loads it",
      `${QUIET}manager().register(Quiet())\n`,
      { "conftest.py": "import app.ends\n" },
    ],
    ["around the manager", `${QUIET}import pluggy\npluggy.PluginManager.register(manager(), Quiet())\n`, {}],
    [
      "in the place of another function",
      `${QUIET}for it in manager().hook.pytest_pyfunc_call.get_hookimpls(): it.function = lambda pyfuncitem: True\n`,
      {},
    ],
    [
      "by the name of a module",
      `${QUIET}manager().import_plugin("app.quiet")\n`,
      { "app/quiet.py": "def pytest_pyfunc_call(pyfuncitem): return True\n" },
    ],
    [
      "beside what a conftest.py has of it",
      `${QUIET}manager().register(Quiet())\ndef two(): return 2\n`,
      { "conftest.py": "import pytest\nfrom app.ends import two\n" },
    ],
  ])("names the product that gives it a plugin %s", (_what, product, files) => {
    const trial = of(product, files);
    const ran = trial.probed(COMMAND);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toContainEqual({ exit: { file: join(trial.root, APP) } });
  });

  const PLUGIN = `from app.beside import Beside
def pytest_configure(config): config.pluginmanager.register(Beside())
def pytest_collection_modifyitems(config): config.pluginmanager.register(Beside(), "again")
def pytest_runtest_logreport(report): pass
import _pytest.runner
check = _pytest.runner.check_interactive_exception
_pytest.runner.check_interactive_exception = lambda *given: check(*given)
`;
  const FINE = { "tests/test_a.py": "def test_a(): pass\n" };
  const OBJECT = "def pytest_configure(config): config.pluginmanager.register(Beside())\n";

  test.each([
    [
      "a package",
      "",
      {
        "app.dist-info/METADATA": "Name: app\nVersion: 1\n",
        "app.dist-info/entry_points.txt": "[pytest11]\napp = app.ends\n",
      },
    ],
    ["the command", " -p app.ends", {}],
    ["the environment", "", {}],
    ["a conftest.py", "", { "conftest.py": 'pytest_plugins = ["app.ends"]\n' }],
    ["a conftest.py, as its own", "", { "conftest.py": "from app.ends import *\n" }],
    ["a conftest.py, as an object", "", { "conftest.py": `from app.beside import Beside\n${OBJECT}` }],
    [
      "a conftest.py, as an object of a kind of its own",
      "",
      { "conftest.py": `import app.beside\nclass Beside(app.beside.Beside): pass\n${OBJECT}` },
    ],
    ["a test", "", { "tests/test_a.py": 'pytest_plugins = ["app.ends"]\ndef test_a(): pass\n' }],
    ["settings", "", { "pytest.ini": "[pytest]\naddopts = -p app.ends\n" }],
    ["a program of the product's", "", {}],
  ])("has a plugin of the product from %s, among others, and names no file", (what, options, files) => {
    const trial = of(PLUGIN, {
      "app/beside.py": "class Beside:\n    def pytest_runtest_logreport(self, report): pass\n",
      "app/starts.py":
        "import sys, pytest\nimport app.ends\nfrom app.beside import Beside\nsys.exit(pytest.main(['-q'], plugins=[app.ends, Beside()]))\n",
      "tests/conftest.py": "",
      ...FINE,
      ...files,
    });
    const command = what.startsWith("a program")
      ? `PYTHONPATH="$PYTHONPATH:." ${PYTHON} -m app.starts`
      : COMMAND;
    const ran = trial.probed(
      command + options,
      what === "the environment" ? { PYTEST_PLUGINS: "app.ends" } : {},
    );
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(exits(ran)).toEqual([]);
    expect(ran.reported).toContainEqual(END);
  });

  test.each([
    [
      "a part of functions",
      "import _pytest.python as it\nsetup = it.Function.setup\ndef own(self):\n    setup(self)\n    self.obj = lambda: None\nit.Function.setup = own\n",
    ],
    [
      "calls",
      "import _pytest.runner as it\nfrom_call = it.CallInfo.from_call\nit.CallInfo.from_call = lambda _func, **more: from_call(lambda: None, **more)\n",
    ],
    [
      "calls of all plugins",
      `import pluggy._hooks as it
call = it.HookCaller.__call__
it.HookCaller.__call__ = lambda self, **given: self.name == "pytest_pyfunc_call" or call(self, **given)
`,
    ],
    [
      "ways to read a test",
      `import ast
import _pytest.assertion.rewrite as it
rewrite = it.rewrite_asserts
def own(module, *rest):
    for part in module.body: part.body = [ast.Pass(lineno=1, col_offset=0)]
it.rewrite_asserts = own
`,
    ],
    ["assertions of unittest's", "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n"],
  ])("has no end where the product replaced %s", (_what, product) => {
    const CASES =
      "import unittest\nimport app.ends\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(1, 2)\n";
    const trial = of(product, {
      "conftest.py": product.includes("rewrite") ? "import app.ends\n" : "",
      ...(product.includes("unittest") && { "tests/test_a.py": CASES }),
    });
    const ran = trial.probed(COMMAND);
    expect(ran.code).toBe(0);
    expect(ran.reported).not.toContainEqual(END);
    const honest = of("", { "conftest.py": product });
    expect(honest.probed(COMMAND).reported).toContainEqual(END);
  });
});
