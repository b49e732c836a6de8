import { describe, expect, test } from "vitest";
import { comparedIn, protectedFilesIn } from "./base.ts";

describe("new files that make would go by", () => {
  const tree = {
    Makefile: [
      ".PHONY: check",
      "BIN = build",
      "include conf/*.inc $(HERE)/more.rules",
      "-include $(DEPS)",
      "test: build/add passed.stamp",
      "\t@for t in tests/*.sh; do sh $$t; done",
      "check: ; sh tests/a.sh",
      "$(BIN)/%: src/%.sh",
      "\tcp $< $@",
      "passed.stamp:",
      "\tsh tests/a.sh && touch passed.stamp",
      "tool: tool.c",
      "\tcc tool.c -o tool",
      "list.txt:",
      "\tls >$@",
      "server:",
      "\tgo build ./cmd/server",
      "note:",
      "\ttouch other.txt",
      "parser.c: parser.y",
      "%: %.sh",
      "\tcp $< $@",
      "$(OTHER): x",
      "\tcp x $@",
      "below:",
      "\tfor d in one two; do $(MAKE) -C $$d $@; done",
    ].join("\n"),
    "conf/a.inc": "include conf/b.rules",
    "conf/b.rules": "",
    "one/Makefile": "below:\n\tgo test ./...\n",
    "two/makefile": ".DEFAULT:\n\t./$@.sh\n",
    "two/below.sh": "",
    "src/add.sh": "",
    "tests/a.sh": "",
  };
  const { kindOf, kindOfNew, uses } = protectedFilesIn(tree, ["make test", "make below"]);

  test.each<[string, string | null]>([
    ["conf/new.inc", "shadow"],
    ["conf/new.txt", null],
    ["x/more.rules", "shadow"],
    ["deep/x.mk", "shadow"],
    ["x.d", null],
    ["test", "shadow"],
    ["one/below", "shadow"],
    ["other.txt", null],
    ["parser.c", null],
    ["check", null],
    ["Makefile.sh", "shadow"],
    ["one/Makefile.c", "shadow"],
    ["src/Makefile.sh", null],
    ["Makefile.md", null],
    ["makefile", "config"],
    ["GNUmakefile", "config"],
    ["one/GNUmakefile", "config"],
    ["new/GNUmakefile", null],
    ["src/new.sh", null],
    ["anything", null],
  ])("%s is %s", (path, kind) => {
    expect(kindOfNew(path)).toBe(kind);
    expect(uses.isMade(path)).toBe(false);
  });

  test.each([["build/add"], ["build/deep/add"], ["passed.stamp"], ["tool"], ["list.txt"], ["server"]])(
    "%s is generated, and needs no declaration",
    (path) => {
      expect(kindOfNew(path)).toBe("shadow");
      expect(comparedIn(tree, ["make test"])(path, "x")).toEqual({ change: null, laid: null });
    },
  );

  test("includes count", () => {
    expect(["conf/a.inc", "conf/b.rules"].map(kindOf)).toEqual(["config", "config"]);
  });

  test("a loop leads only below where it runs", () => {
    const { kindOf: below } = protectedFilesIn(tree, ["make -C $part below"], "one");
    expect(["one/Makefile", "two/below.sh"].map(below)).toEqual(["config", null]);
  });

  test("commands of a justfile do not concern files", () => {
    const { kindOfNew: added } = protectedFilesIn({ justfile: "check:\n    ./x.sh\n" }, ["just check"]);
    expect(added("check")).toBeNull();
  });

  test("generated files that the tree keeps may be added to", () => {
    const files = {
      Makefile: "dist/%.js: src/%.ts\n\ttsc\n%.o: %.c\n\tcc -c $<\n",
      "dist/a.js": "",
      "src/a.ts": "",
    };
    const { kindOfNew: added } = protectedFilesIn(files, ["make"]);
    expect([added("dist/b.js"), added("src/b.o")]).toEqual([null, "shadow"]);
  });

  test("a file of the base that something makes may change", () => {
    expect(protectedFilesIn({ ...tree, tool: "" }, ["make test"]).kindOf("tool")).toBeNull();
    expect(protectedFilesIn({ ...tree, test: "" }, ["make test"]).kindOf("test")).toBeNull();
  });
});

describe("new programs in a folder where the shell looks first", () => {
  test.each<[string, object]>([
    ["make test", { Makefile: "export PATH := $(CURDIR)/tools:$(PATH)\ntest:\n\tsh tests/a.sh\n" }],
    ["sh run.sh", { "run.sh": 'export PATH="$PWD/tools:$PATH"\nsh tests/a.sh\n' }],
    ["PATH=tools:$PATH sh tests/a.sh", {}],
    ["sh tests/a.sh", { "tests/a.sh": 'PATH="$(dirname "$0")/../tools:$PATH"\n' }],
  ])("%s", (command, files) => {
    const { kindOfNew } = protectedFilesIn({ "tools/hello": "", "tests/a.sh": "", ...files }, [command]);
    const names = ["tools/diff", "tools/python3", "tools/[", "tools/add", "other/diff", "diff"];
    expect(names.map(kindOfNew)).toEqual(["shadow", "shadow", "shadow", null, null, null]);
  });

  test("those that are there are run by their names", () => {
    const files = {
      "ci.sh": "PATH=$PWD/tools:$PATH\nprepare\nsum=$(add 2 3)\n",
      "tools/prepare": "",
      "tools/add": "",
      "tools/other": "",
    };
    const { kindOf } = protectedFilesIn(files, ["sh ci.sh"]);
    expect(["tools/prepare", "tools/add", "tools/other"].map(kindOf)).toEqual(["script", null, null]);
  });
});

describe("entries of package.json that tests go by", () => {
  const manifest = {
    imports: { "#same": "./test/same.js", "#add": "./src/add.js", "#all": { node: ["./test/a.js"] } },
    scripts: { test: "node --test" },
  };
  const changed = (entries: object): readonly string[] | undefined =>
    comparedIn({ "package.json": manifest, "test/same.js": "" }, ["npm test"])(
      "package.json",
      JSON.stringify({ ...manifest, ...entries }),
    ).change?.entries;

  test.each<[object, readonly string[] | undefined]>([
    [{ imports: { ...manifest.imports, "#same": "./src/same.js" } }, ["imports.#same"]],
    [{ imports: { ...manifest.imports, "#all": "./src/a.js" } }, ["imports.#all"]],
    [{ imports: { ...manifest.imports, "#add": "./src/sum.js", "#new": "./test/new.js" } }, undefined],
  ])("%j", (entries, names) => {
    expect(changed(entries)).toEqual(names);
  });
});
