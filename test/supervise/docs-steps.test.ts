import { describe, expect, test } from "vitest";
import { exitCodeOfEnd, outcomeOf } from "../../src/core/end.ts";
import type { EndReason, Impasse } from "../../src/core/event.ts";
import { ExitCode } from "../../src/platform/outcome.ts";
import type { RunState } from "../../src/core/state.ts";
import { DOING, STEP_STATUSES, TODO } from "../../src/core/step.ts";
import { progressTexts } from "../../src/modes/steps/words/progress.ts";
import { stepTerms, type StepTerms } from "../../src/modes/steps/words/terminal.ts";
import {
  codes,
  endReasons,
  enumOf,
  expectNamed,
  flagsIn,
  flagsOf,
  help,
  read,
  rows,
  section,
} from "../rig/docs.ts";
import { Rig } from "../rig/rig.ts";
import { untimed } from "../rig/steps.ts";
import { StepsRig } from "../rig/steps.ts";

describe("docs of analyze and run", () => {
  test.each([
    ["run", "docs/run.md"],
    ["analyze", "docs/analyze.md"],
  ])("flags of %s", async (command, file) => {
    const documented = rows(section(file, "## Flags")).flatMap(([flag = ""]) => flagsIn(flag));
    expect(documented.toSorted()).toEqual((await flagsOf(command)).toSorted());
  });

  test("the README leads to them", async () => {
    expectNamed("README.md", [
      "docs/run.md",
      "docs/analyze.md",
      "demo run",
      "run-progress.md",
      ...STEP_STATUSES,
    ]);
    expect(await help("demo")).toContain("run");
  });

  test("the README's example of `demo run` matches its output", async () => {
    const { stdout } = await Rig.inWorkTree().run(["demo", "run", "--lang", "en"]);
    const same = (line: string): string =>
      line
        .replaceAll(/\S*\bnode --test/g, "node --test")
        .replaceAll(/\d{4}-[a-z0-9]{4}|\d+(?:\.\d)?s\b|contained: .*/g, "");
    const printed = new Set(untimed(stdout).split("\n").map(same));
    const [, shown = ""] = /prints \(shortened\):\n\n```\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
    // Indented lines hold paths, times and commits.
    const lines = shown.split("\n").filter((line) => /^[^ .]/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !printed.has(same(line)))).toEqual([]);
  });

  test("fields and statuses of a step", () => {
    const table = rows(section("docs/run.md", "## The steps directory"));
    const fields = table.map(([cell = ""]) => codes(cell)[0] ?? cell);
    expect(fields).toEqual(["id", "description", "status", "verification", "unit_test", "any other"]);
    const statuses = table.find(([cell = ""]) => cell.includes("status"))?.[1] ?? "";
    expect(codes(statuses)).toEqual(STEP_STATUSES);
  });

  test("the step that is shown can be run", async () => {
    const rig = StepsRig.inWorkTree();
    const [, example = ""] =
      /```json\n([\s\S]*?)```/.exec(section("docs/run.md", "## The steps directory")) ?? [];
    rig.write("steps/002-refund.json", example);
    const { stdout, code } = await rig.run(["run", "steps", "--dry-run", "--lang", "en"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("unit test: npm test -- refunds")]);
  });

  test("variables of an agent", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    rig.script({ worker: { run: "env >env.txt" } });
    await rig.run(["run", "steps"]);
    const given = rig
      .read("env.txt")
      .split("\n")
      .map((line) => line.split("=", 1)[0] ?? "")
      .filter((name) => name.startsWith("GA_") || name === "AGENT_FOREMAN_RUN");
    const documented = rows(section("docs/run.md", "## What agents get")).flatMap(([cell = ""]) =>
      codes(cell),
    );
    expect(given.toSorted()).toEqual(documented.toSorted());
  });

  test.each(["docs/run.md", "docs/analyze.md"])("exit codes: %s", (file) => {
    const heading = file === "docs/run.md" ? "## Exit codes" : "## Going on, and exit codes";
    const table = rows(section(file, heading));
    const known = Object.values(ExitCode).filter((code) => code !== ExitCode.bug);
    expect(table.flatMap(([code = ""]) => code.split(", ").map(Number))).toEqual(known);
    for (const [code = "", , reasons = ""] of table)
      for (const reason of codes(reasons)) expect(exitCodesOf(reason), reason).toContain(Number(code));
  });

  test("every reason of a run's end has a code", () => {
    const ofSupervise = new Set(["plan_file_missing", "plan_file_unreadable", "agent_cannot_start"]);
    const documented = ["docs/run.md", "docs/chat.md", "docs/analyze.md"].flatMap((file) =>
      rows(section(file, file === "docs/analyze.md" ? "## Going on, and exit codes" : "## Exit codes")),
    );
    const named = new Set(documented.flatMap(([, , reasons = ""]) => codes(reasons)));
    expect([...named].toSorted()).toEqual(
      endReasons()
        .filter((reason) => !ofSupervise.has(reason))
        .toSorted(),
    );
  });

  test("values of --on-stuck", async () => {
    const documented = rows(section("docs/run.md", "## Going in circles")).map(
      ([cell = ""]) => codes(cell)[0] ?? "",
    );
    expect(documented.toSorted()).toEqual((enumOf("run-report", "on_stuck") as string[]).toSorted());
  });

  test("results in run-progress.md", () => {
    const [, text = ""] = read("docs/run.md").split("\n| result | in Chinese |");
    const documented = rows(`| result |${text}`).map(([english, chinese]) => [english, chinese]);
    const { en, zh } = progressTexts;
    const results = ["passed", "failed", "not_run"] as const;
    expect(documented).toEqual(results.map((result) => [en.result[result], zh.result[result]]));
  });

  test("console lines, in both languages", () => {
    const documented = rows(section("docs/run.md", "## What it prints")).map((cells) =>
      cells.flatMap((cell) => codes(cell)),
    );
    const lines = (say: StepTerms): string[][] =>
      [
        say.status(TODO, DOING),
        `[1/3] 001-part1.json step-001  🟢 已完成  ${say.skipped}`,
        say.attempt("[1/3]", 1, 5),
        say.attempt("[1/3]", 2, 5),
        say.unitTestRecorded("npm test"),
        say.unitTestStarts("npm test"),
        say.unitTestPassed,
        say.unitTestFailed,
        say.reviewStarts("codex"),
        say.reviewPassed(2, "codex", true),
        say.reviewFailed("<error>"),
        say.turnFailed("<error>"),
        say.roundFailed("<error>"),
        say.passedAfter(2),
        say.regression,
        say.staysDone,
        say.reopened,
        say.workedAfter(1),
      ].map((said) => [said].flat().map((line) => line.trim()));
    const chinese = lines(stepTerms.zh);
    expect(documented).toEqual(
      lines(stepTerms.en).map((line, index) => [...line, ...(chinese[index] ?? [])]),
    );
  });
});

/** The possible exit codes of a run that ended or stopped for this reason. */
function exitCodesOf(reason: string): number[] {
  const stopped = { ended: null, stopped: reason as Impasse, updatedAt: "" } as unknown as RunState;
  const impasse = outcomeOf(stopped);
  if (impasse) return [impasse.exitCode];
  const end = reason as EndReason;
  // Nothing to do: 0 if all steps of the directory are done, 2 if only the chosen ones are.
  const passed = ["accepted", "marked_by_person", "nothing_to_do"].includes(end);
  const rejected = end === "accepted" ? [] : [exitCodeOfEnd("failed", end)];
  return [...(passed ? [exitCodeOfEnd("passed", end)] : []), ...rejected];
}
