import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

type Tree = Readonly<Record<string, unknown>>;

const tree = {
  "package.json": { name: "adder" },
  "add.js": "",
  "add.py": "",
  "add.sh": "",
  "README.md": "",
  "check.js": 'require("./add.js");',
  "check.py": "from add import add",
  "check.sh": "",
  "verify/index.js": "",
  "verify/all.js": "",
  "verify/a.sh": "",
  "checks/__init__.py": "",
  "checks/__main__.py": "from checks import cases",
  "checks/cases.py": "",
  "parts/package.json": { main: "first" },
  "parts/first.js": "",
  "suites.txt": "verify/all.js # the whole\nverify/a.sh\n",
  "names.txt": "a.sh\n",
  "setup/hooks.js": 'require("./more");',
  "setup/more.js": "",
  want: "5",
};

describe("other spellings of what a command runs", () => {
  test.each<[string, string, string | null]>([
    ["sh -e check.sh", "check.sh", "script"],
    ["bash -euo pipefail check.sh", "check.sh", "script"],
    ["sh -en check.sh", "check.sh", null],
    ["sh < check.sh", "check.sh", "script"],
    ["bash -s < ./check.sh", "check.sh", "script"],
    ["cat check.sh | sh", "check.sh", "script"],
    ["cat check.js | node -", "check.js", "script"],
    ["python3 - < check.py", "check.py", "script"],
    ["sh add.sh < check.sh", "check.sh", null],
    ['eval "$(cat check.sh)"', "check.sh", "script"],
    ['sh -c "$(cat check.sh)"', "check.sh", "script"],
    ["node check", "check.js", "script"],
    ["node ./verify", "verify/index.js", "script"],
    ["node parts", "parts/first.js", null],
    ["python3 checks", "checks/__main__.py", "script"],
    ["python3 -um check", "check.py", "script"],
    ["python3 -m checks", "checks/cases.py", "script"],
    ["python3 -m runpy check", "check.py", "script"],
    ["node -e 'require(\"./check\")'", "check.js", "script"],
    ["node --input-type=module -e 'import \"./verify/all.js\"'", "verify/all.js", "script"],
    ["node -p 'require(\"./add\").add(2, 3) === 5 || process.exit(1)'", "add.js", null],
    ["python3 -c 'import check'", "check.py", "script"],
    ["python3 -c 'import sys; from checks.cases import main'", "checks/cases.py", "script"],
    ["python3 -c \"exec(open('check.py').read())\"", "check.py", "script"],
    ["python3 -c 'from add import add; assert add(2, 3) == 5'", "add.py", null],
    ["node -r ./setup/hooks.js check.js", "setup/more.js", "config"],
    ["T=check.sh; sh $T", "check.sh", "script"],
    ["T=add.sh; T=check.sh; sh $T", "check.sh", "script"],
    ["sh ${T:-check.sh}", "check.sh", "script"],
    ['sh "${T-check}.sh"', "check.sh", "script"],
    ["T=other.sh; sh ${T:-check.sh}", "check.sh", null],
    ["find verify -name '*.sh' | xargs -n1 sh", "verify/a.sh", "test"],
    ["find verify -type f | while read f; do sh $f || exit 1; done", "verify/a.sh", "test"],
    ["find . -name '*.sh' | xargs -n1 sh", "add.sh", null],
    ["find verify -name '*.sh' | xargs shellcheck", "verify/a.sh", "test"],
    ["xargs -n1 node < suites.txt", "suites.txt", "script"],
    ["xargs -n1 node < suites.txt", "verify/all.js", "script"],
    ["for t in $(cat suites.txt); do node $t; done", "verify/all.js", "script"],
    ["while read f; do sh verify/$f; done < names.txt", "verify/a.sh", "test"],
    ["while read a b; do sh add.sh $a $b; done < names.txt", "names.txt", null],
    ['test "$(sh add.sh 2 3)" = "$(cat want)"', "want", "test"],
    ["node check.js", "add.js", null],
    ["node check.js", "README.md", null],
  ])("%s: %s is %s", (command, path, kind) => {
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });

  test("a file of settings that is read if it is there", () => {
    const { kindOfNew } = protectedFilesIn(tree, ["node --env-file-if-exists=.env.local check.js"]);
    expect(kindOfNew(".env.local")).toBe("shadow");
  });

  test("a script finds files beside it", () => {
    const run = 'for f in "$(dirname "$0")"/verify/*.sh; do sh "$f" || exit 1; done\n';
    const { kindOf } = protectedFilesIn({ ...tree, run }, ["./run"]);
    expect(kindOf("verify/a.sh")).toBe("test");
    expect(kindOf("add.sh")).toBeNull();
  });
});

