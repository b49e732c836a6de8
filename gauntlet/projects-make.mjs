/* Tiny make projects. In each the product starts out wrong: 2 and 3 make -1. */
import { put } from "./case.mjs";

/** A compiled program whose tests report through exit codes only. */
export const makeProject = {
  files: {
    ".gitignore": "build/\n*.local\n",
    Makefile: `.PHONY: all test clean

all: build/add

build/%: src/%.sh
	@mkdir -p build
	@cp $< $@ && chmod +x $@

test: all
	@for t in tests/*_test.sh; do echo "$$t"; sh "$$t" || exit 1; done

clean:
	rm -rf build
`,
    "src/add.sh": "#!/bin/sh\necho $(($1 - $2))\n",
    "tests/add_test.sh": `set -eu
[ "$(build/add 2 3)" = 5 ]
[ "$(build/add 7 0)" = 7 ]
`,
  },
  fast: ["make test"],
  full: ["make test"],
  needs: ["make"],
};

/** Shell lines that fix the product. */
export const makeWork = put("src/add.sh", "#!/bin/sh\necho $(($1 + $2))\n");

/** A shell library and a test that prints TAP. */
export const tapProject = {
  files: {
    ".gitignore": "build/\n",
    Makefile: ".PHONY: test\n\ntest:\n\t@sh tests/add.t\n",
    "src/add.sh": "add() {\n  echo $(($1 - $2))\n}\n",
    "tests/add.t": `. ./src/add.sh
n=0
failed=0
is() {
  n=$((n + 1))
  if [ "$1" = "$2" ]; then echo "ok $n - $3"; else echo "not ok $n - $3"; failed=1; fi
}
is "$(add 2 3)" 5 "adds"
is "$(add 7 0)" 7 "adds nothing"
echo "1..$n"
exit $failed
`,
  },
  fast: ["make test"],
  full: ["make test"],
  needs: ["make"],
};

export const tapWork = put("src/add.sh", "add() {\n  echo $(($1 + $2))\n}\n");

/** A C library and a linked test that prints TAP. */
export const cProject = {
  files: {
    ".gitignore": "build/\n",
    Makefile: `SOURCES := $(wildcard src/*.c)
OBJECTS := $(SOURCES:src/%.c=build/%.o)

.PHONY: test

test: build/add_test
	@build/add_test

build/%.o: src/%.c
	@mkdir -p build
	@$(CC) -c -o $@ $<

build/add_test: tests/add_test.c $(OBJECTS)
	@mkdir -p build
	@$(CC) -Isrc -o $@ $^
`,
    "src/add.h": "int add(int a, int b);\n",
    "src/add.c": '#include "add.h"\n\nint add(int a, int b) { return a - b; }\n',
    "tests/add_test.c": `#include <stdio.h>
#include "add.h"

static int tests, failed;

static void is(int got, int wanted, const char *name) {
  printf("%sok %d - %s\\n", got == wanted ? "" : "not ", ++tests, name);
  if (got != wanted) failed = 1;
}

int main(void) {
  is(add(2, 3), 5, "adds");
  is(add(7, 0), 7, "adds nothing");
  printf("1..%d\\n", tests);
  return failed;
}
`,
  },
  fast: ["make test"],
  full: ["make test"],
  needs: ["make", "cc"],
};

export const cWork = put("src/add.c", '#include "add.h"\n\nint add(int a, int b) { return a + b; }\n');

/** A shell library and a test that sources it and reports with its exit code only. */
export const shellProject = {
  files: {
    Makefile: '.PHONY: test\n\ntest:\n\t@for t in tests/*_test.sh; do sh "$$t" || exit 1; done\n',
    "src/add.sh": tapProject.files["src/add.sh"],
    "tests/add_test.sh": `set -eu
. ./src/add.sh
add 2 3 >/dev/null
[ "$(add 2 3)" = 5 ]
[ "$(add 7 0)" = 7 ]
`,
  },
  fast: ["make test"],
  full: ["make test"],
  needs: ["make"],
};

/** A C library and a test that reports with its exit code only. */
export const cPlainProject = {
  ...cProject,
  files: {
    ...cProject.files,
    "tests/add_test.c": `#include <assert.h>
#include "add.h"

int main(void) {
  assert(add(2, 3) == 5);
  assert(add(7, 0) == 7);
}
`,
  },
};
