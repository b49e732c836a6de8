import { globMatcher } from "../../text/globs.ts";
import { PROJECT_FILE } from "../../platform/config-problem.ts";
import { nameOf } from "../../text/paths.ts";

/** Tests, fixtures and configuration that common runners find by themselves. */
export const DEFAULT_TEST_PATHS: readonly string[] = [
  "**/{test,tests,spec,specs,e2e,cypress,testdata,integration_test,__tests__,__mocks__,__snapshots__,__fixtures__,tap-snapshots}/**",
  "**/{*Tests,*.Test,Test,Spec,Specs}/**",
  "**/src/{*Test,testFixtures}/**",
  "{t,xt,features}/**",
  "*.{test,spec,cy,e2e}.*",
  "*.test-d.ts",
  "*{-,_}{test,tests}.*",
  "test{-,_}*.*",
  "{test,tests}.{js,mjs,cjs,jsx,ts,mts,cts,tsx,py,rb,rs,sh,c,cc,cpp,lua,pl,php}",
  "*_spec.{rb,lua,cr,js,mjs,cjs,jsx,ts,mts,cts,tsx}",
  "*-spec.{js,mjs,cjs,jsx,ts,mts,cts,tsx}",
  "*{Test,Tests,IT,Spec}.{java,kt,groovy,scala,cs,swift,php}",
  "*{Test,Tests}.{fs,vb,m,mm,c,cc,cpp,cxx,js,ts}",
  "*Spec.{hs,js,ts,fs}",
  "*_SUITE.erl",
  "*.{t,bats,feature,robot,snap}",
  "conftest.py",
  "{,.}pytest.{ini,toml}",
  "tox.ini",
  "noxfile.py",
  ".coveragerc",
  "{vitest,jest,playwright,cypress,ava,web-test-runner}.{config,setup,workspace}.*",
  "{karma,wdio,protractor,nightwatch}.conf.*",
  "setupTests.*",
  "{behat,codeception,cucumber,phpspec}.{js,mjs,cjs,json,yml,yaml}*",
  ".{mocharc,nycrc,c8rc,taprc,testcaferc}*",
  ".{rspec,busted,proverc}",
  "phpunit.xml*",
  "CTest*.cmake",
  "*.runsettings",
  "xunit.runner.json",
  "**/.config/nextest.toml",
  "**/.cargo/config{,.toml}",
  "bunfig.toml",
  ".npmrc",
  ".yarnrc*",
];

/** Compiled on first use, because most commands of the program never need it. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  let matcher: ((path: string) => boolean) | null = null;
  return (path) => {
    matcher ??= globMatcher(patterns);
    return matcher(path);
  };
}

/** Tests, fixtures and configuration that runners find by themselves. */
export const isTestPath = matcherOf(DEFAULT_TEST_PATHS);

const FIXTURES = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-?data|samples)\//;

/** Test fixtures, including whole projects, whose configuration has no effect here. */
export function isFixture(path: string): boolean {
  return FIXTURES.test(path) && isTestPath(path);
}

/** The foreman's own configuration: it names the tests of the next run, and the files that agents may change. */
export function isForemanConfig(path: string): boolean {
  return nameOf(path) === PROJECT_FILE && !isFixture(path);
}
