import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { demoTexts } from "../../src/cli/words/demo.ts";
import type { BoardReport } from "../../src/modes/orchestrate/board-report.ts";
import { Rig } from "../rig/rig.ts";
import { TerminalSession } from "../rig/terminal.ts";

const STORY = [
  "1 TEST accepted",
  "2 DEV rejected acceptance_failed",
  "3 DEV accepted",
  "4 TEST accepted",
  "5 DEV rejected role_failed acceptance_failed",
  "6 REVIEW accepted investigate",
  "7 TEST accepted",
  "8 DEV accepted",
  "9 REVIEW accepted milestone",
  "10 TEST accepted",
  "11 USER",
  "12 DEV accepted",
  "13 REVIEW accepted milestone",
  "14 FINISH",
  "15 FINISH accepted",
];

/** The project that a demo created in the rig's temporary directory. */
function projectOf(rig: Rig): string {
  const name = fs.readdirSync(rig.root).find((one) => one.startsWith("agent-foreman-demo-"));
  return join(rig.root, name ?? "", "project");
}

function reportIn(project: string): BoardReport {
  const name = fs.readdirSync(project).find((one) => one.startsWith("goldagent-orchestrate-report-"));
  return JSON.parse(fs.readFileSync(join(project, name ?? ""), "utf8")) as BoardReport;
}

function storyOf({ iterations }: BoardReport): string[] {
  return iterations.map(({ iteration, next_agent, decision, reasons, order }) =>
    [iteration, next_agent, decision, ...reasons, order?.review_mode]
      .filter((word) => word !== null && word !== undefined)
      .join(" "),
  );
}

describe("demo orchestrate", () => {
  test.each(["en", "zh"] as const)("shows the whole story in %s and ends well", async (lang) => {
    const rig = new Rig();
    const before = fs.readdirSync(rig.project);
    const { code, stdout, stderr } = await rig.run(["demo", "orchestrate", "--lang", lang], {
      env: { TMPDIR: rig.root },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    const project = projectOf(rig);
    const report = reportIn(project);
    expect(storyOf(report)).toEqual(STORY);
    expect(report.totals).toMatchObject({ tasks: 3, verified: 3 });
    // MAIN tried to finish with an unreviewed task, then together with its last plan change.
    expect(report.iterations[12]?.main.map(({ broken }) => broken.map(({ rule }) => rule))).toEqual([
      ["finish_done_left"],
      [],
    ]);
    expect(report.iterations[13]).toMatchObject({ finish_refused: true });
    expect(report.iterations.flatMap(({ main }) => main.flatMap(({ broken }) => broken))).toHaveLength(2);
    expect(report.decisions).toMatchObject([
      { iteration: 11, option: "short", via: "decide", comment: demoTexts[lang].note },
    ]);

    const runId = rig.runIds()[0] ?? "";
    expect(stdout).toContain(demoTexts[lang].answers("short", `agent-foreman decide ${runId} short`));
    expect(stdout.endsWith(`${demoTexts[lang].outro(fs.realpathSync(project))}\n`)).toBe(true);
    const duration = fs.readFileSync(join(project, "duration.mjs"), "utf8");
    expect(duration).toContain("RangeError");
    expect(fs.readdirSync(rig.project)).toEqual(before);
    expect(rig.survivors()).toEqual([]);
  });

  test("asks no question, not even at a terminal", async () => {
    const rig = new Rig();
    const session = new TerminalSession(rig, ["demo", "orchestrate", "--lang", "en"], { TMPDIR: rig.root });
    expect(await session.ended).toBe(0);
    expect(session.text()).toContain("The demo cannot ask you.");
    const events = rig.events(rig.runIds()[0] ?? "");
    const asked = (event: RunEvent): boolean => event.type === "run_started" || event.type === "run_resumed";
    expect(events.filter(asked).map((event) => "interactive" in event && event.interactive)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("prints only events in JSON mode", async () => {
    const rig = new Rig();
    const { code, stdout } = await rig.run(["demo", "orchestrate", "--json"], { env: { TMPDIR: rig.root } });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
    expect(stdout).not.toContain(demoTexts.en.outro(""));
  });
});
