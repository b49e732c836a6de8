import fs from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import type { Redactor } from "../domain/redact.ts";
import type { RoomKind } from "../domain/room/event.ts";
import { setupProblem } from "../domain/room/setup-problem.ts";
import { shellQuoted } from "../domain/shell-quote.ts";
import type { RunState } from "../domain/state.ts";
import { succeeded } from "../domain/process-end.ts";
import { readTests } from "../domain/tests/read-tests.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { keepingProbes, probed, probesIn, type Probes } from "../probes/probes.ts";
import { RUN_TAG } from "../process/leftovers.ts";
import { runCommand, type CommandResult, type CommandSpec, type Machine } from "../process/run-command.ts";
import { roomEnvironment } from "../workspace/room/environment.ts";
import {
  openRoom,
  problemFile,
  rootInside,
  roomPlaces,
  type Room,
  type RoomSpec,
} from "../workspace/room/room.ts";
import { removeTree } from "../workspace/room/remove-tree.ts";
import { junitFiles } from "../workspace/room/junit-files.ts";
import { rewrittenFiles } from "../workspace/room/rewritten.ts";
import { fillingCaches, placedCaches } from "./compiler-caches.ts";
import { dependenciesFor } from "./dependencies.ts";
import type { RunContext } from "./ports.ts";
import { redactedReport } from "./tests-seen.ts";
import { withinTime } from "./run-turn.ts";

export interface RoomRequest {
  readonly command: string;
  readonly view: {
    /** All that is in it: what counts, and what git ignores. A copy alone has to know. */
    readonly files: () => readonly string[];
    /** What an agent left, by path; absent: no agent has worked at the tree. */
    readonly tracked?: ReadonlyMap<string, string>;
  } & Pick<RoomSpec, "root" | "laid" | "hidden" | "placed" | "touched" | "dated">;
  /** Files of the tree that nothing but work may change. */
  readonly watched: () => readonly string[];
  /** Where the output is kept. */
  readonly output: string;
  /** It runs on the base: what compilers keep is kept for later rooms. */
  readonly fillsCaches?: true;
  /** So long may nothing of it move before it is ended; for ever, if not said. */
  readonly stallMs?: number;
}

export interface RoomRun {
  readonly result: Pick<CommandResult, "process" | "stdout">;
  /** Null: nobody told which tests ran. */
  readonly report: TestReport | null;
  /** Watched files that the command has changed in the room. */
  readonly rewritten: readonly string[];
  /** What marked tests told of their ends. */
  readonly ends: string;
  /** Why there was no room; null: there was. */
  readonly problem: string | null;
  /** That is because `--setup` failed: the output is its own. */
  readonly setupFailed: boolean;
}

/** More than this is no list of tests, and is not read line by line: that would take longer than they do. */
const MOST_TOLD = 64 * 1024 * 1024;

/** What the commands of a run have in common, whoever runs them. */
export interface RoomWorld {
  readonly runId: string;
  readonly machine: Machine;
  readonly kind: RoomKind;
  /** Where rooms are made. */
  readonly dir: string;
  readonly cwd: string;
  readonly setup: string | null;
  readonly passEnv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly redact: Redactor;
  readonly watch?: NonNullable<CommandSpec["watch"]>;
  /** Makes the room's home ready for the command, and tidies up after it. */
  readonly around?: (home: string, run: () => Promise<CommandResult>) => Promise<CommandResult>;
  readonly abort: AbortSignal;
}

/** Runs a test command of a run in a room, within the limits of test and run, with the dependencies that the room's manifests name. */
export async function runInRoom(
  request: RoomRequest,
  state: RunState,
  context: RunContext,
): Promise<RoomRun | null> {
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
  return withinLimits({ ...request, view: { ...view, placed, hidden } }, state, context);
}

function withinLimits(
  request: RoomRequest,
  state: RunState,
  context: RunContext,
  env: Readonly<Record<string, string>> = {},
): Promise<RoomRun | null> {
  const { settings } = state;
  return withinTime(state, context, (watch) =>
    inRoom(request, {
      runId: state.runId,
      machine: context.machine,
      kind: context.rooms.kind,
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
      abort: AbortSignal.any([context.stop.killed, context.attention.called]),
    }),
  );
}

const ENDS = "ends";
const ROOM = "room";

/** Where marked tests of a run tell of their ends. */
export function endsFile(root: string, { runId }: RunState, { paths }: RunContext): string {
  return join(roomPlaces({ dir: placeFor(paths.dir, root, runId) }).results, ENDS);
}

/** Where a person keeps our files in the work tree, runners would find the room there, with other copies of the tests. */
function placeFor(dir: string, root: string, runId: string): string {
  const isWithin = !relative(root, dir).startsWith("..");
  return isWithin ? roomInTmp(runId) : join(dir, ROOM);
}

function roomInTmp(runId: string): string {
  return join(tmpdir(), `af-${runId}-room`);
}

/** Rooms that a killed foreman left. */
export function removeRooms(dir: string, runId: string): void {
  for (const place of [join(dir, ROOM), roomInTmp(runId), temporaryFiles(runId)]) removeTree(place);
}

/** Runs a test command in a room of its own, which is gone afterwards. Null: it was cut short, and says nothing. */
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

/** What is no file stands for itself. */
function placeIn(root: string, file: string): string {
  return isAbsolute(file) ? relative(root, file) : file;
}

/** Temporary files are not among our others: tests bind sockets there, and the name of one may have no more than 107 bytes. */
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
    ...view,
    ...places,
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

/** A set-up that fails leaves no room that tests could be seen in; it is no failed test. */
function withSetup({ setup, dir }: RoomWorld, command: string): string {
  if (setup === null) return command;
  const failed = `echo "setup $code" >${shellQuoted(problemFile(dir))}`;
  // A shell of its own: a syntax error in the set-up must not end the script before the failure is noted.
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
