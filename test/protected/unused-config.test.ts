import { describe, expect, test } from "vitest";
import { compared, comparedIn, kindsIn, protectedFilesIn, tools } from "./base.ts";

describe("configuration of programs that no test command runs", () => {
  test.each([
    ["Makefile", "go test ./...", "make test"],
    ["rules.mk", "pytest", "make test"],
    ["Makefile", "npm test", "npm run made"],
    ["CMakeLists.txt", "make test", "cmake -B out && ctest --test-dir out"],
    ["cmake/Find.cmake", "make test", "cmake --build out"],
    ["meson.build", "make test", "meson test -C out"],
    ["noxfile.py", "pytest", "nox"],
    ["tox.toml", "pytest", "python -m tox"],
    ["justfile", "cargo test", "just test"],
    ["pom.xml", "make test", "./mvnw test"],
    ["build.gradle", "make test", "./gradlew test"],
  ])("%s decides nothing under %s, and something under %s", (path, without, using) => {
    const files = {
      [path]: "",
      Makefile: "test:\n\tsh test/a.sh\n",
      "package.json": { scripts: { test: "node --test", made: "make all" } },
      "test/a.sh": "./a\n",
    };
    expect(kindsIn(files, [without])[path]).toBeUndefined();
    expect(kindsIn(files, [using])[path]).toBe("config");
  });

  test.each([
    ["a makefile that the base does not have", "CMakeLists.txt", { "a.c": "" }, "cd out && make test"],
    ["a recipe", "CMakeLists.txt", { Makefile: "test:\n\t$(CMAKE) -B out\nCMAKE = cmake\n" }, "make test"],
    ["a test", "Makefile", { "test/a.py": 'subprocess.run(["make", "all"])\n' }, "pytest"],
    ["a test in shell", "Makefile", { "test/a.sh": "make -s all && ./a\n" }, "sh test/a.sh"],
    ["a container", "Makefile", { Dockerfile: "" }, "docker compose run tests"],
    ["a program that nobody knows", "Makefile", {}, "check-everything"],
  ])("it may be run by %s", (_, path, files, command) => {
    expect(kindsIn({ [path]: "", ...files }, [command])[path]).toBe("config");
  });

  test("as long as no command is known, all of it counts", () => {
    expect(kindsIn({ Makefile: "", "test/a.sh": "true\n" }, []).Makefile).toBe("config");
  });

  test("in a folder of tests it is a test", () => {
    expect(kindsIn({ "tests/Makefile": "" }, ["go test ./..."])).toEqual({ "tests/Makefile": "test" });
  });

  test("new ones, too", () => {
    const { kindOfNew } = protectedFilesIn({ Makefile: "", "a_test.go": "" }, ["go test ./..."]);
    expect(kindOfNew("GNUmakefile")).toBeNull();
  });
});

describe("entries that no test command uses", () => {
  const tox = "[tox]\nenvlist = a\n[testenv]\ncommands = pytest\n[pytest]\naddopts = -q\n";
  const changed = tox
    .replace("envlist = a", "envlist = b")
    .replace("commands = pytest", "commands = pytest -x");

  test("of tox.ini only [pytest] counts, unless tox runs the tests", () => {
    expect(compared("tox.ini", tox, changed)).toEqual({ change: null, laid: changed });
    expect(compared("tox.ini", tox, tox.replace("-q", "--co")).change?.entries).toEqual(["pytest"]);
    expect(compared("tox.ini", tox, changed, tools("tox")).change?.entries).toEqual(["testenv", "tox"]);
    expect(compared("setup.cfg", tox, changed, tools("tox")).change?.entries).toEqual(["testenv", "tox"]);
  });

  test("of pyproject.toml likewise", () => {
    const after = '[tool.tox]\nlegacy_tox_ini = "x"\n[tool.nox]\nx = 1\n';
    expect(compared("pyproject.toml", "", after).change).toBeNull();
    expect(compared("pyproject.toml", "", after, tools("tox", "nox")).change?.entries).toEqual([
      "tool.nox",
      "tool.tox",
    ]);
  });

  test.each([
    ["[[bench]]\nname = 'a'\n", "bench"],
    ["[profile.bench]\nopt-level = 3\n", "profile.bench"],
    ["[lib]\nbench = false\n", "lib.bench"],
  ])("benchmarks of Cargo.toml, unless they are run: %s", (more, entry) => {
    const base = "[package]\nname = 'a'\n";
    const files = { "Cargo.toml": `${base}${more}` };
    expect(comparedIn(files, ["cargo test"])("Cargo.toml", base).change).toBeNull();
    for (const command of ["cargo bench", "cargo test --all-targets"])
      expect(comparedIn(files, [command])("Cargo.toml", base).change?.entries).toEqual([entry]);
  });

  test.each([[".npmrc"], ["pytest.ini"], [".coveragerc"]])("remarks in %s", (path) => {
    const base = "# old\n[a]\nx=1\n";
    expect(compared(path, base, "; new\n\n[a]\nx=1\n").change).toBeNull();
    expect(compared(path, base, "# old\n[a]\n# x=1\n").change?.how).toBe("changed");
  });
});

describe("new modules that shadow nothing", () => {
  const test_x = { "tests/test_x.py": "from adder import add\n" };

  test.each([
    ["a package that moves below src", { "pluggy/__init__.py": "" }, "src/pluggy/__init__.py"],
    ["one of several files", { "coverage/__init__.py": "" }, "src/coverage/data.py"],
    ["a module of a runner's own", { "src/_pytest/__init__.py": "" }, "src/_pytest/new.py"],
    ["its first file", { "src/pluggy/_hooks.py": "", "src/pluggy/__init__.py": "" }, "src/pluggy/_new.py"],
    ["a library by the name of a part of Python", { "src/enum.py": "" }, "src/enum/__init__.py"],
    ["a test that becomes a package", {}, "tests/test_x/__init__.py"],
  ])("%s", (_, files, path) => {
    expect(protectedFilesIn({ ...test_x, ...files }, ["pytest"]).kindOfNew(path)).toBeNull();
  });

  test.each([
    ["a runner's name that the base does not have", {}, "src/pluggy/__init__.py"],
    ["a runner's package that only tests have", { "tests/pluggy/__init__.py": "" }, "pluggy/__init__.py"],
    ["a helper that becomes a package", { "tests/helper.py": "" }, "tests/helper/__init__.py"],
  ])("but %s", (_, files, path) => {
    expect(protectedFilesIn({ ...test_x, ...files }, ["pytest"]).kindOfNew(path)).toBe("shadow");
  });
});
