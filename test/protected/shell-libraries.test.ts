import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

const SLUG = 'slug() { printf "%s\\n" "$1" | tr A-Z a-z; }\n';
const READ = '. ./functions.sh\n[ "$(slug ABC)" = abc ] || exit 1\n';

function kindOf(path: string, library: string, reader: string, more: Record<string, string> = {}) {
  const files = { [path]: library, "tests/run.sh": reader, ...more };
  return protectedFilesIn(files, ["sh tests/run.sh"]).kindOf(path);
}

describe("a shell library that is read into the scripts that test it", () => {
  test.each<[string, string, string]>([
    ["by what it prints", SLUG, READ],
    ["by what it prints into a file", SLUG, ". ./functions.sh\nslug A >out && cmp out tests/a.out\n"],
    ["in a function of the tests", SLUG, '. ./functions.sh\nis() { [ "$(slug "$1")" = "$2" ]; }\nis A a\n'],
    ["with functions that end it", `${SLUG}die() { echo "$*" >&2; exit 1; }\n`, READ],
    [
      "that compares what it is given",
      'max() { [ "$1" -gt "$2" ] && echo $1 || echo $2; }\n',
      ". ./functions.sh\n[ $(max 1 2) = 2 ]\n",
    ],
    ["that is set up first", `init() { mkdir -p "$1"; }\n${SLUG}`, `${READ}init "$d"\n`],
    [
      "with state that its own functions change",
      'push() { STACK="$1 $STACK"; }\ntop() { echo "${STACK%% *}"; }\n',
      '. ./functions.sh\npush 3\n[ "$(top)" = 3 ] || exit 1\n',
    ],
    ["written in another way", "function slug {\n  echo $1 | tr A-Z a-z\n}\n", READ],
  ])("is the product: %s", (_, library, reader) => {
    expect(kindOf("functions.sh", library, reader)).toBeNull();
  });

  test.each<[string, string, string]>([
    ["same", 'same() { [ "$1" = "$2" ] || exit 1; }\n', 'same "$(sh src/add.sh 2 3)" 5\n'],
    ["beside what prints", `${SLUG}holds() { [ "$1" = "$2" ] || exit 1; }\n`, `${READ}holds 1 1\n`],
    ["by counting", `${SLUG}holds() { [ $1 ] || fails=$((fails + 1)); }\n`, `${READ}holds "$x"\n`],
    ["by its name", `${SLUG}assert_slug() { test -n "$1"; }\n`, READ],
    ["settings", 'CASES="a b"\n', "for c in $CASES; do sh tests/$c.sh; done\n"],
  ])("judges: %s", (_, library, reader) => {
    expect(kindOf("functions.sh", library, `. ./functions.sh\n${reader}`)).toBe("script");
  });

  test.each([
    'expected=$1 actual=$2; [ "$expected" != "$actual" ] && exit 1; :',
    '[ "$2" = "$1" ] || exit 1',
    'case $2 in "$1") ;; *) exit 1 ;; esac',
    '[ "$1" = "$2" ] || errors=$((errors+1))',
    'echo "$2" | diff - "$1" || exit 1',
    'agree "$@"; }\nagree() { [ "$1" = "$2" ] || exit 1',
  ])("judges with the body %s, alone and beside what prints", (body) => {
    const reader = '. ./functions.sh\nt 3 "$(./add 1 2)"\n';
    const run = 'add() { ./add "$@"; }\n';
    expect(kindOf("functions.sh", `t() { ${body}; }\n`, reader)).toBe("script");
    expect(kindOf("functions.sh", `${run}t() { ${body}; }\n`, reader.replace("./add", "add"))).toBe("script");
  });

  test("files that one script sources, others may use", () => {
    const all = ". ./functions.sh\nfor t in tests/t-*.sh; do . $t; done\n";
    expect(kindOf("functions.sh", SLUG, all, { "tests/t-a.sh": '[ "$(slug A)" = a ]\n' })).toBeNull();
  });

  test.each(["scripts/functions.sh", "tools/slug.sh", "checks/slug.sh", "assert.sh", "harness.sh"])(
    "%s is not, whatever it prints",
    (path) => {
      expect(kindOf(path, SLUG, `. ./${path}\n[ "$(slug A)" = a ]\n`)).toBe("script");
    },
  );

  test("nor are files among the tests", () => {
    expect(kindOf("tests/slug.sh", SLUG, '. tests/slug.sh\n[ "$(slug A)" = a ]\n')).toBe("test");
  });
});
