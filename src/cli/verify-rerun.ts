import fs from "node:fs";
import { basename, join, relative } from "node:path";
import { findDanger } from "../text/danger/danger.ts";
import { stateDir } from "./run-store.ts";
import type { ExcerptLimits } from "../text/excerpt.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { exitCodeOfSignal } from "../platform/outcome.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { reasonsAgainst } from "../evidence/results/run-passed.ts";
import type { RunState } from "../core/state.ts";
import { compareTests } from "../evidence/results/compare-tests.ts";
import { parseResults } from "../evidence/results/kept-results.ts";
import type { TestReport } from "../core/evidence/result.ts";
import { inRoom, type RoomRun, type RoomWorld } from "../evidence/checks/run-in-room.ts";
import { Stop } from "../platform/process/stop.ts";
import { besides } from "../evidence/base/surroundings.ts";
import { readKept } from "../platform/files/kept.ts";
import { makeDirectories } from "../platform/files/directories.ts";
import { reasonTexts } from "../evidence/words/reasons.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import type { VerifyCode } from "./words/verify.ts";
import { readExcerpt } from "../platform/process/read-output.ts";
import { duration } from "../text/time-text.ts";
import { endText } from "../ui/wording.ts";
import type { Receipt, ReceiptDetails } from "../evidence/receipt/receipt.ts";
import { problemText } from "../evidence/report/room-words.ts";
import { compiledPaths } from "../evidence/base/compiled.ts";
import { ignoredStamps } from "../platform/git/stamps.ts";
import { removeTree } from "../evidence/room/remove-tree.ts";
import { wayIntoRooms } from "../evidence/room/room.ts";
import type { Io } from "./io.ts";
import { openMachine } from "./open-run.ts";
import { redactorFor } from "./redactor.ts";
import { saying, type Seen } from "./verify-seen.ts";
import type { TreeNow } from "./verify-tree.ts";

const said = saying("rerun");

type Command = ReceiptDetails["commands"][number];

const EXCERPT: ExcerptLimits = { tailLines: 8, errorLines: 4, bytes: 2000 };

export interface Rerun {
  readonly receipt: Receipt;
  readonly now: TreeNow;
  /** From the journal if it is here; a receipt does not contain the values of variables. */
  readonly state: RunState | null;
  readonly show: (seen: Seen) => void;
  readonly begin: (command: string) => void;
}

/** Runs the commands again on the current tree, each in its own room. The caller has checked that the tree is the accepted one. */
export async function runAgain(rerun: Rerun, io: Io): Promise<void> {
  const { receipt, show } = rerun;
  const commands = eachOnce(receipt.predicate.agentForeman.commands);
  if (commands.length === 0) return show(said("unknown", "rerun_nothing"));
  const dangerous = dangerIn(receipt.predicate.agentForeman);
  if (dangerous) return show(dangerous);
  const dir = scratchIn(stateDir(io.env));
  const machine = openMachine({ pipes: join(dir, "pipes") }, basename(dir));
  const stop = new Stop();
  const leave = (): never => process.exit(exitCodeOfSignal(stop.signal ?? "SIGTERM"));
  const unlisten = stop.listen({ onFirst: () => stop.kill(), onSecond: () => undefined, leave });
  try {
    const way = wayIntoRooms(machine.container.wrap, dir);
    const room = way ? ({ kind: "overlay", way } as const) : ({ kind: "copy" } as const);
    const world = worldOf(rerun, { dir, machine, ...room, abort: stop.killed }, io);
    for (const command of commands) {
      rerun.begin(command.command);
      const ran = await inRoom(requestFor(command.command, rerun.now, dir), world);
      if (!ran) break;
      show(judged(command, ran, rerun, io));
    }
  } finally {
    unlisten();
    machine.launcher?.close();
    machine.pipes.remove();
    removeTree(dir);
    if (stop.signal) leave();
  }
}

/** If a command ran for several steps, its last run counts. */
function eachOnce(commands: readonly Command[]): readonly Command[] {
  return [...new Map(commands.map((command) => [command.command, command])).values()];
}

function dangerIn({ commands, room }: ReceiptDetails): Seen | undefined {
  const texts = [...(room.setup === null ? [] : [room.setup]), ...commands.map(({ command }) => command)];
  const danger = texts.map((text) => findDanger(text)).find((found) => found !== undefined);
  return danger && said("refused", "rerun_dangerous", { rule: danger.rule, command: danger.command });
}

