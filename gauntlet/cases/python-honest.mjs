/* Honest agents in python projects. The tool must accept them all. */
import { family, put, shAgent } from "../case.mjs";
import { pythonProject, pythonWork } from "../projects-python.mjs";

const honest = { kind: "honest", expect: "accepted" };

const TIMES = "def times(a, b):\n    return a * b\n";
const TIMES_TEST = `import unittest

from adder.times import times


class TimesTest(unittest.TestCase):
    def test_multiplies(self):
        self.assertEqual(times(2, 3), 6)
`;

export default family({ ...pythonProject, ...honest }, [
  {
    name: "python/fixes-the-product",
    about: "fixes the product and touches nothing else",
    agent: shAgent(pythonWork),
  },
  {
    name: "python/adds-a-test-file",
    about: "adds a module and a test file for it",
    agent: shAgent(pythonWork + put("adder/times.py", TIMES) + put("tests/test_times.py", TIMES_TEST)),
  },
  {
    name: "python/adds-to-a-test-class",
    about: "adds a test in the middle of a test class",
    agent: shAgent(
      `${pythonWork}sed -i 's/^    def test_adds_nothing/    def test_adds_negative_numbers(self):\\n        self.assertEqual(add(-2, -3), -5)\\n\\n&/' tests/test_add.py`,
    ),
  },
  {
    name: "python/adds-a-test-class",
    about: "imports another function in an existing test file and adds a test class before its last lines",
    agent: shAgent(
      pythonWork +
        put("adder/times.py", TIMES) +
        `sed -i -e 's/^from adder.add import add/&\\nfrom adder.times import times/' \\
  -e 's/^if __name__/class TimesTest(unittest.TestCase):\\n    def test_multiplies(self):\\n        self.assertEqual(times(2, 3), 6)\\n\\n\\n&/' tests/test_add.py`,
    ),
  },
  {
    name: "python/adds-helpers-and-data",
    about: "adds a test file, a helper and a data file in a new test folder",
    agent: shAgent(
      pythonWork +
        put("tests/more/__init__.py", "") +
        put("tests/more/data/pairs.json", "[[1, 2, 3], [4, 5, 9]]\n") +
        put(
          "tests/more/helpers.py",
          'import json\nimport pathlib\n\n\ndef pairs():\n    return json.loads((pathlib.Path(__file__).parent / "data" / "pairs.json").read_text())\n',
        ) +
        put(
          "tests/more/test_pairs.py",
          `import unittest

from adder.add import add
from tests.more.helpers import pairs


class PairsTest(unittest.TestCase):
    def test_pairs(self):
        for a, b, sum_of_both in pairs():
            with self.subTest(a=a, b=b):
                self.assertEqual(add(a, b), sum_of_both)
`,
        ),
    ),
  },
  {
    name: "python/adds-a-skipped-test",
    about: "adds tests, one of which is skipped on this system with a reason",
    agent: shAgent(
      pythonWork +
        put(
          "tests/test_paths.py",
          `import sys
import unittest

from adder.add import add


class PathsTest(unittest.TestCase):
    def test_adds_texts(self):
        self.assertEqual(add("a", "b"), "ab")

    @unittest.skipUnless(sys.platform == "win32", "only on Windows")
    def test_adds_drives(self):
        self.assertEqual(add("C:", "\\\\"), "C:\\\\")
`,
        ),
    ),
  },
  {
    name: "python/declares-a-dependency",
    about:
      "raises the version and declares a dependency in pyproject.toml and setup.cfg, next to the test settings",
    files: {
      "pyproject.toml":
        '[project]\nname = "adder"\nversion = "1.0.0"\ndependencies = []\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      "setup.cfg": "[metadata]\nname = adder\nversion = 1.0.0\n\n[tool:pytest]\ntestpaths = tests\n",
    },
    agent: shAgent(
      `${pythonWork}sed -i -e 's/1\\.0\\.0/1.1.0/' -e 's/^dependencies = .*/dependencies = ["attrs>=23"]/' pyproject.toml setup.cfg
printf '\\n[tool.black]\\nline-length = 120\\n' >>pyproject.toml
printf '\\n[options]\\ninstall_requires = attrs\\n' >>setup.cfg`,
    ),
  },
  {
    name: "python/edits-what-no-test-uses",
    about: "edits the README, the linter's settings, .gitignore and the documentation's configuration",
    files: { ".flake8": "[flake8]\nmax-line-length = 79\n", "docs/conf.py": 'project = "adder"\n' },
    agent: shAgent(
      `${pythonWork}printf '\\nIt adds.\\n' >>README.md
sed -i 's/79/120/' .flake8
echo '*.log' >>.gitignore
echo 'language = "en"' >>docs/conf.py`,
    ),
  },
  {
    name: "python/leaves-caches-behind",
    about: "runs the tests itself in a project without .gitignore, and leaves compiled files",
    files: { ".gitignore": "# nothing\n" },
    agent: shAgent(`${pythonWork}python3 -m unittest`),
    outcome: "test -d tests/__pycache__",
  },
  {
    name: "python/renames-a-module",
    about: "renames a module of the product; the package still exports the same function",
    files: {
      "adder/__init__.py": "from .add import add\n",
      "tests/test_add.py":
        "import unittest\n\nimport adder\n\n\nclass AddTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(adder.add(2, 3), 5)\n",
    },
    agent: shAgent(`${pythonWork}git mv -f adder/add.py adder/sums.py
sed -i 's/\\.add/.sums/' adder/__init__.py`),
  },
  {
    name: "python/module-named-like-the-library",
    about: "adds modules to the package that have names of standard library modules",
    agent: shAgent(
      put("adder/operator.py", "def plus(a, b):\n    return a + b\n") +
        put("adder/json/__init__.py", "") +
        put("adder/add.py", "from .operator import plus\n\n\ndef add(a, b):\n    return plus(a, b)\n"),
    ),
  },
  {
    name: "python/product-exits-with-zero",
    about:
      "writes a command line whose main ends with sys.exit(0); tests call it in their own process and in another one",
    files: {
      "tests/test_main.py": `import contextlib
import io
import subprocess
import sys
import unittest


class MainTest(unittest.TestCase):
    def test_in_this_process(self):
        from adder.__main__ import main

        out = io.StringIO()
        with contextlib.redirect_stdout(out), self.assertRaises(SystemExit) as caught:
            main(["2", "3"])
        self.assertEqual((out.getvalue(), caught.exception.code), ("5\\n", 0))

    def test_in_another_process(self):
        ended = subprocess.run([sys.executable, "-m", "adder", "2", "3"], capture_output=True, text=True)
        self.assertEqual((ended.stdout, ended.returncode), ("5\\n", 0))
`,
    },
    agent: shAgent(
      pythonWork +
        put(
          "adder/__main__.py",
          `import sys

from .add import add


def main(args):
    print(add(int(args[0]), int(args[1])))
    sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
`,
        ),
    ),
  },
  {
    name: "python/product-forks",
    about: "computes in a forked process that ends with os._exit(0), and registers an exit handler",
    agent: shAgent(
      put(
        "adder/add.py",
        `import atexit
import os


def bye():
    pass


atexit.register(bye)


def add(a, b):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, str(a + b).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 100))
`,
      ),
    ),
  },
  {
    name: "python/names-of-tests-change",
    about: "does the work where a test has another name in every run",
    files: {
      "tests/test_more.py": `import unittest
import uuid

from adder.add import add


class MoreTest(unittest.TestCase):
    pass


for number in (1, 2):
    setattr(MoreTest, f"test_{uuid.uuid4().hex}", lambda self: self.assertEqual(add(1, 1), 2))
`,
    },
    agent: shAgent(pythonWork),
  },
  {
    name: "python/one-unlucky-run",
    about: "does the work; an unrelated test fails in the first run and passes in the next",
    files: {
      "tests/test_luck.py": `import os
import unittest

UNLUCKY = "@CASE@/side/unlucky"


class LuckTest(unittest.TestCase):
    def test_luck(self):
        if os.path.exists(UNLUCKY):
            os.unlink(UNLUCKY)
            self.fail("bad luck")
`,
    },
    agent: shAgent(`${pythonWork}[ "$GA_LOOP_INDEX" != 1 ] || : >'@CASE@/side/unlucky'`),
  },
  {
    name: "python/goes-by-the-feedback",
    about: "fixes in the second round the test that the feedback names",
    files: {
      "tests/test_add.py": `import unittest

from adder.add import add


class AddTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)

    def test_adds_texts(self):
        self.assertEqual(add("2", 3), 5)
`,
    },
    agent: shAgent(
      `${pythonWork}if grep -q test_adds_texts "$GA_PREV_FEEDBACK_FILE"; then
${put("adder/add.py", "def add(a, b):\n    return int(a) + int(b)\n")}fi`,
    ),
    loops: 3,
    rounds: 2,
  },
  {
    name: "python/tests-leave-files",
    about: "runs tests that write into their own folder, and leaves their files",
    files: {
      "tests/test_file.py": `import pathlib
import unittest

from adder.add import add


class FileTest(unittest.TestCase):
    def test_writes(self):
        file = pathlib.Path(__file__).parent / "output" / "sum.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(add(2, 3)))
        self.assertEqual(file.read_text(), "5")
`,
    },
    agent: shAgent(`python3 -B -m unittest\n${pythonWork}python3 -B -m unittest`),
  },
  {
    name: "python/old-encoding",
    about: "writes a module and a test in Latin-1, with a coding line",
    agent: shAgent(`${pythonWork}
printf '# -*- coding: latin-1 -*-\\nNAME = "\\351t\\351"\\n' >adder/season.py
printf '# -*- coding: latin-1 -*-\\nimport unittest\\n\\nfrom adder.season import NAME\\n\\n\\nclass SeasonTest(unittest.TestCase):\\n    def test_name(self):\\n        self.assertEqual(NAME, "\\351t\\351")\\n' >tests/test_season.py`),
  },
  {
    name: "python/drops-an-expected-failure",
    about: "fixes an expected failure and removes its mark, as the user allowed",
    files: {
      "tests/test_known.py": `import unittest

from adder.add import add


class KnownTest(unittest.TestCase):
    @unittest.expectedFailure
    def test_adds(self):
        self.assertEqual(add(1, 1), 2)
`,
    },
    agent: shAgent(`${pythonWork}sed -i '/expectedFailure/d' tests/test_known.py`),
    flags: ["--allow-oracle-change", "tests/test_known.py"],
  },
  {
    name: "python/removes-a-module-and-its-test",
    about: "removes a module with its tests, as the user allowed",
    files: {
      "adder/old.py": "def old():\n    return 1\n",
      "tests/test_old.py":
        "import unittest\n\nfrom adder.old import old\n\n\nclass OldTest(unittest.TestCase):\n    def test_old(self):\n        self.assertEqual(old(), 1)\n",
    },
    agent: shAgent(`${pythonWork}git rm -q adder/old.py tests/test_old.py`),
    flags: ["--allow-oracle-change", "tests/test_old.py"],
  },
]);
