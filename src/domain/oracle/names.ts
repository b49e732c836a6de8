import { globMatcher } from "../board/globs.ts";
import { DEFAULT_TEST_PATHS } from "../board/read-project-env.ts";

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

export const isCi = matcherOf([
  ".github/{workflows,actions}/**",
  ".gitlab-ci.{yml,yaml}",
  ".gitlab/ci/**",
  ".{circleci,ci,buildkite,woodpecker,semaphore,teamcity}/**",
  "azure-pipelines*.{yml,yaml}",
  ".azure-pipelines/**",
  "Jenkinsfile*",
  ".{travis,drone,appveyor,cirrus,woodpecker}.{yml,yaml}",
  "{appveyor,bitbucket-pipelines,codefresh,wercker,cloudbuild,buildspec}.{yml,yaml}",
]);

/** What configures a runner of tests, or the program that starts it, wherever it lies. */
export const isRunnerConfig = matcherOf([
  "{vitest,jest,playwright,cypress,ava,web-test-runner,nyc,c8,babel,tap,stryker,qunit}.config.*",
  "{vitest,jest,playwright,cypress}.*.config.*",
  "vitest.{workspace,projects}.*",
  "jest.{preset,transform,environment,resolver}.*",
  "{karma,wdio,protractor,nightwatch}{.conf,}.{js,mjs,cjs,ts,json}",
  "karma.*.conf.*",
  ".{mocharc,nycrc,c8rc,taprc,testcaferc,babelrc,detoxrc,istanbul}*",
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

/** What says how things are built and tested; in a folder of tests it is a test like any other. */
export const isBuildConfig = matcherOf([
  "{Makefile,makefile,GNUmakefile,BSDmakefile,Makefile.am,Makefile.in,Makefile.toml}",
  "*.mk",
  "{CMakeLists.txt,CMakePresets.json,CMakeUserPresets.json}",
  "*.cmake",
  "{,.}{justfile,Justfile}",
  "*.just",
  "{Taskfile,taskfile}{,.dist}.{yml,yaml}",
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
  "**/{third_party,third-party,extern,external,deps}/{googletest,gtest,catch2,doctest,unity,cmocka,check}/**",
]);

/** What Python runs before all else, wherever it finds it. */
export function startsPython(path: string): boolean {
  return /(?:^|\/)(?:site|user)customize(?:\.py|\/__init__\.py)$|\.pth$/.test(path);
}
