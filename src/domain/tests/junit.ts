import type { TestResult, TestStatus } from "./result.ts";
import { cutName, UNNAMED, WHOLE, type Told } from "./told.ts";
import { readXml, type Attributes } from "./xml.ts";

interface Suite {
  readonly name: string;
  readonly file: string;
}

interface Case {
  readonly attributes: Attributes;
  status: TestStatus;
  /** pytest could not even load the file. */
  isWhole: boolean;
  message: string;
}

/** Reports that a test command wrote. Other XML files are passed over. */
export function readJunit(texts: readonly string[]): Told | null {
  const results: TestResult[] = [];
  let told = false;
  let complete = true;
  for (const text of texts) {
    const read = new JunitReader();
    const whole = readXml(text, read);
    if (!read.isJunit) continue;
    told = true;
    complete &&= whole;
    for (const result of read.results) results.push(result);
  }
  return told ? { runners: ["junit"], results, complete } : null;
}

/** How some runners say in an attribute that a test did not run. */
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
    // What groups tests is part of their names; what only says again in which file or class they are is not.
    let name = "";
    for (const around of this.#suites.slice(0, MAX_NESTED)) {
      if (name.length > MAX_NAMES) break;
      if (around.name !== "" && around.name !== suite && around.name !== className)
        name += `${around.name} > `;
    }
    return { suite: cutName(suite), name: cutName(`${name}${own}`) || UNNAMED, status, ...why };
  }
}

/** More than a name is allowed to hold. */
const [MAX_NESTED, MAX_NAMES] = [200, 500];

function tellInto(test: Case, name: string, attributes: Attributes): void {
  if (name === "skipped") {
    // node:test marks what is still to be done as skipped, and tells how it failed all the same.
    if (test.status !== "failed" || attributes.get("type") === "todo") test.status = "skipped";
  } else if ((name === "failure" || name === "error") && test.status === "passed") {
    test.status = "failed";
    test.message = attributes.get("message") ?? "";
    test.isWhole = test.message === "collection failure";
  }
}
