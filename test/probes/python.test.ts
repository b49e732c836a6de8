import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PRODUCT, PYTHON, without } from "./a-python.ts";
import { exits, seen, reportedTest, Trial } from "./trying.ts";

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

describe.skipIf(without("python"))("unittest (if Python is installed)", () => {
  const BEGIN = { begin: "unittest" };
  const END = { end: "unittest" };

  test("reports all tests and prints its normal output", () => {
    const trial = new Trial({ ...PRODUCT, [A]: CASES });
    const command = `${PYTHON} -m unittest -v tests.test_a`;
    const ran = trial.probed(command);
    expect(ran.reported).toEqual([
      BEGIN,
      reportedTest(A, "A > test_bad", "failed"),
      reportedTest(A, "A > test_good", "passed"),
      reportedTest(A, "A > test_left", "skipped"),
      reportedTest(A, "A > test_meant", "skipped"),
      reportedTest(A, "A > test_parts > (i=0)", "passed"),
      reportedTest(A, "A > test_parts > (i=1)", "failed"),
      reportedTest(A, "A > test_parts", "failed"),
      reportedTest(A, "A > test_runner", "passed"),
      reportedTest("", "setUpClass (tests.test_a.B)", "failed"),
      END,
    ]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("reports an unreadable file", () => {
    const trial = new Trial({ "test_x.py": "import nothing_there\n" });
    const { reported: lines } = trial.probed(`${PYTHON} -m unittest discover`);
    expect(lines).toEqual([BEGIN, reportedTest("", "unittest.loader._FailedTest.test_x", "failed"), END]);
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
    expect(ran.reported).toEqual([BEGIN, reportedTest(A, "A > test_1", "passed"), exit]);
  });

  test("has no end where the product ends the process before the first test", () => {
    const trial = new Trial({ ...PRODUCT, [A]: `import app.leaves\n${CASES}` });
    const ran = trial.probed(`${PYTHON} -m unittest tests.test_a`);
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([BEGIN, { exit: { file: join(trial.root, "app/leaves.py") } }]);
  });

  test("reports as failed tests that the product marks as expected failures", () => {
    const product = `import sys
def add(a, b):
    frame = sys._getframe()
    while "outcome" not in frame.f_locals: frame = frame.f_back
    frame.f_locals["outcome"].expecting_failure = True
`;
    const asks = `import unittest
from app.add import add
class A(unittest.TestCase):
    def test_1(self): self.assertEqual(add(2, 3), 5)
`;
    const ran = new Trial({ ...PRODUCT, "app/add.py": product, [A]: asks }).probed(
      `${PYTHON} -m unittest tests.test_a`,
    );
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([BEGIN, reportedTest(A, "A > test_1", "failed"), END]);
  });

  test("names the product once, and no runner, where a program runs the tests", () => {
    const program = `import sys, unittest
sys.path.insert(0, '.')
from app.runs import runs
`;
    const files = {
      ...PRODUCT,
      "app/runs.py": "import unittest\ndef runs(tests): unittest.main(tests, argv=['a'])\n",
      [A]: LEAVING.replace("core.hard()", "pass"),
    };
    const fine = new Trial({ ...files, "tests/run.py": `${program}runs('tests.test_a')\n` });
    expect(exits(fine.probed(`${PYTHON} tests/run.py`))).toEqual([]);
    const left = new Trial({ ...files, "tests/run.py": `${program}runs('app.leaves')\n` });
    const ran = left.probed(`${PYTHON} tests/run.py`);
    expect(ran.reported).toEqual([BEGIN, { exit: { file: join(left.root, "app/leaves.py") } }]);
  });

  test("reports nothing below another runner", () => {
    const trial = new Trial({ ...PRODUCT, [A]: CASES });
    expect(
      trial.probed(`${PYTHON} -m unittest tests.test_a`, { AGENT_FOREMAN_RUNNER: "1" }).reported,
    ).toEqual([]);
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

  test("reports all tests and prints its normal output", () => {
    const trial = new Trial({
      ...PRODUCT,
      [A]: PYTESTS,
      "tests/test_b.py": "import nothing_there\n",
      "tests/test_c.py": "import pytest\npytest.importorskip('nothing_there')\n",
    });
    const command = `${COMMAND} --continue-on-collection-errors`;
    const ran = trial.probed(command);
    expect(ran.reported).toEqual([
      BEGIN,
      reportedTest("tests/test_b.py", "collection", "failed"),
      reportedTest("tests/test_c.py", "collection", "skipped"),
      reportedTest(A, "test_each[1]", "passed"),
      reportedTest(A, "test_each[a::b]", "passed"),
      reportedTest(A, "TestIn > test_side", "passed"),
      reportedTest(A, "test_left", "skipped"),
      reportedTest(A, "test_meant", "skipped"),
      reportedTest(A, "test_not_set_up", "failed"),
      reportedTest(A, "test_bad", "failed"),
      END,
    ]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("reports unittest tests once, and nothing about runners inside them", () => {
    const { reported: lines } = new Trial({ ...PRODUCT, [A]: CASES }).probed(
      `${COMMAND} -k "good or runner"`,
    );
    expect(lines).toEqual([
      BEGIN,
      reportedTest(A, "A > test_good", "passed"),
      reportedTest(A, "A > test_runner", "passed"),
      END,
    ]);
  });

  test.skipIf(without("subtests"))("reports parts of tests", () => {
    const parts = `def test_parts(subtests):
    for i in range(2):
        with subtests.test("m", i=i):
            assert i == 0
`;
    const { reported: lines } = new Trial({ [A]: parts }).probed(COMMAND);
    expect(lines).toEqual([
      BEGIN,
      reportedTest(A, "test_parts > [m] (i=0)", "passed"),
      reportedTest(A, "test_parts > [m] (i=1)", "failed"),
      reportedTest(A, "test_parts", "failed"),
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
    expect(ran.reported).toEqual([
      BEGIN,
      ...named.map((file) => ({ exit: { file: join(trial.root, file) } })),
    ]);
  });

  test.each(["--version", "--help"])("has no beginning without an end for %s", (flag) => {
    const { reported: lines } = new Trial({}).probed(`${COMMAND} ${flag}`);
    expect(lines.filter((line) => JSON.stringify(line).includes("begin"))).toHaveLength(lines.length / 2);
  });

  test("is seen where a command sets the path", () => {
    const files = { [A]: "import app.core\ndef test_1(): pass\n", "src/app/core.py": "" };
    const ran = new Trial(files).probed(`PYTHONPATH=src ${COMMAND}`);
    expect(ran.code).toBe(0);
    expect(ran.reported).toContainEqual(reportedTest(A, "test_1", "passed"));
  });

  test("runs as ever where its path is another", () => {
    const files = { [A]: "def test_1(): pass\n", "run.sh": `PYTHONPATH=. ${COMMAND}` };
    const ran = new Trial(files).probed("sh run.sh");
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([]);
  });
});
