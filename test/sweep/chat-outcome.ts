import assert from "node:assert/strict";
import fs from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "../../src/domain/event.ts";
import { readJournal } from "../../src/journal/read.ts";
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
  // At once: whether the foreman reads one piece or two would change the number of its writes.
  return `printf '%s\\n' ${lines.map((line) => `'${JSON.stringify(line)}'`).join(" ")}`;
}

/**
 * The first work is not enough, which the review says; the second is told so in the same session. A shell, because a sweep starts
 * hundreds of agents.
 */
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

/** What a run has come to: all files of the project, and what is left in its state directory. */
interface Outcome {
  readonly code: number | null;
  readonly files: Readonly<Record<string, unknown>>;
  readonly leftInState: readonly string[];
}

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
}

/** A project with a `claude` that is reviewed once too often for nothing. */
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

/** Runs it once as it should go, and makes sure that it goes so. */
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
  // Not `expect`: where hundreds of points are told in one message, the difference has to be in it.
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

/** The journal verifies, and tells of one end, one acceptance, no gap, nothing done twice, and no review too many. */
function expectSound(rig: Rig): void {
  const runId = onlyRun(rig);
  const events = readJournal(rig.journalPath(runId), runId).records.map(({ event }) => event);
  // Whoever resumes makes checks anew that nobody has judged by.
  expectSoundTurns(events.filter(({ type }) => type !== "check_ended"));
  const of = (type: RunEvent["type"]): readonly unknown[] =>
    events.flatMap((event) => (event.type === type && "attempt" in event ? [event.attempt] : []));
  for (const once of ["turn_ended", "review_ended", "attempt_judged"] as const)
    expect(of(once), once).toEqual([1, 2]);
  const resumes = events.filter(({ type }) => type === "run_resumed").length;
  expect(of("check_ended").length, "checks").toBeLessThanOrEqual(2 + resumes);
  expectEvidence(events);
}

/** Whatever was accepted so far, was so by a check that passed and by a reviewer's word, each of that attempt. */
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
