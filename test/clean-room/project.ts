import fs from "node:fs";
import { dirname, join } from "node:path";
import type { SuperviseReport } from "../../src/modes/supervise/report.ts";
import { Rig, type Ended, type StartOptions, type SuperviseOptions } from "../rig/rig.ts";

export type Files = Readonly<Record<string, string>>;

export const WRONG = "exports.add = (a, b) => a - b;\n";
export const RIGHT = "exports.add = (a, b) => a + b;\n";

export const TEST_ADDS = `const assert = require("node:assert");
const { test } = require("node:test");
const { add } = require("../src/add.js");

test("adds", () => assert.strictEqual(add(2, 3), 5));
test("adds nothing", () => assert.strictEqual(add(7, 0), 7));
`;

/** A separate test file with one test. */
export const testOf = (name: string, sum: string, is: string): string =>
  `const { add } = require("../src/add.js");
require("node:test").test("${name}", () => require("node:assert").strictEqual(${sum}, ${is}));
`;

/** Uses Node's own test runner. The product is wrong, so one of two tests fails. */
const PROJECT: Files = {
  "src/add.js": WRONG,
  "test/add.test.js": TEST_ADDS,
  ".gitignore": "node_modules/\ndist/\n",
};

/** Shell code that writes a file. */
export function put(path: string, text: string): string {
  return `mkdir -p '${dirname(path)}'; cat > '${path}' <<'END_OF_FILE'\n${text}END_OF_FILE`;
}

export const WORKS = put("src/add.js", RIGHT);
/** Makes the test expect the product's wrong result. */
export const WEAKENS = "sed -i 's/add(2, 3), 5/add(2, 3), -1/' test/add.test.js";
export const NODE_TESTS = "node --test";

/** A project whose checks run in the clean room, as by default. The agent's own file is outside of it. */
export class RoomRig extends Rig {
  constructor(files: Files = {}) {
    super();
    this.commit({ ...PROJECT, ...files });
  }

  commit(files: Files): void {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.git("add", "--all");
    this.git("-c", "user.name=rig", "-c", "user.email=rig@localhost", "commit", "--quiet", "-m", "Project");
  }

  /** An agent that runs one script per round, repeats the last one, and always reports DONE. */
  agent(...rounds: readonly string[]): string {
    const path = this.outside("agent.sh");
    const cases = rounds.map((lines, at) => `${at + 1 === rounds.length ? "*" : at + 1})\n${lines}\n;;\n`);
    fs.writeFileSync(path, `case $GA_LOOP_INDEX in\n${cases.join("")}esac\nclaim\n`);
    return `sh '${path}'`;
  }

  /** A path outside of the project that the program does not know. */
  outside(name: string): string {
    return join(this.root, name);
  }

  /** Supervises an agent with these rounds. Default tests: the project's. */
  async rounds(
    rounds: readonly string[],
    options: SuperviseOptions = {},
    start: StartOptions = {},
  ): Promise<Ended & { report: SuperviseReport; runId: string }> {
    return this.supervise(
      { agent: this.agent(...rounds), full: [NODE_TESTS], loops: rounds.length, ...options },
      start,
    );
  }

  /** The same, up to an open question; there is no report yet. */
  async untilAsked(
    rounds: readonly string[],
    options: SuperviseOptions = {},
  ): Promise<Ended & { runId: string; reasons: readonly (readonly string[])[] }> {
    const args = { agent: this.agent(...rounds), full: [NODE_TESTS], loops: 6, ...options };
    const ended = await this.run(this.superviseArgs(args));
    const runId = this.runIds()[0] ?? "";
    return { ...ended, runId, reasons: this.judgedReasons(runId) };
  }

  judgedReasons(runId: string): readonly (readonly string[])[] {
    return this.events(runId).flatMap((event) => (event.type === "attempt_judged" ? [event.reasons] : []));
  }

  /** The feedback to a rejected attempt. */
  feedback(report: SuperviseReport, attempt = 1): string {
    return fs.readFileSync(report.attempts[attempt - 1]?.feedback.path ?? "", "utf8");
  }
}

/** The reasons for the rejection of each attempt. */
export function reasonsOf({ attempts }: SuperviseReport): readonly (readonly string[])[] {
  return attempts.map(({ reasons }) => reasons);
}
