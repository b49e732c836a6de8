import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exits, seen, told, Trial } from "./trying.ts";

/** Not by its name: that may be a script that looks for one each time. */
const PYTHON = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], {
  encoding: "utf8",
}).stdout?.trim();
/** What this one has; "handlers": where it says which code has some. */
const HAS: readonly string[] = spawnSync(
  PYTHON || "false",
  [
    "-c",
    `import sys
print("python" * (sys.version_info >= (3, 8)), "handlers" * (sys.version_info >= (3, 11)))
import pytest
print("pytest", "subtests" * (int(pytest.__version__.split(".")[0]) >= 9))`,
  ],
  { encoding: "utf8" },
).stdout.split(/\s+/);
const without = (what: string): boolean => !HAS.includes(what);

const PRODUCT = {
  "app/__init__.py": "",
  "app/core.py": "import os, sys\ndef hard(): os._exit(0)\ndef soft(): sys.exit(0)\n",
  "app/leaves.py": "import sys\nsys.exit(0)\n",
  "tests/__init__.py": "",
};
const A = "tests/test_a.py";
const CASES = `
import io, unittest
from app.core import soft

class A(unittest.TestCase):
    def test_bad(self):
        self.assertEqual(1, 2)

    def test_good(self):
        with self.assertRaises(SystemExit):
            soft()

    @unittest.skip("no")
    def test_left(self):
        pass

    @unittest.expectedFailure
    def test_meant(self):
        self.fail()

    def test_parts(self):
        for i in range(2):
            with self.subTest(i=i):
                self.assertEqual(i, 0)

    def test_runner(self):
        class Inner(unittest.TestCase):
            def test_inner(self):
                self.fail()
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(Inner)
        unittest.TextTestRunner(stream=io.StringIO()).run(suite)

class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise ValueError

    def test_never(self):
        pass
`;

describe.skipIf(without("python"))("unittest (where there is a Python)", () => {
  const BEGIN = { begin: "unittest" };
  const END = { end: "unittest" };

  test("tells all tests and prints what it printed", () => {
    const trial = new Trial({ ...PRODUCT, [A]: CASES });
    const command = `${PYTHON} -m unittest -v tests.test_a`;
    const ran = trial.probed(command);
    expect(ran.told).toEqual([
      BEGIN,
      told(A, "A > test_bad", "failed"),
      told(A, "A > test_good", "passed"),
      told(A, "A > test_left", "skipped"),
      told(A, "A > test_meant", "passed"),
      told(A, "A > test_parts > (i=0)", "passed"),
      told(A, "A > test_parts > (i=1)", "failed"),
      told(A, "A > test_parts", "failed"),
      told(A, "A > test_runner", "passed"),
      told("", "setUpClass (tests.test_a.B)", "failed"),
      END,
    ]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("tells of a file that cannot be read", () => {
    const trial = new Trial({ "test_x.py": "import nothing_there\n" });
    const { told: lines } = trial.probed(`${PYTHON} -m unittest discover`);
    expect(lines).toEqual([BEGIN, told("", "unittest.loader._FailedTest.test_x", "failed"), END]);
  });

  const LEAVING = `import unittest
from app import core
class A(unittest.TestCase):
    def test_1(self): pass
    def test_2(self): core.hard()
`;

  test("has no end where the product ends the process, and says who did", () => {
    const trial = new Trial({ ...PRODUCT, [A]: LEAVING });
    const ran = trial.probed(`${PYTHON} -m unittest tests.test_a`);
    expect(ran.code).toBe(0);
    const exit = { exit: { file: join(trial.root, "app/core.py") } };
    expect(ran.told).toEqual([BEGIN, told(A, "A > test_1", "passed"), exit]);
  });

  test("has no end where the product ends the process before the first test", () => {
    const trial = new Trial({ ...PRODUCT, [A]: `import app.leaves\n${CASES}` });
    const ran = trial.probed(`${PYTHON} -m unittest tests.test_a`);
    expect(ran.code).toBe(0);
    expect(ran.told).toEqual([BEGIN, { exit: { file: join(trial.root, "app/leaves.py") } }]);
  });

  test("tells nothing below another runner", () => {
    const trial = new Trial({ ...PRODUCT, [A]: CASES });
    expect(trial.probed(`${PYTHON} -m unittest tests.test_a`, { AGENT_FOREMAN_RUNNER: "1" }).told).toEqual(
      [],
    );
  });
});

describe.skipIf(without("python"))("a test program of Python's (where there is one)", () => {
  const START = "import os, subprocess, sys\nsys.path.insert(0, '.')\n";

  const HARD: readonly (readonly [string, string, string])[] = [
    ["hard", "from app.core import hard\nhard()\n", "app/core.py"],
    [
      "at the end",
      "import atexit\nfrom app.core import hard\natexit.register(hard)\nassert False\n",
      "app/core.py",
    ],
  ];
  const SOFT: typeof HARD = [
    ["softly", "from app.core import soft\nsoft()\n", "app/core.py"],
    ["when it is loaded", "import app.leaves\nassert False\n", "app/leaves.py"],
  ];
  test.each([...HARD, ...(without("handlers") ? [] : SOFT)])(
    "is ended by the product: %s",
    (_what, code, file) => {
      const trial = new Trial({ ...PRODUCT, "tests/run.py": START + code });
      const ran = trial.probed(`${PYTHON} tests/run.py`);
      expect(ran.code).toBe(0);
      expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, file) } }]);
    },
  );

  test.each([
    ["the product's end is awaited", "from app.core import soft\ntry: soft()\nexcept SystemExit: pass\n"],
    [
      "the product ends a process of its own",
      "from app.core import hard\nif os.fork() == 0: hard()\nos.wait()\n",
    ],
    ["a program is started", "subprocess.run([sys.executable, 'tests/other.py'], check=True)\n"],
    ["it ends itself", "os._exit(0)\n"],
  ])("is not ended by anybody: %s", (_what, code) => {
    const other = `${START}from app.core import hard\nhard()\n`;
    const trial = new Trial({ ...PRODUCT, "tests/run.py": START + code, "tests/other.py": other });
    const ran = trial.probed(`${PYTHON} tests/run.py`);
    expect(ran.code).toBe(0);
    expect(ran.told).toEqual([]);
  });

  test("is preceded by the sitecustomize that it had, whatever that does", () => {
    const look = `${PYTHON} -c "import sys; print(getattr(sys, 'was_here', None), 'sitecustomize' in sys.modules)"`;
    const trial = new Trial({
      "good/sitecustomize.py": "import sys\nsys.was_here = __file__\n",
      "bad/sitecustomize.py": "raise ValueError('as before')\n",
    });
    for (const place of ["good", "bad"]) {
      const path = `PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}$PWD/${place}" ${look}`;
      expect(seen(trial.probed(path)), place).toEqual(seen(trial.bare(path)));
    }
    expect(seen(trial.probed(look))).toEqual(seen(trial.bare(look)));
  });
});

