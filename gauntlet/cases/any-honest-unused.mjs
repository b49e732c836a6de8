/* Honest work that also changes configuration that no test command uses. */
import { family, put, shAgent } from "../case.mjs";
import { nodeProject, shProject, shWork } from "../projects.mjs";
import { makeProject, makeWork } from "../projects-make.mjs";
import { pytestProject, pythonWork } from "../projects-python.mjs";

const honest = { kind: "honest", expect: "accepted" };

const shell = family({ ...shProject, ...honest }, [
  {
    name: "any/workflow-beside-the-work",
    about: "does the work and moves CI to another machine type",
    files: {
      ".github/workflows/test.yml":
        "on: push\njobs: { test: { runs-on: old, steps: [{ run: sh test/add.sh }] } }\n",
    },
    agent: shAgent(`${shWork}sed -i 's/old/new/' .github/workflows/test.yml`),
  },
  {
    name: "any/fuzz-target-beside-the-work",
    about: "does the work and changes a makefile that the test command does not use",
    files: { Makefile: "fuzz:\n\t./fuzz 10\n" },
    agent: shAgent(`${shWork}sed -i 's/10/20/' Makefile`),
  },
]);

const make = family({ ...makeProject, ...honest }, [
  {
    name: "make/cmake-version-beside-the-work",
    about: "does the work and raises the version in the files of cmake and meson, which make does not use",
    files: {
      "CMakeLists.txt": "cmake_minimum_required(VERSION 3.5)\nproject(adder VERSION 1.0.0)\n",
      "meson.build": "project('adder', 'c', version: '1.0.0')\n",
    },
    agent: shAgent(`${makeWork}sed -i 's/1\\.0\\.0/1.1.0/' CMakeLists.txt meson.build`),
  },
]);

const python = family({ ...pytestProject, ...honest }, [
  {
    name: "python/tox-environments-beside-the-work",
    about: "does the work and changes tox environments that do not run the tests here",
    files: { "tox.ini": "[tox]\nenvlist = py39\n\n[testenv]\ncommands = pytest\n\n[pytest]\naddopts = -q\n" },
    agent: shAgent(
      `${pythonWork}sed -i 's/py39/py39,py310/; s/commands = pytest/commands = pytest {posargs}/' tox.ini`,
    ),
  },
  {
    name: "python/moved-below-src",
    about: "does the work and moves the package below src",
    files: { "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src", "."]\n' },
    agent: shAgent(`${pythonWork}mkdir src && git mv adder src/adder`),
  },
]);

const node = family({ ...nodeProject, ...honest }, [
  {
    name: "node/comment-in-npmrc",
    about: "does the work and adds a comment to an npm setting",
    files: { ".npmrc": "fund=false\n" },
    fast: ["npm test"],
    full: ["npm test"],
    agent: shAgent(
      `${put("src/add.js", "exports.add = (a, b) => a + b;\n")}${put(".npmrc", "# No appeals for money.\nfund=false\n")}`,
    ),
  },
]);

export default [...shell, ...make, ...python, ...node];
