import { describe, expect, test } from "vitest";
import { NO_USES } from "../../src/evidence/protected/uses.ts";
import { compared, tools } from "./base.ts";

describe("pyproject.toml", () => {
  const base = [
    "[project]",
    'name = "x"',
    "[tool.pytest.ini_options]",
    'addopts = "-q" # quiet',
    'markers = ["slow", "fast"]',
    "[tool.ruff]",
    "line-length = 100",
    "",
  ].join("\n");

  test.each([
    ["other tables", base.replace('"x"', '"y"')],
    [
      "layout",
      base.replace('["slow", "fast"]', '[ # both\n  "slow",\n  "fast",\n]').replace('"-q" # quiet', "'-q'"),
    ],
    ["a tool that nobody runs", base.replace("100", "200")],
    ["the order of tables", `[tool.ruff]\n${base.replace("[tool.ruff]", "[other]")}`],
    ["spelling of the table", base.replace("[tool.pytest.ini_options]", '[ tool . "pytest" . ini_options ]')],
  ])("may change in %s", (_, after) => {
    expect(compared("pyproject.toml", base, after)).toEqual({ change: null, laid: after });
  });

  test.each([
    ["a value", base.replace('"-q"', '"--co"'), "tool.pytest"],
    ["a value more", base.replace("[tool.ruff]", "testpaths = []\n[tool.ruff]"), "tool.pytest"],
    ["a table less", base.replace(/\[tool\.pytest[^]*(?=\[tool\.ruff)/, ""), "tool.pytest"],
    ["a table more", `${base}[tool.coverage.run]\nomit = ["*"]\n`, "tool.coverage"],
    ["a dotted key", `${base}[tool]\npytest.x = 1\n`, "tool.pytest"],
    ["a dotted key at the root", `tool.pytest.x = 1\n${base}`, "tool.pytest"],
    ["braces", `${base}[tool]\ncoverage = { run = { omit = ["*"] } }\n`, "tool.coverage"],
    ["braces at the root", `tool = { coverage = { run = 1 } }\n${base}`, "tool"],
    ["quoted names", `${base}["tool"."c\\u006fverage"]\nx = 1\n`, "tool.coverage"],
  ])("may not change in %s", (_, after, entry) => {
    const { change, laid } = compared("pyproject.toml", base, after);
    expect(change).toMatchObject({ how: "changed", entries: [entry] });
    expect(compared("pyproject.toml", base, laid).change).toBeNull();
    expect(laid).toContain("[tool.ruff]");
  });

  test("keeps the candidate's own in what is laid", () => {
    const after = base.replace('"x"', '"y"').replace('"-q"', '"--co"');
    expect(compared("pyproject.toml", base, after).laid).toBe(
      [
        "[project]",
        'name = "y"',
        "[tool.ruff]",
        "line-length = 100",
        "[tool.pytest.ini_options]",
        'addopts = "-q" # quiet',
        'markers = ["slow", "fast"]',
        "",
      ].join("\n"),
    );
  });

  test("text that looks like a table is none", () => {
    const after = `${base}[other]\nx = """\n[tool.coverage]\n"""\ny = '''\n[tool.tox]'''\nz = [\n"[tool.coverage]" ]\n`;
    expect(compared("pyproject.toml", base, after).change).toBeNull();
  });

  test("that cannot be read is changed as a whole", () => {
    for (const after of ["[tool", "x = ", 'x = "', "[a]\nb = [1\n", "= 1", "a b = 1"])
      expect(compared("pyproject.toml", base, after)).toMatchObject({
        change: { how: "changed" },
        laid: base,
      });
  });

  test("a tool that is named", () => {
    const after = base.replace("100", "200");
    expect(compared("pyproject.toml", base, after, tools("ruff")).change?.entries).toEqual(["tool.ruff"]);
    const more = `${base}\n[tool.poetry.dependencies]\nx = "1"\n`;
    expect(compared("pyproject.toml", base, more, tools("poetry", "python", "pytest")).change).toBeNull();
  });

  test("that is new counts only with entries", () => {
    expect(compared("pyproject.toml", null, '[project]\nname = "x"\n').change).toBeNull();
    expect(compared("pyproject.toml", null, base)).toEqual({
      change: { path: "pyproject.toml", kind: "config", how: "added", entries: ["tool.pytest"] },
      laid: '[project]\nname = "x"\n[tool.ruff]\nline-length = 100\n',
    });
  });
});

describe("Cargo.toml", () => {
  const base = '[package]\nname = "x"\n[lib]\npath = "src/lib.rs"\ntest = true\n[dependencies]\na = "1"\n';

  test.each([
    ["dependencies", base.replace('"1"', '{ version = "2" }')],
    ["the version", base.replace("[lib]", 'version = "2"\n[lib]')],
    ["features", `${base}[features]\nx = []\n`],
    ["binaries", `${base}[[bin]]\nname = "b"\n`],
  ])("may change in %s", (_, after) => {
    expect(compared("Cargo.toml", base, after)).toEqual({ change: null, laid: after });
  });

  test.each([
    ["a test", `${base}[[test]]\nname = "a"\nharness = false\n`, "test"],
    ["whether the library is tested", base.replace("test = true", "test = false"), "lib.test"],
    ["whether tests are found", base.replace("[lib]", "autotests = false\n[lib]"), "package.autotests"],
    ["the profile of tests", `${base}[profile.test]\nopt-level = 3\n`, "profile.test"],
    ["what is asserted", `${base}[profile.dev]\ndebug-assertions = false\n`, "profile.dev.debug-assertions"],
  ])("may not change in %s", (_, after, entry) => {
    const { change, laid } = compared("Cargo.toml", base, `${after}[new]\nx = 1\n`);
    expect(change?.entries).toEqual([entry]);
    expect(compared("Cargo.toml", base, laid).change).toBeNull();
    expect(laid).toContain("[new]");
  });

  test("an entry is put back where its table is", () => {
    const after = base.replace("test = true\n", "").replace("src/lib", "src/other");
    expect(compared("Cargo.toml", base, after).laid).toBe(
      '[package]\nname = "x"\n[lib]\ntest = true\npath = "src/other.rs"\n[dependencies]\na = "1"\n',
    );
    const without = '[package]\nname = "x"\n';
    expect(compared("Cargo.toml", base, without).laid).toBe('[package]\nname = "x"\n["lib"]\ntest = true\n');
  });
});

describe("setup.cfg and tox.ini", () => {
  const base = "[metadata]\nname = x\n[tool:pytest]\naddopts = -q\n[flake8]\nmax = 80\n";

  test.each([
    ["other sections", base.replace("= x", "= y")],
    ["comments", base.replace("addopts", "# c\naddopts")],
    ["a tool that nobody runs", base.replace("80", "90")],
  ])("may change in %s", (_, after) => {
    expect(compared("setup.cfg", base, after)).toEqual({ change: null, laid: after });
  });

  test.each([
    ["a value", base.replace("-q", "--co"), "tool:pytest"],
    ["a section more", `${base}[coverage:run]\nomit = *\n`, "coverage:run"],
    ["defaults", `[DEFAULT]\na = b\n${base}`, "DEFAULT"],
    ["pytest's own section", `${base}[pytest]\na = b\n`, "pytest"],
    ["the sections of other runners", `${base}[unittest]\na = b\n`, "unittest"],
    ["what setup.py tests", `${base}[test]\na = b\n`, "test"],
    ["aliases", `${base}[aliases]\ntest = x\n`, "aliases"],
    ["a section that is set off", base.replace("name = x", " [coverage:run]\n omit = *"), "coverage:run"],
    ["a section with something behind it", `${base}[aliases] # ]\ntest = x\n`, "aliases"],
    ["a line that only Python ends", `${base}# c\u2028[aliases]\u2028test = x\n`, "aliases"],
    ["a line that only old machines end", `${base}# c\r[aliases]\rtest = x\n`, "aliases"],
    ["the same section again", `${base}[tool:pytest]\naddopts = --co\n`, "tool:pytest"],
  ])("may not change in %s", (_, after, entry) => {
    const { change, laid } = compared("setup.cfg", base, after);
    expect(change?.entries).toEqual([entry]);
    expect(compared("setup.cfg", base, laid).change).toBeNull();
  });

  test("keeps the candidate's own in what is laid", () => {
    const after = base.replace("= x", "= y").replace("-q", "--co");
    expect(compared("setup.cfg", base, after).laid).toBe(
      "[metadata]\nname = y\n[flake8]\nmax = 80\n[tool:pytest]\naddopts = -q\n",
    );
  });

  test("a tool that is named, a file that is new, one that is deleted", () => {
    const after = base.replace("80", "90");
    expect(compared("tox.ini", base, after, tools("flake8")).change?.entries).toEqual(["flake8"]);
    expect(compared("tox.ini", null, base)).toMatchObject({
      change: { how: "added", entries: ["tool:pytest"] },
    });
    expect(compared("tox.ini", null, "[flake8]\nmax = 9\n").change).toBeNull();
    expect(compared("setup.cfg", base, null)).toMatchObject({ change: { how: "deleted" }, laid: base });
  });

  test("a package that is found counts where it has plug-ins loaded", () => {
    const path = "x.egg-info/entry_points.txt";
    expect(compared(path, null, "[console_scripts]\nx = x:y\n", NO_USES, "shadow").change).toBeNull();
    expect(compared(path, null, "[pytest11]\nx = x\n", NO_USES, "shadow").change?.how).toBe("added");
  });
});

describe("files that say how to build", () => {
  const make =
    "OBJS = a.o b.o\nTESTS = test_a.c\nall: $(OBJS)\na.o: a.c a.h\ntest: all\n\tcc -o t a.c test_a.c && ./t\n";
  const cmake =
    "add_library(x\n  a.c\n  b.c\n)\nadd_executable(t test_a.c a.c)\nadd_test(NAME t COMMAND t)\n";
  const pom =
    "<project><version>1</version><dependencies><dependency><groupId>a</groupId></dependency></dependencies><build/></project>";
  const gradle =
    'plugins { id "java" }\ndependencies {\n  implementation "a:b:1"\n}\ntest { useJUnitPlatform() }\n';

  test.each([
    ["a source more", "Makefile", make, make.replace("b.o", "b.o new.o")],
    ["sources on several lines", "Makefile", make, make.replace("a.o b.o", "a.o \\\n  b.o \\\n  c.o")],
    ["what an object is made of", "Makefile", make, make.replace("a.c a.h", "a.c a.h b.h\nb.o: b.c")],
    ["a source in a recipe", "Makefile", make, make.replace("-o t a.c", "-o t a.c b.c")],
    ["a source more for cmake", "CMakeLists.txt", cmake, cmake.replace("b.c", "b.c\n  sub/new.cpp")],
    ["a dependency for mix", "mix.exs", "x\n", 'x\n  {:a, "~> 1.0"},\n'],
    ["a remark", "Makefile", make, `${make}\n# tidy\n`],
    [
      "a dependency for maven",
      "pom.xml",
      pom,
      pom.replace("</dependencies>", "<dependency>\n<groupId>b</groupId></dependency></dependencies>"),
    ],
    [
      "a dependency for gradle",
      "build.gradle",
      gradle,
      gradle.replace('"a:b:1"', '"a:b:2"\n  testImplementation("c:d:1")'),
    ],
  ])("may have %s", (_, path, before, after) => {
    expect(after).not.toBe(before);
    expect(compared(path, before, after)).toEqual({ change: null, laid: after });
  });

  test.each([
    ["another alias", "mix.exs", '{:a, "1"},\ntest: ["x"]\n', '{:a, "1"},\ntest: []\n'],
    ["a test less", "Makefile", make, make.replace("test_a.c &&", "&&")],
    ["another test", "Makefile", make, make.replace("= test_a.c", "= test_b.c")],
    ["another recipe", "Makefile", make, make.replace("./t", "true")],
    ["another shell", "Makefile", make, `SHELL = /bin/true\n${make}`],
    ["a source that is run", "Makefile", make, make.replace("\tcc", "\tb.c cc")],
    ["sources where none were", "Makefile", make, make.replace("all: $(OBJS)", "all: $(OBJS) b.c")],
    ["a recipe for a source", "Makefile", make, make.replace("a.c a.h", "a.c a.h\nb.o: b.c\n\trm t")],
    ["a chore more", "Makefile", make, `${make}clean:\n\trm -f *.o\n`],
    ["a chore first of all", "Makefile", "t: a\n\trun\n", "clean:\n\ttrue\nt: a\n\trun\n"],
    [
      "a chore that tests need",
      "Makefile",
      "t: clean\n\trun\nclean:\n\trm t\n",
      "t: clean\n\trun\nclean:\n\tln -s x t\n",
    ],
    ["a chore that computes", "Makefile", make, `${make}clean: $(shell rm t)\n`],
    ["what is no chore", "Makefile", make, `${make}t:\n\tln -s x t\n`],
    ["what checks", "Makefile", "t: check.c a.c\n", "t: other.c a.c\n"],
    ["a test less for cmake", "CMakeLists.txt", cmake, cmake.replace("add_test(NAME t COMMAND t)\n", "")],
    ["another way to build", "pom.xml", pom, pom.replace("<build/>", "<build><skip/></build>")],
    [
      "a dependency that computes",
      "build.gradle",
      gradle,
      gradle.replace('"a:b:1"', '"a:b:${System.exit(0)}"'),
    ],
    ["a switch", "build.gradle", gradle, gradle.replace("useJUnitPlatform()", "enabled = false")],
  ])("may not have %s", (_, path, before, after) => {
    expect(after).not.toBe(before);
    const { change, laid } = compared(path, before, after);
    expect(change).not.toBeNull();
    expect(laid).toBe(before);
  });
});