describe.skipIf(without("pytest"))("pytest (where it is installed)", () => {
  const BEGIN = { begin: "pytest" };
  const END = { end: "pytest" };
  const PYTESTS = `
import pytest

@pytest.mark.parametrize("x", [1, "a::b"])
def test_each(x):
    pass

class TestIn:
    def test_side(self):
        pass

@pytest.mark.skip
def test_left():
    pass

@pytest.mark.xfail
def test_meant():
    assert False

@pytest.fixture
def broken():
    raise ValueError

def test_not_set_up(broken):
    pass

def test_bad():
    assert False
`;
  const COMMAND = `${PYTHON} -m pytest -p no:cacheprovider -p no:randomly`;

  test("tells all tests and prints what it printed", () => {
    const trial = new Trial({
      ...PRODUCT,
      [A]: PYTESTS,
      "tests/test_b.py": "import nothing_there\n",
      "tests/test_c.py": "import pytest\npytest.importorskip('nothing_there')\n",
    });
    const command = `${COMMAND} --continue-on-collection-errors`;
    const ran = trial.probed(command);
    expect(ran.told).toEqual([
      BEGIN,
      told("tests/test_b.py", "collection", "failed"),
      told("tests/test_c.py", "collection", "skipped"),
      told(A, "test_each[1]", "passed"),
      told(A, "test_each[a::b]", "passed"),
      told(A, "TestIn > test_side", "passed"),
      told(A, "test_left", "skipped"),
      told(A, "test_meant", "skipped"),
      told(A, "test_not_set_up", "failed"),
      told(A, "test_bad", "failed"),
      END,
    ]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("tells tests of unittest once, and nothing of runners in them", () => {
    const { told: lines } = new Trial({ ...PRODUCT, [A]: CASES }).probed(`${COMMAND} -k "good or runner"`);
    expect(lines).toEqual([
      BEGIN,
      told(A, "A > test_good", "passed"),
      told(A, "A > test_runner", "passed"),
      END,
    ]);
  });

  test.skipIf(without("subtests"))("tells parts of tests", () => {
    const parts = `def test_parts(subtests):
    for i in range(2):
        with subtests.test("m", i=i):
            assert i == 0
`;
    const { told: lines } = new Trial({ [A]: parts }).probed(COMMAND);
    expect(lines).toEqual([
      BEGIN,
      told(A, "test_parts > [m] (i=0)", "passed"),
      told(A, "test_parts > [m] (i=1)", "failed"),
      told(A, "test_parts", "failed"),
      END,
    ]);
  });

  test.each([
    ["in a test", { [A]: "from app.core import hard\ndef test_1(): hard()\n" }, ["app/core.py"]],
    ["before all tests", { "conftest.py": "import app.leaves\n", [A]: "def test_1(): pass\n" }, []],
  ])("has no end where the product ends the process %s", (_when, files, named) => {
    const trial = new Trial({ ...PRODUCT, ...files });
    const ran = trial.probed(COMMAND);
    expect(ran.code).toBe(0);
    expect(ran.told).toEqual([BEGIN, ...named.map((file) => ({ exit: { file: join(trial.root, file) } }))]);
  });

  test.each(["--version", "--help"])("has no beginning without an end where it is asked for %s", (flag) => {
    const { told: lines } = new Trial({}).probed(`${COMMAND} ${flag}`);
    expect(lines.filter((line) => JSON.stringify(line).includes("begin"))).toHaveLength(lines.length / 2);
  });

  test("runs as ever where a command replaces the path", () => {
    const ran = new Trial({ [A]: "def test_1(): pass\n" }).probed(`PYTHONPATH=. ${COMMAND}`);
    expect(ran.code).toBe(0);
    expect(ran.told).toEqual([]);
  });
});
