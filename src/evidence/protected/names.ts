import { isBuildFile } from "./builders.ts";
import { matcherOf } from "./test-paths.ts";

/** Test runners and their plug-ins that are configured by files of their name and by a key of package.json. */
export const JS_RUNNERS: readonly string[] = [
  "jest vitest mocha ava karma playwright cypress nyc c8 tap babel jasmine wdio protractor nightwatch testem qunit stryker",
  "testcafe detox istanbul web-test-runner",
]
  .join(" ")
  .split(" ");
const RUNNER = `{${JS_RUNNERS.join(",")}}`;

/** Configuration of a test runner, or of the program that starts it, in any folder. */
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

/** Files of which only some entries decide. */
export const isWithEntries = matcherOf([
  "{package,composer}.json",
  "deno.{json,jsonc}",
  "{pyproject,Cargo}.toml",
  "setup.cfg",
]);

/** Build and test configuration; in a test folder it is a test file like any other. */
export function isBuildConfig(path: string): boolean {
  return isWithEntries(path) || isBuildFile(path);
}

/** Test libraries that a project keeps in its own tree. */
export const isKeptTestLibrary = matcherOf([
  "**/vendor/**/{testify,gomega,ginkgo,goconvey,go-cmp,gocheck,check.v1,gotest.tools}/**",
  "**/vendor/{phpunit,pestphp,mockery,bin}/**",
  "**/{vendor,third_party,third-party,extern,external,deps}/{googletest,gtest,catch2,doctest,unity,cmocka,check}/**",
]);

/** Files that Python runs first, wherever it finds them. */
export function startsPython(path: string): boolean {
  return /(?:^|\/)(?:site|user)customize(?:\.py|\/__init__\.py)$|\.pth$/.test(path);
}