describe("files that a checking program reads", () => {
  test.each<[string, Tree, string, string | null]>([
    ["node run.js", { "run.js": 'require("./suites.json")', "suites.json": "[]" }, "suites.json", "script"],
    ["node run.js", { "run.js": 'readdirSync("verify")' }, "verify/all.js", "script"],
    ["python3 run_all.py", { "run_all.py": "glob('checks/*.py')" }, "checks/cases.py", "script"],
    ["python3 run_all.py", { "run_all.py": "import_module('checks.cases')" }, "checks/cases.py", "script"],
    ["node run.js", { "run.js": 'readFileSync("README.md"); require("./add.js")' }, "README.md", null],
    ["node run.js", { "run.js": 'readdirSync("."); glob("*.js")' }, "add.js", null],
    ["node run.js", { "run.js": 'read("golden/a.txt")', "golden/a.txt": "" }, "golden/a.txt", "script"],
    [
      "node test.js",
      { "test.js": 'require("./expected.json")', "expected.json": "{}" },
      "expected.json",
      "test",
    ],
    ["node test.js", { "test.js": 'read("golden/a.txt")', "golden/a.txt": "" }, "golden/a.txt", "test"],
    ["sh check.sh", { "check.sh": "cmp out golden/a.txt", "golden/a.txt": "" }, "golden/a.txt", "test"],
  ])("%s (%#)", (command, files, path, kind) => {
    expect(protectedFilesIn({ ...tree, ...files }, [command]).kindOf(path)).toBe(kind);
  });
});

describe("the effective commands of make's recipes", () => {
  const kindIn = (Makefile: string, path: string, command = "make test"): string | null =>
    protectedFilesIn({ ...tree, Makefile, VERSION: "1", "conf/common": "" }, [command]).kindOf(path);

  test.each<[string, string, string | null]>([
    ["test: check.sh\n\tsh $<\n", "check.sh", "script"],
    ["test: check.sh other.sh\n\tfor t in $^; do sh $$t; done\n", "check.sh", "script"],
    ["C := $(wildcard verify/*.sh)\ntest: $(C:.sh=.run)\n%.run: %.sh\n\t@sh $<\n", "verify/a.sh", "test"],
    ["test: $(patsubst %.sh,%.ok,$(wildcard verify/*.sh))\n%.ok: %.sh\n\tsh $<\n", "verify/a.sh", "test"],
    ["S := a b\ntest: $(addprefix run-,$(S))\nrun-%:\n\tsh verify/$*.sh\n", "verify/a.sh", "script"],
    ["test:\n\tsh $(addsuffix .sh,check)\n", "check.sh", "script"],
    ["define RUN\nsh check.sh\nendef\ntest:\n\t$(RUN)\n", "check.sh", "script"],
    ["define RUN =\n\tsh check.sh\nendef\n\ntest:\n\t$(RUN)\n", "check.sh", "script"],
    ["define run\n@sh $(1)\nendef\ntest:\n\t$(call run,check.sh)\n", "check.sh", "script"],
    ["S = a\nR = $(S:%=run-%)\ntest: $(R)\n$(R): run-%:\n\t@sh verify/$*.sh\n", "verify/a.sh", "script"],
    ["S := $(shell ls)\ntest: $(S)\n%.run: verify/%.sh\n\tsh $<\n", "verify/a.sh", "test"],
    ["S := $(shell ls)\ntest: $(S)\n%.run: %.sh\n\tsh $<\n", "add.sh", null],
    ["run = sh verify/$(1).sh\ntest:\n\t@$(call run,a)\n", "verify/a.sh", "script"],
    ["define run\n@sh verify/$(1).sh\nendef\ntest:\n\t$(call run,a)\n", "verify/a.sh", "script"],
    ["S := a b\ntest:\n\t$(foreach s,$(S),sh verify/$(s).sh &&) true\n", "verify/a.sh", "test"],
    ["other: check.sh\n\tsh $<\ntest:\n\ttrue\n", "check.sh", null],
  ])("%j: %s is %s", (makefile, path, kind) => {
    expect(kindIn(makefile, path)).toBe(kind);
  });

  test("folders to include from, and names that are made of others", () => {
    expect(kindIn("include common\ntest:\n\ttrue\n", "conf/common", "make -I conf test")).toBe("config");
    const Makefile = "S := src/add.sh\n-include $(S:.sh=.d)\ntest:\n\ttrue\n";
    expect(protectedFilesIn({ ...tree, Makefile }, ["make test"]).kindOfNew("src/add.d")).not.toBeNull();
  });
});
