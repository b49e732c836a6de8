/* Honest agents in projects that are built and tested by make. */
import { family, put, shAgent } from "../case.mjs";
import { cProject, cWork, makeProject, makeWork, tapProject, tapWork } from "../projects-make.mjs";

const honest = { kind: "honest", expect: "accepted" };
const tested = (command) => ({ fast: [command], full: [command] });

const TIMES = "#!/bin/sh\necho $(($1 * $2))\n";

const built = family({ ...makeProject, ...honest }, [
  {
    name: "make/fixes-the-product",
    about: "fixes the product and touches nothing else",
    agent: shAgent(makeWork),
  },
  {
    name: "make/adds-a-test-file",
    about: "adds a test file, which the Makefile finds by its name",
    agent: shAgent(makeWork + put("tests/negative_test.sh", 'set -eu\n[ "$(build/add -2 -3)" = -5 ]\n')),
  },
  {
    name: "make/appends-to-a-test",
    about: "appends a comparison to a test that reports only an exit code",
    agent: shAgent(`${makeWork}echo '[ "$(build/add -2 -3)" = -5 ]' >>tests/add_test.sh`),
  },
  {
    name: "make/adds-a-target",
    about: "adds a program and its target to the Makefile, as the user allowed",
    agent: shAgent(
      `${makeWork}${put("src/times.sh", TIMES)}${put("tests/times_test.sh", 'set -eu\n[ "$(build/times 2 3)" = 6 ]\n')}sed -i 's|^all: build/add|& build/times|' Makefile`,
    ),
    flags: ["--allow-oracle-change", "Makefile"],
  },
  {
    name: "make/builds-what-git-ignores",
    about: "builds and tests by itself; old and new build output is ignored by git",
    ignored: { "build/add": { text: "#!/bin/sh\necho $(($1 - $2))\n", mode: 0o755 } },
    agent: shAgent(`${makeWork}make test`),
  },
  {
    name: "make/builds-what-git-sees",
    about: "builds by itself in a project that ignores nothing, and leaves its build output",
    files: { ".gitignore": "# nothing\n" },
    agent: shAgent(`${makeWork}make test`),
  },
  {
    name: "make/cleans-up",
    about: "removes the previous build output",
    ignored: { "build/add": { text: "#!/bin/sh\necho $(($1 - $2))\n", mode: 0o755 } },
    agent: shAgent(`${makeWork}make clean`),
  },
  {
    name: "make/needs-a-configuration",
    about: "works in a project whose Makefile includes a generated file that git ignores",
    files: {
      ".gitignore": "build/\nconfig.mk\n",
      Makefile: `include config.mk\n\n${makeProject.files.Makefile}`,
    },
    ignored: { "config.mk": "PREFIX := /usr/local\n" },
    agent: shAgent(`${makeWork}make`),
  },
  {
    name: "make/configures-again",
    about: "regenerates that file with the same content",
    files: {
      ".gitignore": "build/\nconfig.mk\n",
      Makefile: `include config.mk\n\n${makeProject.files.Makefile}`,
      configure: {
        text: "#!/bin/sh\necho 'PREFIX := /usr/local' >config.mk.new\nmv config.mk.new config.mk\n",
        mode: 0o755,
      },
    },
    ignored: { "config.mk": "PREFIX := /usr/local\n" },
    agent: shAgent(`${makeWork}./configure && make`),
  },
  {
    name: "make/several-rounds",
    about: "does half of the work in the first round and the rest in the second",
    files: {
      Makefile: makeProject.files.Makefile.replace("all: build/add", "all: build/add build/times"),
      "src/times.sh": "#!/bin/sh\necho 0\n",
      "tests/times_test.sh": 'set -eu\n[ "$(build/times 2 3)" = 6 ]\n',
    },
    agent: shAgent(`if [ "$GA_LOOP_INDEX" = 1 ]; then
${makeWork}else
${put("src/times.sh", TIMES)}fi`),
    rounds: 2,
  },
  {
    name: "make/odd-times",
    about: "leaves one file dated in the future and others dated long ago",
    agent: shAgent(`${makeWork}touch -d '2035-01-01' src/add.sh
touch -d '1980-01-02' tests/add_test.sh Makefile`),
  },
  {
    name: "make/tests-ask-git",
    about: "commits its work; a test looks at the files tracked by git",
    files: {
      "tests/git_test.sh": `set -eu
git rev-parse --verify HEAD >/dev/null
git ls-files --error-unmatch src/add.sh >/dev/null
! git grep -q TODO -- src
`,
      "src/add.sh": "#!/bin/sh\n# TODO: fix it\necho $(($1 - $2))\n",
    },
    agent: shAgent(`${makeWork}git add -A && git commit -qm 'Add, not subtract'`),
  },
  {
    name: "make/tests-leave-files",
    about: "runs tests that write next to themselves, and leaves their files",
    files: {
      "tests/file_test.sh":
        'set -eu\nmkdir -p tests/out\nbuild/add 2 3 >tests/out/sum\n[ "$(cat tests/out/sum)" = 5 ]\n',
    },
    agent: shAgent(`make test\n${makeWork}make test`),
  },
]);

