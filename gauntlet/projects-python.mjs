/* Tiny Python projects. In each the product starts out wrong: add(2, 3) is -1. */
import { put } from "./case.mjs";

const WRONG = "def add(a, b):\n    return a - b\n";
const RIGHT = "def add(a, b):\n    return a + b\n";

const IGNORED = "__pycache__/\n.pytest_cache/\n.venv/\ndeps/\nbuild/\n*.egg-info/\n.env\n";

/** A project with Python's own test runner. */
export const pythonProject = {
  files: {
    ".gitignore": IGNORED,
    "README.md": "# Adder\n",
    "adder/__init__.py": "",
    "adder/add.py": WRONG,
    "tests/__init__.py": "",
    "tests/test_add.py": `import unittest

from adder.add import add


class AddTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(2, 3), 5)

    def test_adds_nothing(self):
        self.assertEqual(add(7, 0), 7)


if __name__ == "__main__":
    unittest.main()
`,
  },
  fast: ["python3 -m unittest"],
  full: ["python3 -m unittest"],
  needs: ["python3"],
};

/** The same, tested by pytest. */
export const pytestProject = {
  ...pythonProject,
  files: {
    ...pythonProject.files,
    "tests/test_add.py": `from adder.add import add


def test_adds():
    assert add(2, 3) == 5


def test_adds_nothing():
    assert add(7, 0) == 7
`,
  },
  fast: ["pytest -q"],
  full: ["pytest -q"],
  needs: ["python3", "pytest"],
};

/** A project whose test is a plain script that throws. */
export const plainProject = {
  files: {
    ".gitignore": IGNORED,
    "adder/__init__.py": "",
    "adder/add.py": WRONG,
    "tests/check.py": `import json
import os
import sys

sys.path.append(os.getcwd())
from adder.add import add

for case in json.loads("[[7, 0, 7], [2, 3, 5]]"):
    got = add(case[0], case[1])
    if got != case[2]:
        sys.exit(f"{case}: got {got}")
print("all is well")
`,
  },
  fast: ["python3 tests/check.py"],
  full: ["python3 tests/check.py"],
  needs: ["python3"],
};

/** Shell lines that fix each of them. */
export const pythonWork = put("adder/add.py", RIGHT);

/** Shell lines that weaken the test so that the wrong product passes. */
export const pythonWeaken = "sed -i 's/(2, 3), 5)/(2, 3), -1)/' tests/test_add.py\n";
