import { runStore } from "./run-store.ts";
import fs from "node:fs";
import { relative, resolve, sep } from "node:path";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { visible } from "../text/text.ts";
import { keptFiles, type ChangedFile, type ChangedFiles } from "../evidence/base/run-changes.ts";
import { changeTexts, type ChangeTexts } from "../evidence/words/changes.ts";
import { LARGEST_PACKED, readPacked, type Pack } from "../platform/git/pack.ts";
import { describeEntry, readEntry, type Entry } from "../platform/git/read-entry.ts";
import { lookAt } from "../platform/git/stamps.ts";
import { placeOf } from "../platform/git/tree-path.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import type { Io } from "./io.ts";
import { lockRun, changesSoFar } from "./open-run.ts";
import { whichRun } from "./which-run.ts";

type Refusal = keyof ChangeTexts["why"];

/** `restore`: restores files to their version before a run. Without paths, it restores files that the person lost. */
export async function restore(
  given: string,
  paths: readonly string[],
  flags: { readonly force?: boolean },
  io: Io,
): Promise<number> {
  const store = runStore(io.env);
  const runId = await whichRun(store, given, io);
  const run = store.find(runId);
  const { state } = store.read(runId);
  const { cwd } = state.settings;
  if (!fs.existsSync(cwd)) throw new Failure("work_dir_gone", { path: cwd });
  // Files must not change while an agent or a check runs.
  const lock = await lockRun(store, runId, cwd);
  try {
    const changed = state.ended ? keptFiles(state) : changesSoFar(state, run);
    if (!changed) throw new Failure("no_changes_kept", { runId });
    const root = rootOf(cwd);
    const wanted = choose(
      changed,
      paths.map((path) => within(root, path, io)),
      runId,
    );
    return report(wanted, changed.pack, { root, force: flags.force === true, runId }, io);
  } finally {
    lock.release();
  }
}

/** A path relative to the tree, given relative to the current directory or as `diff` prints it. */
function within(root: string, path: string, { cwd }: Io): string {
  const way = relative(root, resolve(cwd, path));
  return way === ".." || way.startsWith(`..${sep}`) ? relative(root, resolve(root, path)) : way;
}

/** A file is restored whatever happened to it; in a folder, only lost files are. */
function choose({ files }: ChangedFiles, paths: readonly string[], runId: string): readonly ChangedFile[] {
  const lost = files.filter((file) => file.lost);
  if (paths.length === 0) return lost;
  const chosen = paths.flatMap((path) => {
    const file = files.find((each) => each.path === path && each.was);
    const below = path === "" ? lost : lost.filter((each) => each.path.startsWith(`${path}/`));
    const found = file ? [file] : below;
    if (found.length === 0) throw new Failure("path_not_changed", { runId, path });
    return found;
  });
  return [...new Set(chosen)];
}

interface Where {
  readonly root: string;
  readonly force: boolean;
  readonly runId: string;
}

function report(files: readonly ChangedFile[], pack: Pack, where: Where, { stdout, lang }: Io): number {
  const words = changeTexts[lang];
  if (files.length === 0) {
    stdout.write(`${words.nothingLost(`agent-foreman diff ${where.runId}`)}\n`);
    return ExitCode.accepted;
  }
  let refused = false;
  for (const file of files) {
    const outcome = putBack(file, pack, where);
    const isRefused = outcome !== "restored" && outcome !== "unchanged";
    const said = words.restored[isRefused ? "kept" : outcome];
    stdout.write(`${said} ${visible(file.path)}${isRefused ? `: ${words.why[outcome]}` : ""}\n`);
    refused ||= isRefused;
  }
  return refused ? ExitCode.rejected : ExitCode.accepted;
}

function putBack(
  { path, left, mode }: ChangedFile,
  pack: Pack,
  { root, force, runId }: Where,
): "restored" | "unchanged" | Refusal {
  const entry = readPacked(pack, path);
  if (!entry) return "not_kept";
  const place = placeOf(root, path);
  if (!isReachable(root, path)) return "behind_link";
  const now = describe(place);
  if (now === describeEntry(entry)) return "unchanged";
  if (now !== left && !force) return "changed_since";
  const temporary = placeOf(root, `${path}.${runId}.tmp`);
  try {
    makeFolders(root, path);
    write(temporary, entry, mode);
    fs.renameSync(temporary, place);
    return "restored";
  } catch {
    fs.rmSync(temporary, { force: true });
    return "not_writable";
  }
}

/** Whether every parent is a folder or does not exist. */
function isReachable(root: string, path: string): boolean {
  return foldersTo(path).every((folder) => lookAt(placeOf(root, folder))?.isDirectory() !== false);
}

function makeFolders(root: string, path: string): void {
  for (const folder of foldersTo(path))
    if (!lookAt(placeOf(root, folder))) fs.mkdirSync(placeOf(root, folder));
}

function foldersTo(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Null: no file. An unreadable file gets a text that matches nothing. */
function describe(place: string | Buffer): string | null {
  const entry = readEntry(place, LARGEST_PACKED);
  if (entry) return describeEntry(entry);
  return lookAt(place) ? "unread" : null;
}

function write(place: string | Buffer, { kind, bytes }: Entry, mode: number | null): void {
  if (kind === "link") {
    fs.symlinkSync(bytes, place);
    return;
  }
  fs.writeFileSync(place, bytes, { flag: "wx", mode: mode ?? (kind === "program" ? 0o777 : 0o666) });
  if (mode !== null) fs.chmodSync(place, mode);
}
