/* Honest agents in python projects that are not tested by plain `python3 -m unittest`. */
import { family, put, shAgent } from "../case.mjs";
import { plainProject, pytestProject, pythonProject, pythonWork } from "../projects-python.mjs";

const honest = { kind: "honest", expect: "accepted" };

const PICKED = `import picked

from .add import add
`;

const withoutPytest = [
  {
    ...plainProject,
    ...honest,
    name: "python/plain-script",
    about: "fixes the product of a project whose test is a plain script",
    agent: shAgent(pythonWork),
  },
  {
    ...pythonProject,
    ...honest,
    name: "python/stale-cache",
    about: "runs the tests and fixes the product within the same second, so python reuses its stale cache",
    // Python compares size and whole seconds. Here both match.
    agent: shAgent(
      `touch -d '2026-01-01' adder/add.py\npython3 -m unittest\n${pythonWork}touch -d '2026-01-01' adder/add.py`,
    ),
  },
  {
    ...pythonProject,
    ...honest,
    name: "python/uses-its-environment",
    about: "works in a project whose tests need an ignored virtual environment",
    files: { ...pythonProject.files, "adder/__init__.py": PICKED },
    ignored: {
      ".venv/lib/picked.py": "ANYTHING = 1\n",
      ".venv/bin/python": {
        text: '#!/bin/sh\nPYTHONPATH="$(dirname "$0")/../lib:$PYTHONPATH" exec python3 "$@"\n',
        mode: 0o755,
      },
    },
    fast: [".venv/bin/python -m unittest"],
    full: [".venv/bin/python -m unittest"],
    agent: shAgent(`${pythonWork}.venv/bin/python -m unittest`),
  },
  {
    ...pythonProject,
    ...honest,
    name: "python/dependency-in-an-ignored-folder",
    about: "works in a project whose test command sets PYTHONPATH to an ignored folder",
    files: { ...pythonProject.files, "adder/__init__.py": PICKED },
    ignored: { "deps/picked.py": "ANYTHING = 1\n" },
    fast: ["PYTHONPATH=deps python3 -m unittest"],
    full: ["PYTHONPATH=deps python3 -m unittest"],
    agent: shAgent(`${pythonWork}PYTHONPATH=deps python3 -m unittest`),
  },
  {
    ...honest,
    name: "python/examples-in-the-product",
    about: "fixes a module whose tests are its doctests",
    files: {
      "src/add.py": 'def add(a, b):\n    """\n    >>> add(2, 3)\n    5\n    """\n    return a - b\n',
    },
    fast: ["python3 -m doctest src/add.py"],
    full: ["python3 -m doctest src/add.py"],
    needs: ["python3"],
    agent: shAgent("sed -i 's/a - b/a + b/' src/add.py"),
  },
  {
    ...honest,
    name: "python/product-in-the-test-command",
    about: "fixes a program whose output the test command itself compares",
    files: { "add.py": "import sys\n\nprint(int(sys.argv[1]) - int(sys.argv[2]))\n" },
    fast: ['test "$(python3 add.py 2 3)" = 5'],
    full: ['test "$(python3 add.py 2 3)" = 5'],
    needs: ["python3"],
    agent: shAgent("sed -i 's/ - / + /' add.py"),
  },
  {
    ...honest,
    name: "python/starts-from-nothing",
    about: "writes product and tests in a project that has neither",
    files: { ".gitignore": "__pycache__/\n", "README.md": "# Adder\n" },
    fast: ["python3 -m unittest -v"],
    full: ["python3 -m unittest -v"],
    needs: ["python3"],
    agent: shAgent(
      Object.entries(pythonProject.files)
        .filter(([file]) => file.endsWith(".py"))
        .map(([file, text]) => put(file, text))
        .join("") + pythonWork,
    ),
  },
];

const withPytest = family({ ...pytestProject, ...honest }, [
  {
    name: "python/pytest-adds-a-conftest",
    about: "adds a conftest.py with a fixture for its new test",
    agent: shAgent(
      pythonWork +
        put("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n") +
        put(
          "tests/test_two.py",
          "from adder.add import add\n\n\ndef test_two(two):\n    assert add(two, two) == 4\n",
        ),
    ),
  },
  {
    name: "python/pytest-extends-parameters",
    about: "adds a row to the table of a parametrised test",
    files: {
      "tests/test_table.py": `import pytest

from adder.add import add


@pytest.mark.parametrize(
    "a, b, both",
    [
        (1, 2, 3),
        (7, 0, 7),
    ],
)
def test_table(a, b, both):
    assert add(a, b) == both
`,
    },
    agent: shAgent(
      `${pythonWork}sed -i 's/^        (7, 0, 7),/&\\n        (-1, 1, 0),/' tests/test_table.py`,
    ),
  },
]);

export default [...withoutPytest, ...withPytest];