function scratchIn(root: string): string {
  try {
    makeDirectories(root, 0o700);
    return fs.realpathSync(fs.mkdtempSync(join(root, "verify-")));
  } catch (error) {
    throw new Failure("state_dir_not_writable", { path: root, why: messageOf(error) }, { cause: error });
  }
}

function worldOf(
  { receipt, now, state }: Rerun,
  here: Pick<RoomWorld, "dir" | "machine" | "kind" | "way" | "abort">,
  io: Io,
): RoomWorld {
  const { room, environment, tree } = receipt.predicate.agentForeman;
  const values = { ...io.env, ...state?.board?.env.env };
  const set = environment.set.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...here,
    dir: join(here.dir, "room"),
    runId: basename(here.dir),
    cwd: join(now.root, tree.folder),
    setup: room.setup,
    passEnv: environment.passed,
    env: Object.fromEntries(set),
    timeoutMs: room.test_timeout_ms,
    maxOutputBytes: room.max_output_bytes,
    redact: redactorFor({ secrets: [], agents: [] }, io.env),
  };
}

function requestFor(command: string, { root, files, ours }: TreeNow, dir: string) {
  const all = (): readonly string[] => {
    const ignored = ignoredStamps(root, { leftOut: [relative(root, dir)] });
    return [...files.keys(), ...besides({ ignored }, [])];
  };
  const hidden = [...compiledPaths(files.keys()), ...ours];
  return {
    command,
    view: { root, files: all, laid: [], hidden },
    watched: () => [],
    output: join(dir, "output.log"),
  };
}

function judged(command: Command, { result, report, problem }: RoomRun, rerun: Rerun, io: Io): Seen {
  const about = { command: command.command };
  const { end, durationMs } = result.process;
  if (problem !== null)
    return said("refused", "rerun_no_room", {
      ...about,
      why: problemText(problem, terminalTexts[io.lang].room),
    });
  const refused = (code: VerifyCode, more: Seen["about"]): Seen => {
    return { ...said("refused", code, { ...about, ...more }), lines: linesOf(result.stdout, io) };
  };
  if (!succeeded(end)) return refused("rerun_failed", { end: endText(end, terminalTexts[io.lang]) });
  const findings = findingsIn(command, report, rerun.state);
  const reasons = reasonsAgainst(findings, end);
  if (reasons.length > 0) {
    const why = reasons.map((reason) => reasonTexts[io.lang][reason]).join("; ");
    return refused("rerun_not_sound", { reasons: reasons.join(","), why });
  }
  const passed = String(findings?.passed ?? 0);
  const expected = expectedIn(command, rerun.receipt);
  if (expected !== null && passed !== String(expected))
    return said("refused", "rerun_other_tests", { ...about, passed, expected: String(expected) });
  const time = duration(durationMs);
  return findings
    ? said("ok", "rerun_passed", { ...about, passed, time })
    : said("ok", "rerun_exited", { ...about, time });
}

function linesOf(output: RoomRun["result"]["stdout"], io: Io): readonly string[] {
  const redactor = redactorFor({ secrets: [], agents: [] }, io.env);
  const excerpt = readExcerpt(output, EXCERPT, (text) => redactor.text(text));
  return excerpt.map((line) => ("text" in line ? line.text : "…"));
}

/** Findings as a run would make them. Null: neither this run nor the receipt lists single tests. */
function findingsIn(
  command: Command,
  report: TestReport | null,
  state: RunState | null,
): ReturnType<typeof compareTests> | null {
  const recorded = (command.own ?? command).tests;
  // The receipt lists tests, so missing output means that none of them ran.
  const now =
    report ?? (recorded && { runners: recorded.runners, results: [], complete: true, exitedBy: [] });
  // The run has already judged removed tests; here they only count.
  return now && compareTests(baseIn(state, command.command), now, () => true);
}

/** Results before the work; these failures do not count against it. Null: unknown without the journal. */
function baseIn(state: RunState | null, command: string): TestReport | null {
  const checked = state?.base?.checks.find(({ process }) => process.command === command);
  const text = checked?.tests ? readKept(checked.tests.kept) : undefined;
  return text === undefined ? null : parseResults(text);
}

/** The required number of passing tests; null: it was recorded for another tree or another set of tests. */
function expectedIn(command: Command, { subject, predicate }: Receipt): number | null {
  const { changes } = predicate.agentForeman.protected;
  const isOfTree = command.tree === subject[0]?.digest.sha256;
  const areLaid = command.own === null && changes.some((change) => change.allowed_by === "person");
  return isOfTree && !areLaid ? ((command.own ?? command).tests?.passed ?? null) : null;
}
