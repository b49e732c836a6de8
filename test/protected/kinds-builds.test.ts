import { describe, expect, test } from "vitest";
import { kindsIn, protectedFilesIn } from "./base.ts";

describe("files of a Python project", () => {
  test("tests, configuration; not the product", () => {
    const tree = {
      "pyproject.toml": "",
      "setup.cfg": "",
      "setup.py": "",
      "tox.ini": "",
      "pytest.ini": "",
      ".coveragerc": "",
      "noxfile.py": "",
      "conftest.py": "",
      "app/core.py": "",
      "app/json/__init__.py": "",
      "tests/test_core.py": "",
      "tests/data/one.txt": "",
      "requirements.txt": "",
      "mypy.ini": "",
      ".flake8": "",
      "sitecustomize.py": "",
    };
    expect(kindsIn(tree, ["python setup.py build_ext && pytest"])).toEqual({
      "pyproject.toml": "config",
      "setup.cfg": "config",
      "tox.ini": "config",
      "pytest.ini": "config",
      ".coveragerc": "config",
      "conftest.py": "test",
      "tests/test_core.py": "test",
      "tests/data/one.txt": "test",
      "sitecustomize.py": "config",
    });
  });

  test.each<[string, string, string | null]>([
    ["python tests/run.py", "tests/run.py", "script"],
    ["python3.12 -u check.py", "check.py", "script"],
    ["python -m check", "check.py", "script"],
    ["python -m scripts.check", "scripts/check.py", "script"],
    ["python -m app.core", "app/core.py", null],
    ["python main.py", "main.py", null],
    ["python -m py_compile solution.py", "solution.py", null],
    ["python -m doctest solution.py", "solution.py", null],
    ["uv run check.py", "check.py", "script"],
    ["uv run --with x python check.py", "check.py", "script"],
    ["poetry run python check.py", "check.py", "script"],
    ["coverage run check.py", "check.py", "script"],
    ["python -m coverage run check.py", "check.py", "script"],
    ["poetry run mypy app", "mypy.ini", "config"],
    ["python -m mypy app", "mypy.ini", "config"],
    ["pytest", "mypy.ini", null],
    ["flake8", ".flake8", "config"],
    ["ruff check .", "ruff.toml", "config"],
    ["pytest -c cfg/ci.ini", "cfg/ci.ini", "config"],
    ["tox -e lint", ".flake8", "config"],
    ["tox", "check.py", "script"],
    ["tox", "mypy.ini", null],
    ["python scripts/check.py", "scripts/helper.py", "script"],
  ])("%s: %s is %s", (command, path, kind) => {
    const tree = {
      "check.py": "",
      "scripts/check.py": "import os\nfrom helper import x",
      "scripts/helper.py": "",
      "tests/run.py": "",
      "app/core.py": "",
      "main.py": "",
      "solution.py": "",
      "mypy.ini": "",
      ".flake8": "",
      "ruff.toml": "",
      "cfg/ci.ini": "",
      "tox.ini":
        "[tox]\n[testenv]\ncommands = - python {toxinidir}/check.py\n[testenv:lint]\ncommands =\n    flake8 app\n[other]\ncommands = mypy app\n",
      "noxfile.py": 'session.run(\n    "ruff", "check")\nsession.run("python", "scripts/check.py")',
    };
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });
});

