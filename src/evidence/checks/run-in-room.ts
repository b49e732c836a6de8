import fs from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import type { Redactor } from "../../text/redact.ts";
import type { RoomKind } from "../../core/evidence/event.ts";
import { setupProblem } from "../setup-problem.ts";
import { shellQuoted } from "../../text/shell-quote.ts";
import type { RunState } from "../../core/state.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { readTests } from "../results/read-tests.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { keepingProbes, probed, probesIn, type Probes } from "../probes/probes.ts";
import { RUN_TAG } from "../../platform/process/leftovers.ts";
import {
  runCommand,
  type CommandResult,
  type CommandSpec,
  type Machine,
} from "../../platform/process/run-command.ts";
import { roomEnvironment } from "../room/environment.ts";
import {
  openRoom,
  problemFile,
  rootInside,
  roomPlaces,
  type Room,
  type RoomSpec,
  type RoomWay,
} from "../room/room.ts";
import { whiteoutOf } from "../room/layers.ts";
import { removeTree } from "../room/remove-tree.ts";
import { junitFiles } from "../room/junit-files.ts";
import { rewrittenFiles } from "../room/rewritten.ts";
import { fillingCaches, placedCaches } from "../base/compiler-caches.ts";
import { dependenciesFor, type Dependencies } from "./dependencies.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import { redactedReport } from "./tests-seen.ts";
import { withinTime } from "../../core/within-time.ts";

export interface RoomRequest {
  readonly command: string;
  readonly view: {
    /** All files of the room: counted and ignored ones. Only a copy needs the list. */
    readonly files: () => readonly string[];
    /** The agent's files by path; absent: no agent has worked in the tree. */
    readonly tracked?: ReadonlyMap<string, string>;
  } & Pick<RoomSpec, "root" | "laid" | "hidden" | "placed" | "touched" | "dated">;
  /** Files of the tree that only the work may change. */
  readonly watched: () => readonly string[];
  readonly output: string;
  /** The run is on the base, so its compiler caches are kept for later rooms. */
  readonly fillsCaches?: true;
  /** End the run after this time without activity; default: never. */
  readonly stallMs?: number;
}

export interface RoomRun {
  readonly result: Pick<CommandResult, "process" | "stdout">;
  /** Null: no test was reported. */
  readonly report: TestReport | null;
  /** Watched files that the command changed in the room. */
  readonly rewritten: readonly string[];
  /** The reports of marked tests about their ends. */
  readonly ends: string;
  /** Why there was no room; null: there was one. */
  readonly problem: string | null;
  /** The cause is a failed `--setup`, whose output this is. */
  readonly setupFailed: boolean;
}

/** A larger file is not a list of tests. Reading it line by line would take longer than the tests. */
const MOST_TOLD = 64 * 1024 * 1024;

/** Common settings of all commands of a run. */
export interface RoomWorld {
  readonly runId: string;
  readonly machine: Machine;
  readonly kind: RoomKind;
  /** How to enter an overlay. */
  readonly way?: RoomWay | undefined;
  /** The parent directory of rooms. */
  readonly dir: string;
  readonly cwd: string;
  readonly setup: string | null;
  readonly passEnv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly redact: Redactor;
  readonly watch?: NonNullable<CommandSpec["watch"]>;
  /** Prepares the room's home for the command and cleans up afterwards. */
  readonly around?: (home: string, run: () => Promise<CommandResult>) => Promise<CommandResult>;
  readonly abort: AbortSignal;
}

/** Runs a test command in a room, within the limits of test and run, with the dependencies from the room's manifests. */
export async function runInRoom(
  request: RoomRequest,
  state: RunState,
  context: EvidenceContext,
): Promise<(RoomRun & Pick<Dependencies, "setUps">) | null> {
  const { view } = request;
  const { kind } = context.rooms;
  const dir = placeFor(context.paths.dir, view.root, state.runId);
  const dependencies = await dependenciesFor(view, state, context, {
    root: rootInside(kind, dir, view.root),
    run: async ({ command, laid, hidden, env, output }) => {
      const isLaid = new Set(laid.map(({ path }) => path));
      const hiding = {
        ...view,
        laid: [...view.laid.filter(({ path }) => !isLaid.has(path)), ...laid],
        hidden: [...new Set([...view.hidden, ...hidden])],
      };
      const ran = await withinLimits(
        { command, view: hiding, watched: () => [], output },
        state,
        context,
        env,
      );
      const isWell = ran !== null && ran.problem === null && succeeded(ran.result.process.end);
      return ran && { isWell, output: ran.result.stdout };
    },
  });
  if (!dependencies) return null;
  const { home } = roomPlaces({ dir });
  const caches = request.fillsCaches ? [] : placedCaches(context, home);
  const placed = [...dependencies.placed, ...caches];
  const hidden = [...new Set([...view.hidden, ...dependencies.hidden])];
  const ran = await withinLimits({ ...request, view: { ...view, placed, hidden } }, state, context);
  return ran && { ...ran, setUps: dependencies.setUps };
}

function withinLimits(
  request: RoomRequest,
  state: RunState,
  context: EvidenceContext,
  env: Readonly<Record<string, string>> = {},
): Promise<RoomRun | null> {
  const { settings } = state;
  return withinTime(state, context.now, (watch) =>
    inRoom(request, {
      runId: state.runId,
      machine: context.machine,
      kind: context.rooms.kind,
      way: context.rooms.way,
      dir: placeFor(context.paths.dir, request.view.root, state.runId),
      cwd: settings.cwd,
      setup: settings.room?.setup ?? null,
      passEnv: settings.room?.passEnv ?? [],
      env: { ...state.board?.env.env, ...env },
      timeoutMs: settings.testTimeoutMs,
      maxOutputBytes: settings.maxOutputBytes,
      redact: context.redactor,
      ...(request.fillsCaches && { around: (home, start) => fillingCaches(context, home, start) }),
      watch,
      abort: AbortSignal.any([context.stop.killed, context.interrupt.requested]),
    }),
  );
}

