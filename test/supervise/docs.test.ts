import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, Rig } from "../rig/rig.ts";

const REPO = join(CLI, "..", "..");
const read = (name: string): string => fs.readFileSync(join(REPO, name), "utf8");
const words = (text: string): string[] => text.trim().split(/\s+/);

const FLAGS = words(`--task --plan-file --agent-cmd --test-fast --test-full --max-loops --cwd --report --force
  --agent-timeout-sec --test-timeout-sec`);
const ENVIRONMENT = words(
  `GA_TASK GA_PLAN_FILE GA_LOOP_INDEX GA_MAX_LOOPS GA_WORKDIR GA_PREV_FEEDBACK_FILE GA_RUN_DIR GA_ATTEMPT_DIR`,
);
const MARKERS = words("GA_STATUS=DONE GA_STATUS=NEEDS_WORK GA_STATUS=BLOCKED GA_EVIDENCE=");
const RUN_FIELDS =
  words(`run_id task plan_file agent_cmd cwd max_loops final_status exit_code started_at finished_at attempts
  manual_decision report_path`);
const ATTEMPT_FIELDS =
  words(`index agent_exit_code agent_status_marker agent_evidence fast_tests_passed full_test_executed
  full_test_passed decision reasons duration_ms stdout_path stderr_path`);
const VALUES = words(
  "passed failed manually_passed manually_failed continue_n mark_pass mark_fail missing_or_invalid_status_marker timeout",
);

function expectNamed(file: string, names: readonly string[]): void {
  const text = read(file);
  expect(
    names.filter((name) => !text.includes(name)),
    `not in ${file}`,
  ).toEqual([]);
}

describe("S45 docs", () => {
  test("S45 the README shows how to use it and leads to the rest", () => {
    expectNamed("README.md", [...FLAGS, "GA_STATUS", "GA_EVIDENCE", "npm ci", "npm run demo", "npm test"]);
    expectNamed("README.md", ["docs/protocol.md", "docs/report.md", "docs/ci.md", "docs/exit-codes.md"]);
  });

  test("S45 the protocol names every marker and every variable", () => {
    expectNamed("docs/protocol.md", [
      ...MARKERS,
      ...ENVIRONMENT,
      "--nonce",
      "missing_or_invalid_status_marker",
    ]);
  });

  test("S45 the report format names every field and value", () => {
    expectNamed("docs/report.md", [...RUN_FIELDS, ...ATTEMPT_FIELDS, ...VALUES]);
  });

  test("S45 behaviour in CI: no terminal, exit codes, where the report is", () => {
    expectNamed("docs/ci.md", ["supervise", "goldagent-supervise-report-", "exit-codes.md"]);
  });

  test("S45 every exit code is documented", () => {
    const text = read("docs/exit-codes.md");
    for (const code of [0, 1, 2, 3, 6, 70, 129, 130, 143]) expect(text).toMatch(new RegExp(`\\b${code}\\b`));
  });

  test("S45 the help of supervise names every flag", async () => {
    const { stdout } = await new Rig().run(["supervise", "--help"]);
    for (const flag of [...FLAGS, "--lang", "--json", "--quiet", "--verbose", "--nonce", "--max-output-mb"])
      expect(stdout).toContain(flag);
  });
});
