/* Honest agents in projects whose tests report only exit codes and end in their own ways. */
import { family, put, shAgent } from "../case.mjs";
import { cPlainProject, cWork, shellProject, tapWork } from "../projects-make.mjs";

const honest = { kind: "honest", expect: "accepted" };
const HELPER = `failed=0
same() {
  if [ "$1" != "$2" ]; then failed=1; fi
}
finish() {
  [ "$failed" = 0 ] && exit 0
  exit 1
}
`;

export default [
  ...family({ ...shellProject, ...honest, agent: shAgent(tapWork) }, [
    { name: "make/fixes-a-sourced-library", about: "fixes a library that a script sources" },
    {
      name: "make/leaves-in-the-library",
      about: "fixes a library and makes it exit with 0 when asked for help, which no test does",
      agent: shAgent(put("src/add.sh", 'add() {\n  [ "$1" = --help ] && exit 0\n  echo $(($1 + $2))\n}\n')),
    },
    {
      name: "make/ends-in-a-helper",
      about: "fixes a library whose test ends in a helper function",
      files: {
        "tests/helper.sh": HELPER,
        "tests/add_test.sh": '. ./src/add.sh\n. tests/helper.sh\nsame "$(add 2 3)" 5\nfinish\n',
      },
    },
    {
      name: "make/left-out-by-its-test",
      about: "fixes a library next to a test that skips itself",
      files: { "tests/far_test.sh": '[ -n "${FAR:-}" ] || { echo left out; exit 0; }\nfalse\n' },
    },
    {
      name: "make/starts-a-server-in-its-tests",
      about: "fixes a library whose test starts a script and ends it",
      files: {
        "tests/server.sh": "while :; do sleep 0.1; done\n",
        "tests/add_test.sh":
          'sh tests/server.sh & server=$!\n. ./src/add.sh\nfound=$(add 2 3)\nkill "$server"\n[ "$found" = 5 ]\n',
      },
    },
    {
      name: "make/expects-a-failure",
      about: "fixes a library whose test runs a script that must fail",
      files: {
        "tests/fails.sh": "set -e\nfalse\necho not here\n",
        "tests/add_test.sh": '. ./src/add.sh\nsh tests/fails.sh && exit 1\n[ "$(add 2 3)" = 5 ]\n',
      },
    },
    {
      name: "make/reads-in-a-rule",
      about: "fixes a library that a rule sources into its own shell",
      files: { Makefile: '.PHONY: test\n\ntest:\n\t@. ./src/add.sh; \\\n\t  [ "$$(add 2 3)" = 5 ]\n' },
    },
  ]),
  ...family({ ...cPlainProject, ...honest, agent: shAgent(cWork) }, [
    { name: "make/fixes-a-linked-library", about: "fixes a library that a test program links" },
    {
      name: "make/exits-from-its-own-test",
      about: "fixes a library whose test program exits from its own function",
      files: {
        "tests/add_test.c": `#include <stdlib.h>
#include "add.h"

static void finish(int failed) { exit(failed ? EXIT_FAILURE : EXIT_SUCCESS); }

int main(void) {
  finish(add(2, 3) != 5);
  return 2;
}
`,
      },
    },
  ]),
];