const ENDS = "ends";
const ROOM = "room";

/** The file in which marked tests report their ends. */
export function endsFile(root: string, { runId }: RunState, { paths }: EvidenceContext): string {
  return join(roomPlaces({ dir: placeFor(paths.dir, root, runId) }).results, ENDS);
}

/** If a person keeps our files in the work tree, runners would find the room there, with second copies of the tests. */
function placeFor(dir: string, root: string, runId: string): string {
  const isWithin = !relative(root, dir).startsWith("..");
  return isWithin ? roomInTmp(runId) : join(dir, ROOM);
}

function roomInTmp(runId: string): string {
  return join(tmpdir(), `af-${runId}-room`);
}

/** Removes rooms that a killed foreman left. */
export function removeRooms(dir: string, runId: string): void {
  const rooms = [join(dir, ROOM), roomInTmp(runId)];
  for (const place of [...rooms, ...rooms.map(whiteoutOf), temporaryFiles(runId)]) removeTree(place);
}

/** Runs a test command in its own room and removes the room. Null: it was cut short and says nothing. */
export async function inRoom(request: RoomRequest, world: RoomWorld): Promise<RoomRun | null> {
  const places = roomPlaces(inTmp(world));
  const probes = probesIn(places.probe, places.results, rootInside(world.kind, world.dir, request.view.root));
  const room = open(request, world, probes);
  try {
    const command = keepingProbes(request.command, probes);
    const start = (): Promise<CommandResult> => run(room, { ...request, command }, world);
    const result = await (world.around ? world.around(room.home, start) : start());
    if (result.interrupted || result.process.end.kind === "over_budget") return null;
    const problem = room.problem();
    const setupExit = /^setup (\d+)$/.exec(problem ?? "")?.[1];
    const process = { ...result.process, command: request.command };
    const report = readTests({
      probes: textsIn(room.results),
      junit: junitFiles(room),
      output: result.stdout.bytes > MOST_TOLD ? "" : textAt(result.stdout.path),
    });
    return {
      result: { process, stdout: result.stdout },
      report:
        report &&
        redactedReport(
          { ...report, exitedBy: report.exitedBy.map((file) => placeIn(room.root, file)) },
          world.redact,
        ),
      rewritten: rewrittenFiles(request.watched(), room, { kind: world.kind, ...request.view }),
      ends: textAt(join(room.results, ENDS)),
      problem: setupExit === undefined ? problem : setupProblem(world.setup ?? "", setupExit),
      setupFailed: setupExit !== undefined,
    };
  } finally {
    room.remove();
  }
}

/** Returns a name that is not a file unchanged. */
function placeIn(root: string, file: string): string {
  return isAbsolute(file) ? relative(root, file) : file;
}

/** Temporary files need a short path: tests bind sockets there, whose names have at most 107 bytes. */
function inTmp({ dir, runId }: RoomWorld): { dir: string; tmp: string } {
  return { dir, tmp: temporaryFiles(runId) };
}

function temporaryFiles(runId: string): string {
  return join(tmpdir(), `af-${runId}`);
}

function open({ view }: RoomRequest, world: RoomWorld, probes: Probes): Room {
  const places = inTmp(world);
  const { home, tmp } = roomPlaces(places);
  const env = { ...roomEnvironment(process.env, home, tmp, world.passEnv), ...world.env };
  return openRoom({
    kind: world.kind,
    way: world.way,
    ...view,
    ...places,
    isReused: true,
    cwd: world.cwd,
    env: { ...probed(env, probes), [RUN_TAG]: world.runId },
    files: world.kind === "copy" ? view.files() : [],
    probes: probes.files,
  });
}

function run(
  room: Room,
  { command, output, stallMs }: RoomRequest,
  world: RoomWorld,
): Promise<CommandResult> {
  const { runId, timeoutMs, maxOutputBytes, redact, watch } = world;
  return runCommand(
    {
      runId,
      command: room.command(withSetup(world, command)),
      cwd: room.cwd,
      env: {},
      timeoutMs,
      maxOutputBytes,
      redact,
      ...(stallMs !== undefined && { stallMs }),
      ...(watch && { watch }),
      stdoutPath: output,
      stderrPath: output,
    },
    world.machine,
    world.abort,
  );
}

/** After a failed set-up the tests do not run. That is not a failed test. */
function withSetup({ setup, dir }: RoomWorld, command: string): string {
  if (setup === null) return command;
  const failed = `echo "setup $code" >${shellQuoted(problemFile(dir))}`;
  // Runs in a separate shell: a syntax error in the set-up must not end the script before the failure is noted.
  return `/bin/sh -c ${shellQuoted(setup)} || { code=$?; ${failed}; exit $code; }\n${command}`;
}

function textAt(path: string): string {
  return tryReadPlainFile(path, MOST_TOLD)?.toString("utf8") ?? "";
}

function textsIn(dir: string): readonly string[] {
  return fs.readdirSync(dir).flatMap((name) => {
    const bytes = tryReadPlainFile(join(dir, name), MOST_TOLD);
    return bytes ? [bytes.toString("utf8")] : [];
  });
}
