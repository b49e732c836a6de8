import { isTestPath } from "./test-paths.ts";
import { folderOf, nameOf, stemOf } from "../../text/paths.ts";

/** Words that never name a product. */
const FOR_TESTS = wordSet(
  "test tests testing tester assert asserts assertion assertions expect expects expectation expectations",
  "harness mock mocks stub stubs fixture fixtures golden",
);
/** Words that also name products. */
const JUDGES = wordSet(
  "check checks checker checking verify verifies verifier verification spec specs judge grade grader compare qa acceptance",
);
const RUNNERS = wordSet("run runs runner all ci suite suites check verify harness");
const SCRIPT_FOLDERS = wordSet("scripts script tools tool ci .ci .github hack build dev xtask");

function wordSet(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split(" ")));
}

/** Test frameworks, in one word or more. */
const MADE_FOR_TESTS =
  /^(?:test(?:ing|lib|kit|util(?:itie)?s?|helpers?|support)|assert(?:ion)?s?|matchers?|mocks?|fixtures)$/;

function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z\d])([A-Z])/g, "$1 $2");
  return apart.toLowerCase().split(/[^a-z\d]+/);
}

function isCalled(name: string, ...sets: readonly ReadonlySet<string>[]): boolean {
  return wordsOf(name).some((word) => sets.some((set) => set.has(word)));
}

/** Whether its name looks like a test runner. */
export function hasRunnerName(path: string): boolean {
  return RUNNERS.has(wordsOf(stemOf(nameOf(path)))[0] ?? "");
}

/** Whether its name looks like a checker, or like a program that runs checks. */
export function hasCheckerName(path: string): boolean {
  return isCalled(stemOf(nameOf(path)), FOR_TESTS, JUDGES, RUNNERS);
}

export function isScriptFolder(name: string): boolean {
  return SCRIPT_FOLDERS.has(name);
}

export function isAmongScripts(path: string): boolean {
  return folderOf(path).split("/").some(isScriptFolder);
}

/** Whether the file's or folder's name says that it is for tests. */
export function hasTestName(path: string): boolean {
  return [stemOf(nameOf(path)), nameOf(folderOf(path))].some((name) => {
    const words = wordsOf(name);
    return words.some((word) => MADE_FOR_TESTS.test(word)) || MADE_FOR_TESTS.test(words.join(""));
  });
}

/** Whether the name of the file or of its folder looks like test support. */
export function looksLikeTestSupport(path: string): boolean {
  return isCalled(stemOf(nameOf(path)), FOR_TESTS) || isCalled(nameOf(folderOf(path)), FOR_TESTS);
}

/**
 * Finds helpers among the files outside test folders that tests load or run. Their names must look like test support, or they are run and are
 * among scripts or have checker names. Excludes files that have tests named after them, and files that the product loads.
 */
export function helpersAmong(
  files: Iterable<string>,
  isLoadedByProduct: (path: string) => boolean,
): (path: string, isRun: boolean) => boolean {
  const isTested = testedAmong(files);
  return (path, isRun) => {
    const [stem, folder] = [stemOf(nameOf(path)), folderOf(path)];
    if (isTested(path)) return false;
    if (isCalled(stem, FOR_TESTS) || isCalled(nameOf(folder), FOR_TESTS, JUDGES))
      return !isLoadedByProduct(path);
    return isRun && (isCalled(stem, JUDGES) || isAmongScripts(path));
  };
}

/** Whether tests are named after the file or one of its folders. */
export function testedAmong(files: Iterable<string>): (path: string) => boolean {
  const tested = new Set<string>();
  for (const path of files) if (isTestPath(path)) tested.add(testedBy(path));
  tested.delete("");
  return (path) => tested.has(stemOf(nameOf(path))) || tested.has(nameOf(folderOf(path)));
}

/** `add` for `test_add.py`, `add.test.ts`, `AddTest.java` and `test/add.sh`. */
function testedBy(path: string): string {
  return nameOf(path)
    .replace(/\..*$/, "")
    .replace(/^(?:test|spec)[-_]|[-_](?:tests?|specs?)$|^Test(?=[A-Z])|(?:Tests?|Spec)$/g, "");
}
