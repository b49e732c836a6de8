import fs from "node:fs";
import { basename, join, relative } from "node:path";
import { findDanger } from "../checks/danger.ts";
import { stateDir } from "../config/state-dir.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { exitCodeOfSignal } from "../domain/outcome.ts";
import { succeeded } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { inRoom, type RoomRun, type RoomWorld } from "../engine/run-in-room.ts";
import { Stop } from "../engine/stop.ts";
import { besides } from "../engine/surroundings.ts";
import { makeDirectories } from "../files/directories.ts";
import { terminalTexts } from "../i18n/terminal.ts";
import type { VerifyCode } from "../i18n/verify.ts";
import { readExcerpt } from "../process/read-output.ts";
import { duration } from "../reporters/format.ts";
import { endText } from "../reporters/wording.ts";
import type { Receipt, ReceiptDetails } from "../reports/receipt.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { ignoredStamps } from "../workspace/base/stamps.ts";
import { removeTree } from "../workspace/room/remove-tree.ts";
import { roomWorks } from "../workspace/room/room.ts";
import type { Io } from "./io.ts";
import { openMachine } from "./open-run.ts";
import { redactorFor } from "./redactor.ts";
import type { Seen } from "./verify-seen.ts";
import type { TreeNow } from "./verify-tree.ts";

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
    return [...files.keys(), ...besides({ ignored, programs: new Map() }, [])];
  };
  const hidden = [...compiledPaths(files.keys()), ...ours];
  return { command, view: { root, files: all, laid: [], hidden }, output: join(dir, "output.log") };
}

function judged(command: Command, { result, report, problem }: RoomRun, { receipt }: Rerun, io: Io): Seen {
  const about = { command: command.command };
  const { process, stdout } = result;
  if (problem !== null) return said("refused", "rerun_no_room", { ...about, why: problem });
  if (!succeeded(process.end)) {
    const end = endText(process.end, terminalTexts[io.lang]);
    const redactor = redactorFor({ secrets: [], agents: [] }, io.env);
    const excerpt = readExcerpt(stdout, EXCERPT, (text) => redactor.text(text));
    const lines = excerpt.map((line) => ("text" in line ? line.text : "…"));
    return { ...said("refused", "rerun_failed", { ...about, end }), lines };
  }
  const passed = report?.results.filter(({ status }) => status === "passed").length;
  const expected = expectedIn(command, receipt);
  if (expected !== null && passed !== expected)
    return said("refused", "rerun_other_tests", {
      ...about,
      passed: String(passed ?? 0),
      expected: String(expected),
    });
  const time = duration(process.durationMs);
  return passed === undefined
    ? said("ok", "rerun_exited", { ...about, time })
    : said("ok", "rerun_passed", { ...about, passed: String(passed), time });
}

/** How many tests have to pass; null: it was seen on another tree, or with other tests than those that are in it now. */
function expectedIn(command: Command, { subject, predicate }: Receipt): number | null {
  const { changes } = predicate.agentForeman.oracle;
  const isOfTree = command.tree === subject[0]?.digest.sha256;
  const areLaid = command.own === null && changes.some((change) => change.allowed_by === "person");
  return isOfTree && !areLaid ? ((command.own ?? command).tests?.passed ?? null) : null;
}

function said(level: Seen["level"], code: VerifyCode, about: Seen["about"] = {}): Seen {
  return { check: "rerun", level, code, about };
}