describe("files of other ecosystems", () => {
  test.each<[string, string | null]>([
    ["Makefile", "config"],
    ["GNUmakefile", "config"],
    ["rules.mk", "config"],
    ["CMakeLists.txt", "config"],
    ["cmake/Find.cmake", "config"],
    ["justfile", "config"],
    ["Taskfile.yml", "config"],
    ["Rakefile", "config"],
    ["build.gradle", "config"],
    ["app/build.gradle.kts", "config"],
    ["gradle/wrapper/gradle-wrapper.properties", "config"],
    ["pom.xml", "config"],
    [".mvn/jvm.config", "config"],
    ["phpunit.xml.dist", "config"],
    ["composer.json", "config"],
    [".cargo/config.toml", "config"],
    ["Cargo.toml", "config"],
    ["Cargo.lock", null],
    ["rust-toolchain.toml", "config"],
    ["build.rs", null],
    ["src/lib.rs", null],
    ["tests/it.rs", "test"],
    ["go.mod", null],
    ["go.work", "config"],
    ["calc.go", null],
    ["calc_test.go", "test"],
    ["testdata/in.txt", "test"],
    ["vendor/github.com/stretchr/testify/assert/a.go", "shadow"],
    ["vendor/github.com/other/lib.go", null],
    ["meson.build", "config"],
    ["BUILD.bazel", "config"],
    ["WORKSPACE", "config"],
    [".bazelrc", "config"],
    ["tests/CMakeLists.txt", "test"],
    ["tests/Makefile", "test"],
    ["docs/Makefile", null],
    ["examples/x/CMakeLists.txt", null],
    ["spec/calc_spec.rb", "test"],
    [".rspec", "config"],
    ["t/basic.t", "test"],
    ["src/test/java/CalcTest.java", "test"],
    ["Directory.Build.props", "config"],
    ["deno.json", "config"],
    ["bunfig.toml", "config"],
    [".gitlab/ci/build.yml", null],
    [".azure-pipelines/x.yml", null],
    ["vitest.workspace.ts", "config"],
    ["jest.preset.js", "config"],
    ["karma.ci.conf.js", "config"],
    ["test/mocha.opts", "config"],
    ["testem.js", "config"],
    ["detox.config.js", "config"],
    [".detoxrc.js", "config"],
    ["taskfile.dist.yaml", "config"],
    [".justfile", "config"],
    ["cypress.json", "config"],
    ["behat.yml", "config"],
    ["all.runsettings", "config"],
    ["CTestCustom.cmake", "config"],
    [".pnp.cjs", "config"],
    [".yarn/releases/yarn-4.cjs", "config"],
    [".yarn/cache/a.zip", null],
    ["more.just", "config"],
    ["gradle.properties", "config"],
    ["build.xml", "config"],
    ["global.json", "config"],
    [".bundle/config", "config"],
    ["wscript", "config"],
    ["deno.jsonc", "config"],
    ["vendor/phpunit/phpunit/a.php", "shadow"],
    ["third_party/googletest/gtest.h", "shadow"],
    ["Dockerfile", null],
    [".rubocop.yml", null],
    ["clippy.toml", null],
  ])("%s is %s", (path, kind) => {
    expect(protectedFilesIn({ [path]: "" }, []).kindOf(path)).toBe(kind);
  });

  test.each<[string, string]>([
    ["cargo clippy -- -D warnings", "clippy.toml"],
    ["cargo fmt --check", "rustfmt.toml"],
    ["cargo xtask ci", "xtask/src/main.rs"],
    ["cargo deny check", "deny.toml"],
    ["golangci-lint run", ".golangci.yml"],
    ["bundle exec rubocop", ".rubocop.yml"],
    ["go run ./tools/check", "tools/check/main.go"],
    ["go run tools/check/main.go", "tools/check/main.go"],
    ["make -C docs html", "docs/Makefile"],
    ["make -f other.make", "other.make"],
  ])("%s makes %s protected", (command, path) => {
    expect(protectedFilesIn({ [path]: "" }, [command]).kindOf(path)).not.toBeNull();
  });
});