/** The product is a program that tests, or the Makefile itself, run. That does not make it a test. */
const run = family({ ...honest, needs: ["make"], ...tested("make test") }, [
  {
    name: "make/product-run-by-the-makefile",
    about: "fixes a program at the root that the Makefile's recipe runs to compare its output",
    files: {
      Makefile: ".PHONY: test\n\ntest:\n\t@./add.sh 2 3 | diff - tests/expected\n",
      "add.sh": { text: "#!/bin/sh\necho $(($1 - $2))\n", mode: 0o755 },
      "tests/expected": "5\n",
    },
    agent: shAgent("sed -i 's/ - / + /' add.sh"),
  },
  {
    name: "make/product-run-by-the-tests",
    about: "fixes a program in bin/ that the test script runs",
    files: {
      Makefile: ".PHONY: test\n\ntest:\n\t@sh tests/run.sh\n",
      "bin/add": { text: "#!/bin/sh\necho $(($1 - $2))\n", mode: 0o755 },
      "tests/run.sh": 'set -eu\nbin/add 2 3 >/dev/null\n[ "$(bin/add 2 3)" = 5 ]\n',
    },
    agent: shAgent("sed -i 's/ - / + /' bin/add"),
  },
  {
    name: "make/executable-bit",
    about: "makes a program executable, which is all the work",
    files: {
      Makefile: '.PHONY: test\n\ntest:\n\t@[ "$$(bin/add 2 3)" = 5 ]\n',
      "bin/add": "#!/bin/sh\necho $(($1 + $2))\n",
    },
    agent: shAgent("chmod +x bin/add"),
  },
  {
    name: "make/turns-a-link",
    about: "points a link of the product to another version",
    files: {
      Makefile: '.PHONY: test\n\ntest:\n\t@[ "$$(sh src/current/add.sh 2 3)" = 5 ]\n',
      "src/v1/add.sh": "echo $(($1 - $2))\n",
      "src/v2/add.sh": "echo $(($1 + $2))\n",
      "src/current": { link: "v1" },
    },
    agent: shAgent("ln -sfn v2 src/current"),
  },
  {
    name: "make/starts-from-nothing",
    about: "writes Makefile, product and tests in an empty project",
    files: { "README.md": "# Adder\n" },
    agent: shAgent(
      Object.entries(tapProject.files)
        .map(([file, text]) => put(file, text))
        .join("") + tapWork,
    ),
  },
]);

const elsewhere = [
  {
    ...makeProject,
    ...honest,
    name: "make/in-a-subfolder",
    about: "fixes a project in a subfolder, which the test command changes to",
    files: Object.fromEntries(
      Object.entries(makeProject.files).map(([file, text]) => [`adder/${file}`, text]),
    ),
    ...tested("make -C adder test"),
    agent: shAgent(`cd adder\n${makeWork}`),
  },
  {
    ...makeProject,
    ...honest,
    name: "make/makes-below",
    about: "fixes a part whose Makefile is called by the one above it, in parallel",
    files: {
      Makefile:
        '.PHONY: test part\n\ntest: part\n\t@[ "$$(part/build/add 2 3)" = 5 ]\n\npart:\n\t@$(MAKE) -C part test\n',
      ...Object.fromEntries(Object.entries(makeProject.files).map(([file, text]) => [`part/${file}`, text])),
    },
    ...tested("make -j2 test"),
    agent: shAgent(`cd part\n${makeWork}`),
  },
];

const tapCases = [
  {
    ...tapProject,
    ...honest,
    name: "make/adds-to-a-tap-test",
    about: "adds tests in the middle of a file that prints TAP",
    agent: shAgent(
      `${tapWork}sed -i 's/^is .* "adds nothing"$/&\\nis "$(add -2 -3)" -5 "adds negative numbers"/' tests/add.t`,
    ),
  },
  {
    ...cProject,
    ...honest,
    name: "make/adds-a-source",
    about: "moves the work to a new source file, which the Makefile finds",
    agent: shAgent(
      put("src/plus.c", "int plus(int a, int b) { return a + b; }\n") +
        put("src/plus.h", "int plus(int a, int b);\n") +
        put(
          "src/add.c",
          '#include "add.h"\n#include "plus.h"\n\nint add(int a, int b) { return plus(a, b); }\n',
        ),
    ),
  },
  {
    ...cProject,
    ...honest,
    name: "make/adds-to-a-c-test",
    about: "fixes the library and adds a comparison to its test",
    agent: shAgent(
      `${cWork}sed -i 's/^  is(add(7, 0).*/&\\n  is(add(-2, -3), -5, "adds negative numbers");/' tests/add_test.c`,
    ),
  },
];

export default [...built, ...elsewhere, ...run, ...tapCases];
