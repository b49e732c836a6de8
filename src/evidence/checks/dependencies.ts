import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { readJson } from "../../text/read-json.ts";
import { isRecord } from "../../text/json/values.ts";
import { installsIn, isManifest, type Install, type Texts } from "../dependencies/installs.ts";
import { replacedPackage } from "../dependencies/sources.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import type { SetUp } from "../../core/evidence/event.ts";
import { shellQuoted } from "../../text/shell-quote.ts";
import type { RunState } from "../../core/state.ts";
import { findProgram } from "../../platform/files/tools.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { readPacked } from "../../platform/git/pack.ts";
import { readEntry, type Entry } from "../../platform/git/read-entry.ts";
import { DIRECTORY, folderDigest, lookAt } from "../../platform/git/stamps.ts";
import { installEnvironment } from "../room/environment.ts";
import { removeTree } from "../room/remove-tree.ts";
import type { Laid, Placed, RoomSpec } from "../room/room.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { knownBase } from "../base/base.ts";
import { makeKeptDirectory } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import type { KnownBase, SetUpDone } from "./rooms.ts";

/** Lock files of large projects have tens of thousands of lines. */
const LARGEST = 64 * 1024 * 1024;

export interface Dependencies {
  readonly placed: readonly Placed[];
  readonly hidden: readonly string[];
  /** Of the candidate's dependencies. */
  readonly setUps: readonly SetUp[];
}

/** A tree as a room shows it. */
type View = Pick<RoomSpec, "root" | "laid" | "hidden">;

interface Installing {
  readonly command: string;
  readonly laid: readonly Laid[];
  readonly hidden: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly output: string;
}

export interface InstallRooms {
  /** The path of the tree inside the room. */
  readonly root: string;
  /** Null: it was cut short. */
  readonly run: (what: Installing) => Promise<{ readonly isWell: boolean; readonly output: Artifact } | null>;
}

const NONE: Dependencies = { placed: [], hidden: [], setUps: [] };

/** Installs dependencies for a room if the agent changed manifests or lock files. Never uses what the agent installed. Null: it was cut short. */
export async function dependenciesFor(
  view: View & { readonly tracked?: ReadonlyMap<string, string> },
  state: RunState,
  context: EvidenceContext,
  rooms: InstallRooms,
): Promise<Dependencies | null> {
  const { tracked } = view;
  if (!tracked || !state.base || state.settings.room?.setup !== null) return NONE;
  const base = knownBase(state, context);
  const done: (SetUpDone & { readonly install: Due })[] = [];
  for (const install of installsDue(view, tracked, base, state)) {
    const made = await setUpOnce(install, context, rooms);
    if (!made) return null;
    done.push({ ...made, install });
  }
  return {
    placed: done.flatMap(({ placed }) =>
      [...placed].map(([at, from]) => ({ at: join(view.root, at), from })),
    ),
    hidden: done.flatMap(({ setUp, install }) => (setUp.problem === null ? install.installed : [])),
    setUps: done.flatMap(({ setUp, install }) => (install.isWork ? [setUp] : [])),
  };
}

interface Due extends Install {
  /** The manifests with the original scripts, because the agent's scripts could change installed packages. */
  readonly laid: readonly Laid[];
  /** Installs the candidate's dependencies; otherwise the base's, for a run on the base's files. */
  readonly isWork: boolean;
  readonly replaced: string | null;
}

function installsDue(
  view: View,
  tracked: ReadonlyMap<string, string>,
  base: KnownBase,
  { base: taken }: RunState,
): readonly Due[] {
  const paths = [...new Set([...base.files.keys(), ...tracked.keys()].filter(isManifest))];
  if (paths.every((path) => base.files.get(path) === tracked.get(path))) return [];
  const onBase = textsOf(paths, (path) => (base.files.has(path) ? readPacked(base.pack, path) : null));
  const inTree = textsOf(paths, (path) =>
    tracked.has(path) ? readEntry(placeOf(view.root, path), LARGEST) : null,
  );
  const inRoom = textsOf(paths, (path) => entryIn(view, path));
  const [before, left, seen] = [installsIn(onBase), installsIn(inTree), installsIn(inRoom)];
  const folder = taken?.taken.folder ?? "";
  return [...seen].flatMap(([key, install]) => {
    const old = before.get(key);
    if (old?.entries === left.get(key)?.entries || !isUsed(install, folder, base)) return [];
    const isWork = old?.entries !== install.entries;
    if (!isWork && !isTouched(install, view, base)) return [];
    const replaced = old && isWork ? replacedPackage(old, onBase, install, inRoom) : null;
    const laid = install.manifests.map((path) => withScripts(path, inRoom.read(path), onBase.read(path)));
    return [{ ...install, isWork, replaced, laid }];
  });
}

function withScripts(path: string, text: string | null, original: string | null): Laid {
  const [manifest, base] = [readJson(text ?? ""), readJson(original ?? "")];
  const scripts = isRecord(base) ? base["scripts"] : undefined;
  const bytes = isRecord(manifest) ? JSON.stringify({ ...manifest, scripts }) : (text ?? "");
  return { path, kind: "file", bytes: Buffer.from(bytes) };
}

/** Examples and the like have manifests too, but were never installed. */
function isUsed({ folder, installed }: Install, cwd: string, { surroundings }: KnownBase): boolean {
  const isAbove = folder === "" || cwd === folder || cwd.startsWith(`${folder}/`);
  return isAbove || installed.some((path) => surroundings.ignored?.has(path));
}

