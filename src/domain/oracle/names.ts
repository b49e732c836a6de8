import { globMatcher } from "../board/globs.ts";
import { DEFAULT_TEST_PATHS } from "../board/read-project-env.ts";
import { PROJECT_FILE } from "../config-problem.ts";
import { nameOf } from "./paths.ts";

/** Made when it is first asked: most commands of the program never do. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  let matcher: ((path: string) => boolean) | null = null;
  return (path) => {
    matcher ??= globMatcher(patterns);
    return matcher(path);
  };
}

/** Tests, what they are made with, and the configuration that runners find by themselves. */
export const isTestPath = matcherOf(DEFAULT_TEST_PATHS);

const FIXTURES = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-?data|samples)\//;

/** What tests are made with, among it whole projects: their configuration configures nothing here. */
export function isFixture(path: string): boolean {
  return FIXTURES.test(path) && isTestPath(path);
}

/** The foreman's own configuration: it says which tests the next run starts, and what agents may change. */
export function isForemanConfig(path: string): boolean {
  return nameOf(path) === PROJECT_FILE && !isFixture(path);
}

/** Runners of tests, and what is loaded with them, that go by files of their name and by a key of package.json. */
export const JS_RUNNERS: readonly string[] = [
  "jest vitest mocha ava karma playwright cypress nyc c8 tap babel jasmine wdio protractor nightwatch testem qunit stryker",
  "testcafe detox istanbul web-test-runner",
]
  .join(" ")
  .split(" ");
const RUNNER = `{${JS_RUNNERS.join(",")}}`;

/** What configures a runner of tests, or the program that starts it, wherever it lies. */
export const isRunnerConfig = matcherOf([
  `${RUNNER}.config.*`,
  `${RUNNER}.*.config.*`,
  "vitest.{workspace,projects}.*",
  "jest.{preset,transform,environment,resolver}.*",
  "{karma,wdio,protractor,nightwatch}{.conf,}.{js,mjs,cjs,ts,json}",
  "karma.*.conf.*",
  `.${RUNNER}rc*`,
  ".istanbul*",
  "mocha.opts",
  "testem.{js,cjs,json,yml}",
  "{cypress,jasmine}.json",
  "{,.}pytest.{ini,toml}",
  "tox.{ini,toml}",
  "noxfile.py",
  ".coveragerc*",
  "phpunit.xml*",
  "{behat,codeception,cucumber,phpspec}.{js,mjs,cjs,json,yml,yaml}*",
  ".{rspec,rspec-local,busted,proverc,simplecov,luacov}",
  "*.runsettings",
  "{xunit.runner.json,junit-platform.properties,dart_test.yaml,bunfig.toml}",
  "**/META-INF/services/org.junit.*",
  "**/.config/nextest.toml",
  "CTest*.cmake",
  ".env.test*",
  ".npmrc",
  ".yarnrc*",
  "{,.}pnpmfile.*",
  ".pnp.*",
  "**/.yarn/{releases,plugins}/**",
  "**/.cargo/config{,.toml}",
  "rust-toolchain{,.toml}",
]);

/** Of each, make and its like take the first that they find. */
export const MAKEFILES: readonly string[] = ["GNUmakefile", "makefile", "Makefile"];
export const JUSTFILES: readonly string[] = ["justfile", "Justfile", ".justfile"];
export const TASKFILES: readonly string[] = ["", ".dist"].flatMap((dist) =>
  ["yml", "yaml"].flatMap((ending) => [`Taskfile${dist}.${ending}`, `taskfile${dist}.${ending}`]),
);

/** What says how things are built and tested; in a folder of tests it is a test like any other. */
export const isBuildConfig = matcherOf([
  `{${[...MAKEFILES, ...JUSTFILES, ...TASKFILES].join(",")}}`,
  "{BSDmakefile,Makefile.am,Makefile.in,Makefile.toml}",
  "*.mk",
  "{CMakeLists.txt,CMakePresets.json,CMakeUserPresets.json}",
  "*.cmake",
  "*.just",
  "{Rakefile,rakefile}{,.rb}",
  "*.{gradle,gradle.kts,bzl}",
  "gradle.properties",
  "**/gradle/wrapper/**",
  "**/buildSrc/**",
  "pom.xml",
  "**/.mvn/**",
  "build.xml",
  "{meson.build,meson_options.txt,meson.options}",
  "{BUILD,BUILD.bazel,WORKSPACE,WORKSPACE.bazel,WORKSPACE.bzlmod,MODULE.bazel,.bazelrc,.bazelversion}",
  "Directory.{Build,Packages,Solution}.{props,targets}",
  "{global.json,nuget.config,NuGet.config,NuGet.Config}",
  "go.work",
  "**/.bundle/config",
  "wscript",
  "{package,composer,deno}.json",
  "deno.jsonc",
  "{pyproject,Cargo}.toml",
  "setup.cfg",
]);

/** Of what tests are made with, what a project keeps in its own tree. */
export const isKeptTestLibrary = matcherOf([
  "**/vendor/**/{testify,gomega,ginkgo,goconvey,go-cmp,gocheck,check.v1,gotest.tools}/**",
  "**/vendor/{phpunit,pestphp,mockery,bin}/**",
  "**/{vendor,third_party,third-party,extern,external,deps}/{googletest,gtest,catch2,doctest,unity,cmocka,check}/**",
]);

/** What Python runs before all else, wherever it finds it. */
export function startsPython(path: string): boolean {
  return /(?:^|\/)(?:site|user)customize(?:\.py|\/__init__\.py)$|\.pth$/.test(path);
}
