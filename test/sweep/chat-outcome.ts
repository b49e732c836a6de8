import { begin } from "../../src/modes/registry.ts";
import assert from "node:assert/strict";
import fs from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { Rig, type Ended } from "../rig/rig.ts";
import { expectSoundTurns, onlyRun, withoutChance } from "./outcome.ts";
import { runOrHang } from "./points.ts";

const SESSION = "00000000-0000-4000-8000-000000000001";
const MAX_REVIEWS = 2;
export const ARGS: readonly string[] = [
  ...["chat", "--print", "write hello world", "--lang", "en"],
  ...["--check", "test -s hello.txt", "--max-reviews", String(MAX_REVIEWS)],
];

function streamOf(text: string): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const lines = [
    { type: "system", subtype: "init", session_id: SESSION, model: "scripted", tools: [] },
    {
      ...{ type: "result", subtype: "success", is_error: false, session_id: SESSION, result: text },
      ...{ stop_reason: "end_turn", total_cost_usd: 0, usage, permission_denials: [] },
    },
  ];
  // In one write: the number of pieces would change the number of the foreman's writes.
  return `printf '%s\\n' ${lines.map((line) => `'${JSON.stringify(line)}'`).join(" ")}`;
}

/** The review rejects the first work, and the second follows in the same session. It is a shell script, because a sweep starts hundreds of agents. */
const CLAUDE = `#!/bin/sh
case "$*" in
--version) echo "2.1.325 (Claude Code)"; exit ;;
*--help*) echo "--system-prompt-snapshot"; exit ;;
esac
cat >../prompt.md
case "$GA_ROLE $GA_LOOP_INDEX $*" in
"worker 1 "*) echo hello >hello.txt; ${streamOf("done")} ;;
"worker 2 "*"--resume ${SESSION}"*) grep -q 'no world' ../prompt.md && echo hello world >hello.txt; ${streamOf("mended")} ;;
"reviewer "*"--fork-session"*) grep -q world hello.txt && { ${streamOf("[TASK_COMPLETED]")}; } || { ${streamOf("there is no world in it")}; } ;;
*) echo "nobody asked for this: $*" >&2; exit 1 ;;
esac
`;

/** The outcome of a run: all project files, and the files left in its state directory. */
interface Outcome {
  readonly code: number | null;
  readonly files: Readonly<Record<string, unknown>>;
  readonly leftInState: readonly string[];
}

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
}

/** A project with this `claude` and a SUPERVISOR.md. */
export class PrintRig extends Rig {
  constructor() {
    super();
    const bin = join(this.root, "bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(join(bin, "claude"), CLAUDE, { mode: 0o755 });
    this.write("SUPERVISOR.md", "Believe nothing.\n");
    this.alwaysWith({ env: { PATH: `${bin}${delimiter}${this.env()["PATH"] ?? ""}` } });
  }
}

/** Runs it once without disturbance and checks its expected course. */
export async function undisturbed(newRig = (): PrintRig => new PrintRig()): Promise<Undisturbed> {
  const rig = newRig();
  const ended = await runOrHang(rig, ARGS);
  const events = rig.events(onlyRun(rig));
  expect(ended.code, ended.stderr).toBe(0);
  const reasons = events.flatMap((event) => (event.type === "attempt_judged" ? [event.reasons] : []));
  expect(reasons).toEqual([["review_rejected"], []]);
  expectSound(rig);
  const result = { outcome: outcomeOf(rig, ended), events };
  rig.dispose();
  return result;
}

export function expectSameOutcome(rig: Rig, ended: Ended, expected: Undisturbed): void {
  // Not `expect`: a message about hundreds of points must contain the difference.
  assert.deepEqual(outcomeOf(rig, ended), expected.outcome);
  expectSound(rig);
  expect(rig.survivors()).toEqual([]);
}

function outcomeOf(rig: Rig, ended: Ended): Outcome {
  const runId = onlyRun(rig);
  const plain = (value: unknown): unknown => withoutChance(value, rig.root, runId);
  const files = fs
    .readdirSync(rig.project)
    .filter((name) => name !== ".git")
    .sort()
    .map((name) => {
      const text = rig.read(name);
      return [plain(name), plain(name.startsWith("goldagent-") ? JSON.parse(text) : text)] as const;
    });
  return {
    code: ended.code,
    files: Object.fromEntries(files) as Record<string, unknown>,
    leftInState: fs
      .readdirSync(join(rig.journalPath(runId), ".."))
      .filter((name) => !name.includes(".torn-"))
      .sort(),
  };
}

/** The journal verifies: one end, one acceptance, no gap, nothing done twice, no extra review. */
function expectSound(rig: Rig): void {
  const runId = onlyRun(rig);
  const events = readJournal(rig.journalPath(runId), runId, begin).records.map(({ event }) => event);
  // A resumed run repeats checks that no verdict has used.
  expectSoundTurns(events.filter(({ type }) => type !== "check_ended"));
  const of = (type: RunEvent["type"]): readonly unknown[] =>
    events.flatMap((event) => (event.type === type && "attempt" in event ? [event.attempt] : []));
  for (const once of ["turn_ended", "review_ended", "attempt_judged"] as const)
    expect(of(once), once).toEqual([1, 2]);
  const resumes = events.filter(({ type }) => type === "run_resumed").length;
  expect(of("check_ended").length, "checks").toBeLessThanOrEqual(2 + resumes);
  expectEvidence(events);
}

/** Every acceptance rests on a passing check and a reviewer's verdict of the same attempt. */
export function expectEvidence(events: readonly RunEvent[]): void {
  for (const judged of events) {
    if (judged.type !== "attempt_judged" || judged.verdict !== "accepted") continue;
    const own = events.filter((event) => "attempt" in event && event.attempt === judged.attempt);
    const checks = own.flatMap((event) => (event.type === "check_ended" ? [event.process.end] : []));
    expect(checks.at(-1), "check of what was accepted").toEqual({ kind: "exited", code: 0 });
    const reviews = own.flatMap((event) => (event.type === "review_ended" ? [event.completed] : []));
    expect(reviews, "reviews of what was accepted").toEqual([true]);
  }
}
