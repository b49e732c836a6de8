import { join, sep } from "node:path";
import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { commandTexts } from "../ui/words/commands.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { topLevel } from "../platform/git/git.ts";
import type { Io } from "./io.ts";
import { removeNotBegun, sayNotBegun } from "./dead-runs.ts";

/** Which runs a command without an id prefers, and the message about it. */
interface Preference {
  readonly for: "resume" | "decide";
  readonly fits: (state: RunState) => boolean;
}

/** The run that a person means: by id, by the end of an id, or the latest one of this directory. */
export async function whichRun(
  store: RunStore,
  given: string | undefined,
  io: Io,
  prefers?: Preference,
): Promise<string> {
  if (given !== undefined) {
    const named = store.resolve(given);
    const removed = await removeNotBegun(store, io);
    const dead = removed.find(({ about }) => about["runId"] === named);
    sayNotBegun(
      removed.filter((failure) => failure !== dead),
      io,
    );
    if (dead) throw dead;
    return named;
  }
  if (io.cwd === "") throw new Failure("here_is_gone");
  const notBegun = await removeNotBegun(store, io);
  const { runId, newest } = newestHere(store, io, prefers);
  const [only] = notBegun;
  if (runId === undefined && only && notBegun.length === 1) throw only;
  sayNotBegun(notBegun, io);
  if (runId === undefined || newest === undefined) throw new Failure("no_run_here", { path: io.cwd });
  const texts = commandTexts[io.lang];
  const isNewest = runId === newest || prefers === undefined;
  const which = isNewest ? texts.lastHere(runId) : texts.lastOfKind[prefers.for](runId, newest);
  io.stderr.write(`${which}\n`);
  return runId;
}

interface Here {
  readonly runId: string | undefined;
  /** The latest run here, of any kind. */
  readonly newest: string | undefined;
}

/** `prefers`: uses an older run if only that one matches. */
export function newestHere(store: RunStore, io: Io, prefers?: Preference): Here {
  const runIds = runsHere(store, io);
  const isPreferred = (runId: string): boolean => {
    const { state, problem } = store.salvage(runId);
    return state !== null && problem === null && prefers?.fits(state) === true;
  };
  const [newest] = runIds;
  return { runId: (prefers && runIds.find(isPreferred)) ?? newest, newest };
}

/** Newest first. Runs of one work tree belong together, whichever folder they started in. */
function runsHere(store: RunStore, { cwd }: Io): readonly string[] {
  const tree = topLevel(cwd) ?? cwd;
  const isHere = (dir: string): boolean =>
    [cwd, tree].includes(dir) || (dir.startsWith(join(tree, sep)) && topLevel(dir) === tree);
  return store
    .startedWith(({ settings }) => settings.calledFrom === cwd || isHere(settings.cwd))
    .map(({ runId }) => runId);
}
