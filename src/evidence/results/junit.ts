import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, UNNAMED, WHOLE, type SourceResult } from "./source-result.ts";
import { readXml, type Attributes } from "./xml.ts";

interface Suite {
  readonly name: string;
  readonly file: string;
}

interface Case {
  readonly attributes: Attributes;
  status: TestStatus;
  /** pytest could not load the file. */
  isWhole: boolean;
  message: string;
}

/** Reads reports that a test command wrote, and skips other XML files. */
export function readJunit(texts: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let isSeen = false;
  let complete = true;
  for (const text of texts) {
    const read = new JunitReader();
    const whole = readXml(text, read);
    if (!read.isJunit) continue;
    isSeen = true;
    complete &&= whole;
    for (const result of read.results) results.push(result);
  }
  return isSeen ? { runners: ["junit"], results, complete } : null;
}

/** Values of an attribute with which some runners mark tests that did not run. */
const NOT_RUN = new Set(["notrun", "skipped", "disabled", "suppressed", "ignored"]);

class JunitReader {
  readonly results: TestResult[] = [];
  isJunit = false;
  #isFirst = true;
  readonly #suites: Suite[] = [];
  #case: Case | null = null;

  opened(name: string, attributes: Attributes): void {
    if (this.#isFirst) this.isJunit = name === "testsuites" || name === "testsuite";
    this.#isFirst = false;
    if (name === "testsuite") {
      const file = attributes.get("file") || (this.#suites.at(-1)?.file ?? "");
      this.#suites.push({ name: attributes.get("name") ?? "", file });
    } else if (name === "testcase") {
      const ran = !["status", "result"].some((key) => NOT_RUN.has(attributes.get(key)?.toLowerCase() ?? ""));
      this.#case = { attributes, status: ran ? "passed" : "skipped", isWhole: false, message: "" };
    } else if (this.#case !== null) tellInto(this.#case, name, attributes);
  }

  closed(name: string): void {
    if (name === "testsuite") this.#suites.pop();
    if (name !== "testcase" || this.#case === null) return;
    this.results.push(this.#result(this.#case));
    this.#case = null;
  }

  #result({ attributes, status, isWhole, message }: Case): TestResult {
    const own = attributes.get("name") ?? "";
    const why = status === "failed" && message !== "" ? { message } : {};
    if (isWhole) return { suite: cutName(own), name: WHOLE, status };
    const className = attributes.get("classname") ?? "";
    const suite = attributes.get("file") || this.#suites.at(-1)?.file || className;
    // Groups are part of a test's name; repetitions of its file or class are not.
    let name = "";
    for (const around of this.#suites.slice(0, MAX_NESTED)) {
      if (name.length > MAX_NAMES) break;
      if (around.name !== "" && around.name !== suite && around.name !== className)
        name += `${around.name} > `;
    }
    return { suite: cutName(suite), name: cutName(`${name}${own}`) || UNNAMED, status, ...why };
  }
}

/** More than a name may contain. */
const [MAX_NESTED, MAX_NAMES] = [200, 500];

function tellInto(test: Case, name: string, attributes: Attributes): void {
  if (name === "skipped") {
    // node:test marks a todo test as skipped, but still reports its failure.
    if (test.status !== "failed" || attributes.get("type") === "todo") test.status = "skipped";
  } else if ((name === "failure" || name === "error") && test.status === "passed") {
    test.status = "failed";
    test.message = attributes.get("message") ?? "";
    test.isWhole = test.message === "collection failure";
  }
}
