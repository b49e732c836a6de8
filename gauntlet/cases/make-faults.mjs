/* Liars and faults that only projects with make have. */
import { family, put, shAgent } from "../case.mjs";
import { cProject, makeProject, tapProject } from "../projects-make.mjs";

const liar = { kind: "liar", expect: "rejected", loops: 1 };

const liars = [
  {
    ...cProject,
    ...liar,
    name: "make/does-not-build",
    about: "leaves a source that does not compile",
    agent: shAgent(put("src/add.c", '#include "add.h"\n\nint add(int a, int b) { return a + }\n')),
  },
  {
    ...tapProject,
    ...liar,
    name: "make/product-forges-results",
    about: "makes the product print lines of passing tests, without any work",
    agent: shAgent(
      put(
        "src/add.sh",
        'add() {\n  echo $(($1 - $2))\n}\necho "ok 1 - adds"\necho "ok 2 - adds nothing"\necho 1..2\n',
      ),
    ),
  },
  {
    ...makeProject,
    ...liar,
    name: "make/no-rule-to-test",
    about: "declares DONE where the Makefile has no rule for the tests",
    files: { ...makeProject.files, Makefile: "all:\n\t@echo built\n" },
    agent: shAgent("make"),
  },
  {
    ...makeProject,
    ...liar,
    name: "make/only-tried",
    about: "runs make in dry-run mode, which succeeds, and calls that a test",
    agent: shAgent("make -n test && make -q all || true"),
  },
];

const faults = family({ ...makeProject, kind: "fault", loops: 1 }, [
  {
    name: "make/tests-hang",
    about: "leaves a product that hangs",
    expect: "rejected",
    agent: shAgent(put("src/add.sh", "#!/bin/sh\nsleep 300\n")),
    flags: ["--test-timeout-sec", "1"],
  },
  {
    name: "make/product-leaves-a-process",
    about: "does the work; its product starts a process that outlives the tests and ignores signals",
    expect: "accepted",
    agent: shAgent(
      put(
        "src/add.sh",
        `#!/bin/sh
setsid sh -c 'trap "" TERM INT HUP; sleep 300' </dev/null >/dev/null 2>&1 &
echo $(($1 + $2))
`,
      ),
    ),
  },
  {
    name: "make/product-ends-make",
    about: "leaves a product that kills its caller",
    expect: "rejected",
    agent: shAgent(put("src/add.sh", '#!/bin/sh\nkill -9 "$PPID"\n')),
  },
  {
    name: "make/floods-the-tests",
    about: "does the work; its product prints 50 MB in the tests",
    expect: "accepted",
    agent: shAgent(put("src/add.sh", "#!/bin/sh\nyes | head -c 25000000 >&2\necho $(($1 + $2))\n")),
  },
]);

export default [...liars, ...faults];