/** Package managers' own records of installed packages. */
const NOTES =
  /(?:^|\/)(?:\.(?:package-lock\.json|yarn-integrity|yarn-state\.yml|modules\.yaml|pnpm-workspace-state[\w-]*\.json)|\.pnpm\/lock\.yaml)$/;

/** Whether an installed dependency of the base is missing or changed. */
function isTouched({ installed }: Install, { root, hidden }: View, { surroundings }: KnownBase): boolean {
  const isGone = new Set(hidden);
  const isHidden = (path: string): boolean =>
    isGone.has(path) || (path.includes("/") && isHidden(path.slice(0, path.lastIndexOf("/"))));
  const isIn = (path: string): boolean => installed.some((at) => path.startsWith(`${at}/`));
  return [...(surroundings.ignored ?? [])].some(
    ([path, stamp]) =>
      stamp !== DIRECTORY &&
      isIn(path) &&
      !NOTES.test(path) &&
      (isHidden(path) || lookAt(placeOf(root, path)) === undefined),
  );
}

function textsOf(
  paths: readonly string[],
  entryAt: (path: string) => Pick<Entry, "kind" | "bytes"> | null,
): Texts {
  const entries = new Map(paths.map((path) => [path, entryAt(path)]));
  const there = paths.filter((path) => (entries.get(path)?.kind ?? "link") !== "link");
  return { paths: there, read: (path) => entries.get(path)?.bytes.toString("utf8") ?? null };
}

function entryIn({ root, laid, hidden }: View, path: string): Pick<Entry, "kind" | "bytes"> | null {
  const put = laid.find((each) => each.path === path);
  if (put) return put;
  const isHidden = hidden.some((each) => path === each || path.startsWith(`${each}/`));
  return isHidden ? null : readEntry(placeOf(root, path), LARGEST);
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Installs once for the same files, however many checks need it. */
async function setUpOnce(
  install: Due,
  context: EvidenceContext,
  rooms: InstallRooms,
): Promise<SetUpDone | null> {
  const key = createHash("sha256")
    .update(`${install.folder}\n${install.script}\n${install.entries}`)
    .digest("hex");
  const { setUpsDone } = context.rooms;
  const known = setUpsDone.get(key);
  if (known && known.stamps === stampsOf(known.placed)) return known;
  const made = await runInstall(install, join(context.paths.dir, "dependencies", key.slice(0, 16)), rooms);
  if (made) setUpsDone.set(key, made);
  return made;
}

async function runInstall(install: Due, dir: string, rooms: InstallRooms): Promise<SetUpDone | null> {
  const { folder, command, tool, replaced } = install;
  const without = (
    problem: SetUp["problem"],
    subject: string | null,
    output: SetUp["output"],
  ): SetUpDone => ({
    setUp: { folder, command, problem, subject, output },
    placed: NOTHING,
    stamps: stampsOf(NOTHING),
  });
  if (replaced !== null) return without("replaced", replaced, null);
  if (findProgram(tool, process.env) === undefined) return without("no_tool", tool, null);
  removeTree(dir);
  makeKeptDirectory(dir);
  const ran = await rooms.run({
    command: scriptOf(install, rooms.root, dir),
    laid: install.laid,
    hidden: install.installed,
    env: installEnvironment(process.env, tool),
    output: join(dir, "output.log"),
  });
  if (!ran) return null;
  const { output } = ran;
  if (!ran.isWell) return without(isOffline(output.path) ? "no_registry" : "failed", null, output);
  const found = install.installed.map((at, index) => [at, join(dir, String(index))] as const);
  const placed = new Map(found.filter(([, from]) => fs.existsSync(from)));
  return {
    setUp: { folder, command, problem: null, subject: null, output },
    placed,
    stamps: stampsOf(placed),
  };
}

/** The command itself copies what it installed, because a room in memory vanishes when its command ends. */
function scriptOf({ folder, script, installed }: Install, root: string, dir: string): string {
  const aside = installed.map((at, index) => {
    const to = shellQuoted(join(dir, String(index)));
    return `[ ! -d ${shellQuoted(at)} ] || cp -a ${shellQuoted(at)} ${to} || exit`;
  });
  return [
    `cd -- ${shellQuoted(root)} || exit`,
    `( cd -- ./${shellQuoted(folder)} && ${script} ) || exit`,
    ...aside,
  ].join("\n");
}

/** How package managers report an unreachable or refusing registry. */
const OFFLINE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ENEEDAUTH|E40[13]|ERR_PNPM_NO_OFFLINE\w*|ERR_PNPM_META_FETCH_FAIL|ERR_PNPM_FETCH_40[13])\b|dns error|error sending request/i;

function isOffline(output: string): boolean {
  return OFFLINE.test(tryReadPlainFile(output, LARGEST)?.toString("utf8") ?? "");
}

/** The next attempt retries failed installations of the last one. */
export function forgetFailedSetUps({ rooms: { setUpsDone } }: Pick<EvidenceContext, "rooms">): void {
  for (const [key, { setUp }] of setUpsDone) if (setUp.problem !== null) setUpsDone.delete(key);
}

/** Installed dependencies may be as large as the tree. The output of package managers is small, so it stays. */
export function forgetSetUps({ paths }: Pick<EvidenceContext, "paths">): void {
  const dir = join(paths.dir, "dependencies");
  for (const key of namesIn(dir))
    for (const name of namesIn(join(dir, key))) if (/^\d+$/.test(name)) removeTree(join(dir, key, name));
}

function namesIn(dir: string): string[] {
  return fs.existsSync(dir) ? fs.readdirSync(dir) : [];
}

function stampsOf(placed: ReadonlyMap<string, string>): string {
  return [...placed.values()].map(folderDigest).join(" ");
}