describe("commands that makefiles run", () => {
  const tree = {
    Makefile: [
      "include parts/more.mk",
      "-include local.mk",
      "RUN = ./scripts/run.sh",
      ".PHONY: test lint",
      "all: build",
      "build:",
      "\t./scripts/build.sh",
      "test: unit",
      "\t@$(RUN) --all \\",
      "\t  --slowly",
      "unit: ; sh scripts/unit.sh",
      "\t-cd sub && ./check.sh",
      "\t$(MAKE) -C sub deep",
      "lint:",
      "\tflake8",
      "deploy:",
      "\t./scripts/deploy.sh",
      "dollars:",
      '\tfor one in a; do sh "$${one}"; done; sh $$HERE/scripts/run.sh',
      "\tsh $(NOBODY)/scripts/more.sh",
      "solver: solver.c",
      "\tcc -o solver solver.c",
    ].join("\n"),
    "parts/more.mk": "more:\n\tsh scripts/more.sh\n",
    "sub/Makefile": "deep:\n\tpython3 check.py\n",
    "sub/check.py": "",
    "sub/check.sh": "",
    "solver.c": "",
    "scripts/run.sh": "",
    "scripts/build.sh": "",
    "scripts/unit.sh": "",
    "scripts/more.sh": "",
    "scripts/deploy.sh": "",
    ".flake8": "",
  };
  const scriptsOf = (command: string): string[] =>
    Object.entries(kindsIn(tree, [command]))
      .filter(([, kind]) => kind === "script")
      .map(([path]) => path);

  test.each([
    ["make test", ["sub/check.py", "sub/check.sh", "scripts/run.sh", "scripts/unit.sh"]],
    ["make -j 4 test V=1", ["sub/check.py", "sub/check.sh", "scripts/run.sh", "scripts/unit.sh"]],
    ["make", ["scripts/build.sh"]],
    ["make more", ["scripts/more.sh"]],
    ["make lint", []],
    ["make -C sub deep", ["sub/check.py"]],
    ["make --directory=sub", ["sub/check.py"]],
    ["make solver", []],
    ["make dollars", ["scripts/run.sh", "scripts/more.sh"]],
  ])("%s runs %j", (command, paths) => {
    expect(scriptsOf(command)).toEqual(paths);
  });

  test("a goal without a rule may be any", () => {
    expect(scriptsOf("make strange")).toContain("scripts/deploy.sh");
  });

  test("tools in recipes count", () => {
    expect(kindsIn(tree, ["make lint"])[".flake8"]).toBe("config");
    expect(kindsIn(tree, ["make test"])[".flake8"]).toBeUndefined();
  });

  test("optional includes", () => {
    const { kindOfNew } = protectedFilesIn(tree, ["make test"]);
    expect(kindOfNew("local.mk")).toBe("shadow");
    expect(kindOfNew("new/local.mk")).toBeNull();
    const wild = protectedFilesIn({ Makefile: "include $(wildcard conf/*.mk)\na:\n" }, ["make"]);
    expect(wild.kindOfNew("conf/mine.mk")).toBe("shadow");
    expect(wild.kindOfNew("other/mine.mk")).toBeNull();
  });

  test.each([
    [
      "just check",
      { justfile: "check: dep\n    ./x.sh\ndep:\n    ./y.sh\n", "x.sh": "", "y.sh": "", "z.sh": "" },
    ],
    [
      "task check",
      {
        "Taskfile.yml": "tasks:\n  check:\n    cmds:\n      - ./x.sh\n      - cmd: ./y.sh\n",
        "x.sh": "",
        "y.sh": "",
      },
    ],
    [
      "task check",
      {
        "taskfile.dist.yaml": "tasks:\n  check:\n    - ${DIR}/x.sh\n    - true && { sh {{ .DIR }}/y.sh; }\n",
        "x.sh": "",
        "y.sh": "",
      },
    ],
    [
      "composer check",
      { "composer.json": { scripts: { check: ["@two", "./x.sh"], two: "./y.sh" } }, "x.sh": "", "y.sh": "" },
    ],
    [
      "deno task check",
      {
        "deno.json": '{"tasks": {"check": "./x.sh && ./y.sh",}, // c\n}',
        "x.sh": "",
        "y.sh": "",
        "z.sh": "",
      },
    ],
  ])("%s", (command, files) => {
    const kinds = kindsIn(files, [command]);
    expect([kinds["x.sh"], kinds["y.sh"], kinds["z.sh"]]).toEqual(["script", "script", undefined]);
  });

  test("values that name each other do not grow without bounds", () => {
    const names = Array.from({ length: 50 }, (_, at) => `V${at} = $(V${at + 1})$(V${at + 1}) x`);
    expect(kindsIn({ Makefile: [...names, "all:", "\t$(V0)"].join("\n") }, ["make"])).toEqual({
      Makefile: "config",
    });
  });
});
