import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatcher } from "../../src/text/globs.ts";
import { DEFAULT_SHARED_PATHS, readProjectEnv } from "../../src/modes/orchestrate/rules/read-project-env.ts";
import { DEFAULT_TEST_PATHS } from "../../src/evidence/protected/test-paths.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

/** `kind@line about` */
function problemsOf(text: string): string[] {
  const read = readProjectEnv(text);
  if ("env" in read) return [];
  return read.problems.map(({ kind, line, about }) => `${kind}@${line ?? "-"} ${about}`.trim());
}

describe("project_env.json", () => {
  test("reads test files and environment", () => {
    const text =
      '{"language": "go", "test_paths": ["spec/**"], "shared_paths": [], "env": {"__proto__": "1", "CI": ""}}';
    const read = readProjectEnv(`\ufeff${text}`);
    expect(read).toMatchObject({ env: { testPaths: ["spec/**"], sharedPaths: [] } });
    expect("env" in read && Object.entries(read.env.env)).toEqual([
      ["__proto__", "1"],
      ["CI", ""],
    ]);
  });

  test("has defaults for missing keys", () => {
    expect(readProjectEnv("{}")).toEqual({
      env: { testPaths: DEFAULT_TEST_PATHS, sharedPaths: DEFAULT_SHARED_PATHS, env: {} },
    });
  });

  test.each([
    ["", ["empty@-"]],
    [" \n", ["empty@-"]],
    ["{\n  'a': 1\n}", ["not_json@2 2:3 key_expected"]],
    ['{"a": 1}\n\n}', ["not_json@3 3:1 more_after"]],
    ["\n[]", ["not_an_object@2 []"]],
    ['{"a": 1,\n"b": 2,\n"a": 3}', ["key_repeated@3 a"]],
    ['{"test_paths":\n"test"}', ["value_wrong@2 test_paths"]],
    ['{"shared_paths": null}', ["value_wrong@1 shared_paths"]],
    [
      '{"test_paths": [\n"ok",\n7,\n" "]}',
      ["value_wrong@3 test_paths[1]: 7", 'value_wrong@4 test_paths[2]: " "'],
    ],
    ['{"test_paths": ["../x"]}', ["value_wrong@1 test_paths[0]: .."]],
    ['{"test_paths": ["!x"]}', ["value_wrong@1 test_paths[0]: !"]],
    ['{"test_paths": ["a\\u0000"]}', ['value_wrong@1 test_paths[0]: "a\\u0000"']],
    ['{"env": []}', ["value_wrong@1 env"]],
    ['{"env": {"A B": "x"}}', ["value_wrong@1 env.A B"]],
    ['{"env": {"1A": "x",\n"B": 1}}', ["value_wrong@1 env.1A", "value_wrong@2 env.B"]],
    ['{"env": {"A": "a\\u0000b"}}', ["value_wrong@1 env.A"]],
    ['{"env": {"A": "1",\n"A": "2"}}', ["key_repeated@2 env.A"]],
  ])("reports %j", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test("reports excess", () => {
    expect(problemsOf(JSON.stringify({ test_paths: Array(201).fill("a") }))).toEqual([
      "value_wrong@1 test_paths",
    ]);
    expect(problemsOf(" ".repeat(64_001))).toEqual(["too_large@- 64001 > 64000"]);
  });

  test.each([
    "test/a.ts",
    "packages/a/test/fixtures/x.json",
    "src/test/java/A.java",
    "tests/test_a.py",
    "spec/a_spec.rb",
    "src/__tests__/a.tsx",
    "src/a.test.ts",
    "src/a.spec.mjs",
    "pkg/a_test.go",
    "pkg/testdata/x.golden",
    "app/test_a.py",
    "app/a_test.py",
    "app/conftest.py",
    "pytest.ini",
    "tox.ini",
    "vitest.config.ts",
    "jest.config.js",
    "playwright.config.ts",
    "karma.conf.js",
    ".mocharc.json",
    ".mocharc",
    "core/src/main/ATests.kt",
    "phpunit.xml.dist",
    // Node, Deno and Bun find these by name.
    "test.js",
    "src/test.mts",
    "src/test-a.cjs",
    "src/a-test.mjs",
    "src/a_test.ts",
    "src/a_spec.tsx",
    "test_a.js",
    "src/a.e2e.ts",
    "test/a.e2e-spec.ts",
    "src/a.test-d.ts",
    "src/__snapshots__/a.snap",
    "src/setupTests.ts",
    // Ruby, Crystal, Python, Rust, C and C++, Perl, shell
    "lib/a_test.rb",
    "lib/test_a.rb",
    "src/a_spec.cr",
    "shop/tests.py",
    "src/tests.rs",
    "src/a_test.c",
    "src/test_a.c",
    "src/ATest.cpp",
    "t/01-basic.t",
    "xt/pod.t",
    "lib/a.t",
    "bin/a.bats",
    // Cucumber, Robot
    "features/steps/a.rb",
    "app/a.feature",
    "app/a.robot",
    // Swift, .NET, PHP, Elixir, Erlang, Haskell, Dart, Gradle
    "Tests/ShopTests/A.swift",
    "ShopUITests/A.swift",
    "src/Shop.Tests/A.cs",
    "src/Shop.Test/A.cs",
    "src/ATests.cs",
    "src/ATest.php",
    "lib/a_test.exs",
    "src/a_SUITE.erl",
    "src/a_tests.erl",
    "src/ASpec.hs",
    "integration_test/app.dart",
    "app/src/androidTest/java/A.java",
    // Config that decides how they run
    ".npmrc",
    ".yarnrc.yml",
    ".taprc",
    ".nycrc.json",
    "bunfig.toml",
    "pytest.toml",
    "cucumber.js",
    "behat.yml.dist",
    ".proverc",
    "CTestConfig.cmake",
    "ci.runsettings",
    ".config/nextest.toml",
    "crates/a/.cargo/config.toml",
  ])("%s belongs to tests by default", (path) => {
    expect(globMatcher(DEFAULT_TEST_PATHS)(path)).toBe(true);
    expect(globMatcher(DEFAULT_SHARED_PATHS)(path)).toBe(false);
  });

  test.each([
    "package.json",
    "packages/a/package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "pyproject.toml",
    "requirements-dev.txt",
    "go.mod",
    "go.sum",
    "Cargo.toml",
    "Cargo.lock",
    "pom.xml",
    "build.gradle.kts",
    "Gemfile",
    "Gemfile.lock",
    ".gitignore",
  ])("%s is shared by default", (path) => {
    expect(globMatcher(DEFAULT_SHARED_PATHS)(path)).toBe(true);
    expect(globMatcher(DEFAULT_TEST_PATHS)(path)).toBe(false);
  });

  test.each([
    "src/index.ts",
    "app/main.py",
    "README.md",
    "src/testing.ts",
    "src/latest.go",
    "lib/contest.rb",
    "Makefile",
    "src/features/cart/index.ts",
    "src/attest.ts",
    "src/latest.js",
    "src/testimonials.tsx",
    "api/openapi-spec.yaml",
    "src/t/a.ts",
    "src/Inspect.hs",
    "src/Manifest.ts",
    "lib/edit.rb",
    "src/contests/a.ts",
    ".cargo/audit.toml",
  ])("%s is product by default", (path) => {
    expect(globMatcher([...DEFAULT_TEST_PATHS, ...DEFAULT_SHARED_PATHS])(path)).toBe(false);
  });

  test("any text is read or has problems", () => {
    const values = fc.oneof(fc.jsonValue(), fc.array(fc.string()), fc.dictionary(fc.string(), fc.string()));
    const objects = fc.record(
      { test_paths: values, shared_paths: values, env: values },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          objects.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const read = readProjectEnv(text);
          const isWhole =
            "problems" in read
              ? read.problems.length > 0
              : Object.values(read.env.env).every((value) => typeof value === "string");
          expect(isWhole).toBe(true);
        },
      ),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(problemsOf(text.slice(0, 64_000))).toHaveLength(1);
  });
});
