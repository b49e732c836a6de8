import fs from "node:fs";
import { basename, join, relative } from "node:path";
import { findDanger } from "../checks/danger.ts";
import { stateDir } from "../config/state-dir.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { exitCodeOfSignal } from "../domain/outcome.ts";
import { succeeded } from "../domain/process-end.ts";
import { against } from "../domain/tests/against.ts";
import type { RunState } from "../domain/state.ts";
import { compareTests } from "../domain/tests/compare-tests.ts";
import { parseResults } from "../domain/tests/kept-results.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { inRoom, type RoomRun, type RoomWorld } from "../engine/run-in-room.ts";
import { Stop } from "../engine/stop.ts";
import { besides } from "../engine/surroundings.ts";
import { readKept } from "../engine/turn-files.ts";
import { makeDirectories } from "../files/directories.ts";
import { reasonTexts } from "../i18n/reasons.ts";
import { terminalTexts } from "../i18n/terminal.ts";
import type { VerifyCode } from "../i18n/verify.ts";
import { readExcerpt } from "../process/read-output.ts";
import { duration } from "../domain/time-text.ts";
import { endText } from "../reporters/wording.ts";
import type { Receipt, ReceiptDetails } from "../reports/receipt.ts";
import { problemText } from "../reports/room-words.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { ignoredStamps } from "../workspace/base/stamps.ts";
import { removeTree } from "../workspace/room/remove-tree.ts";
import { roomWorks } from "../workspace/room/room.ts";
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
  /** What the journal tells, where it is here: values of variables stand in no receipt. */
  readonly state: RunState | null;
  readonly tell: (seen: Seen) => void;
  readonly begin: (command: string) => void;
}

/** Runs the commands again on the tree as it is, each in a room of its own. The tree is known to be the accepted one. */
export async function runAgain(rerun: Rerun, io: Io): Promise<void> {
  const { receipt, tell } = rerun;
  const commands = eachOnce(receipt.predicate.agentForeman.commands);
  if (commands.length === 0) return tell(said("unknown", "rerun_nothing"));
  const dangerous = dangerIn(receipt.predicate.agentForeman);
  if (dangerous) return tell(dangerous);
  const dir = scratchIn(stateDir(io.env));
  const machine = openMachine({ pipes: join(dir, "pipes") }, basename(dir));
  const stop = new Stop();
  const leave = (): never => process.exit(exitCodeOfSignal(stop.signal ?? "SIGTERM"));
  const unlisten = stop.listen({ onFirst: () => stop.kill(), onSecond: () => undefined, leave });
  try {
    const kind = roomWorks(machine.container.wrap, dir) ? "overlay" : "copy";
    const world = worldOf(rerun, { dir, machine, kind, abort: stop.killed }, io);
    for (const command of commands) {
      rerun.begin(command.command);
      const ran = await inRoom(requestFor(command.command, rerun.now, dir), world);
      if (!ran) break;
      tell(judged(command, ran, rerun, io));
    }
  } finally {
    unlisten();
    machine.launcher?.close();
    machine.pipes.remove();
    removeTree(dir);
    if (stop.signal) leave();
  }
}

/** The last time counts, where a command was run for several steps. */
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
  here: Pick<RoomWorld, "dir" | "machine" | "kind" | "abort">,
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
  const reasons = against(findings, end);
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

/** As a run would see them. Null: nobody tells which tests ran, neither here nor in the receipt. */
function findingsIn(
  command: Command,
  report: TestReport | null,
  state: RunState | null,
): ReturnType<typeof compareTests> | null {
  const told = (command.own ?? command).tests;
  // Where there were tests, silence says that none of them ran.
  const now = report ?? (told && { runners: told.runners, results: [], complete: true, exitedBy: [] });
  // Which of them are gone was judged by the run: here they are counted.
  return now && compareTests(baseIn(state, command.command), now, () => true);
}

/** What the tests did before the work, which speaks not against it. Null: without the journal nobody knows. */
function baseIn(state: RunState | null, command: string): TestReport | null {
  const checked = state?.base?.checks.find(({ process }) => process.command === command);
  const text = checked?.tests ? readKept(checked.tests.kept) : undefined;
  return text === undefined ? null : parseResults(text);
}

/** How many tests have to pass; null: it was seen on another tree, or with other tests than those that are in it now. */
function expectedIn(command: Command, { subject, predicate }: Receipt): number | null {
  const { changes } = predicate.agentForeman.oracle;
  const isOfTree = command.tree === subject[0]?.digest.sha256;
  const areLaid = command.own === null && changes.some((change) => change.allowed_by === "person");
  return isOfTree && !areLaid ? ((command.own ?? command).tests?.passed ?? null) : null;
}
