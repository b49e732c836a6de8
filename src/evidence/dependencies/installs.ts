import { globMatcher } from "../../text/globs.ts";
import { isFixture } from "../protected/test-paths.ts";
import { folderOf, foldersAbove, inFolder, nameOf } from "../../text/paths.ts";
import { readJson } from "../../text/read-json.ts";
import { isRecord, isText } from "../../text/json/values.ts";

/** Text files of a work tree. */
export interface Texts {
  readonly paths: Iterable<string>;
  /** Null: no such text. */
  readonly read: (path: string) => string | null;
}

type NodeTool = "npm" | "pnpm" | "yarn";
export type Tool = NodeTool | "uv";

/** A folder whose dependencies one command installs, with the inputs of that command. */
export interface Install {
  readonly folder: string;
  readonly tool: Tool;
  /** As a person would type it. */
  readonly command: string;
  /** Run in the folder. */
  readonly script: string;
  /** Installed folders, relative to the root. */
  readonly installed: readonly string[];
  readonly manifests: readonly string[];
  readonly lock: string | null;
  /** Every entry of manifests and lock file that affects the installation. */
  readonly entries: string;
}

const LOCKS: Readonly<Record<string, NodeTool>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
};
const WORKSPACE = "pnpm-workspace.yaml";
const MANIFEST = "package.json";
const UV_LOCK = "uv.lock";
const MANIFESTS = new Set([MANIFEST, WORKSPACE, UV_LOCK, ...Object.keys(LOCKS)]);

/** Whether a change of this file can change what is installed. */
export function isManifest(path: string): boolean {
  return MANIFESTS.has(nameOf(path)) && !/(?:^|\/)node_modules\//.test(path) && !isFixture(path);
}

/** By folder and kind of package manager. */
export function installsIn(tree: Texts): ReadonlyMap<string, Install> {
  const paths = new Set([...tree.paths].filter(isManifest));
  const folders = [...paths].filter((path) => nameOf(path) === MANIFEST).map(folderOf);
  const members = new Map<string, string[]>();
  const patterns = new Map<string, (path: string) => boolean>();
  const ownerOf = (folder: string): string => {
    if (lockIn(folder, paths) !== null) return folder;
    const above = folder === "" ? [] : foldersAbove(folder);
    const owner = above.find((each) => {
      const matches = patterns.get(each) ?? workspacesOf(each, tree);
      patterns.set(each, matches);
      return matches(folder);
    });
    return owner ?? folder;
  };
  for (const folder of folders.sort()) {
    const owner = ownerOf(folder);
    members.set(owner, [...(members.get(owner) ?? []), folder]);
  }
  const node = [...members].map(([folder, all]) => nodeInstall(folder, all, paths, tree));
  const python = [...paths].filter((path) => nameOf(path) === UV_LOCK).map((path) => uvInstall(path, tree));
  return new Map([...node, ...python].map((install) => [keyOf(install), install]));
}

function keyOf({ folder, tool }: Install): string {
  return `${tool === "uv" ? "python" : "node"} ${folder}`;
}

function lockIn(folder: string, paths: ReadonlySet<string>): string | null {
  return (
    Object.keys(LOCKS)
      .map((name) => inFolder(folder, name))
      .find((path) => paths.has(path)) ?? null
  );
}

/** Packages that are installed together with this folder. */
function workspacesOf(folder: string, { read }: Texts): (path: string) => boolean {
  const value = readJson(read(inFolder(folder, MANIFEST)) ?? "");
  const said = isRecord(value) ? value["workspaces"] : null;
  const listed = isRecord(said) ? said["packages"] : said;
  const patterns = [
    ...(Array.isArray(listed) ? listed.filter(isText) : []),
    ...listedIn(read(inFolder(folder, WORKSPACE)) ?? ""),
  ].map((pattern) => pattern.replace(/^\.\//, "").replace(/\/+$/, ""));
  const rooted = (each: string): string => `./${inFolder(folder, each)}`;
  const isIn = globMatcher(patterns.filter((each) => !each.startsWith("!")).map(rooted));
  const isOut = globMatcher(
    patterns.filter((each) => each.startsWith("!")).map((each) => rooted(each.slice(1))),
  );
  return (path) => isIn(path) && !isOut(path);
}

/** The list `packages` of pnpm's file, in its usual form. */
function listedIn(yaml: string): string[] {
  const [, list = ""] =
    /^packages:[ \t]*\r?\n((?:[ \t]*(?:-|#).*(?:\r?\n|$)|[ \t]*\r?\n)*)/m.exec(yaml) ?? [];
  return [...list.matchAll(/^[ \t]*-[ \t]*(["']?)([^"'#\r\n]+?)\1[ \t]*(?:#.*)?$/gm)].flatMap(
    ([, , each]) => each ?? [],
  );
}

function nodeInstall(
  folder: string,
  members: readonly string[],
  paths: ReadonlySet<string>,
  tree: Texts,
): Install {
  const lock = lockIn(folder, paths);
  const manifests = members.map((member) => inFolder(member, MANIFEST));
  const tool = (lock === null ? null : LOCKS[nameOf(lock)]) ?? toolNamedIn(inFolder(folder, MANIFEST), tree);
  const lockText = lock === null ? null : tree.read(lock);
  const dependencies = manifests.map((path) => [path, dependenciesIn(tree.read(path))]);
  const decisive = [tool, lockText === null ? null : withoutOwnVersions(lockText), dependencies];
  return {
    folder,
    tool,
    ...commandFor(tool, lockText),
    installed: [...new Set([folder, ...members])].map((each) => inFolder(each, "node_modules")),
    manifests,
    lock,
    entries: JSON.stringify([...decisive, tree.read(inFolder(folder, WORKSPACE))]),
  };
}

function toolNamedIn(path: string, { read }: Texts): NodeTool {
  const value = readJson(read(path) ?? "");
  const named = isRecord(value) && isText(value["packageManager"]) ? value["packageManager"] : "";
  const tool = named.split("@")[0];
  return tool === "pnpm" || tool === "yarn" ? tool : "npm";
}

function uvInstall(lock: string, { read }: Texts): Install {
  const folder = folderOf(lock);
  return {
    folder,
    tool: "uv",
    command: "uv sync",
    script: "uv sync --locked --offline || uv sync --locked",
    installed: [inFolder(folder, ".venv")],
    manifests: [],
    lock,
    entries: JSON.stringify(["uv", read(lock)]),
  };
}

/** The fields of package.json that affect the installation. Its scripts and version do not. */
const DECISIVE = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
  "bundleDependencies",
  "bundledDependencies",
  "overrides",
  "resolutions",
  "pnpm",
  "workspaces",
];

function dependenciesIn(text: string | null): unknown {
  const value = readJson(text ?? "");
  return isRecord(value) ? DECISIVE.map((field) => sorted(value[field])) : text;
}

/** Tools order names differently than people. */
function sorted(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : (value ?? null);
}

/** npm repeats the versions of the project's own packages in its lock file. */
function withoutOwnVersions(lock: string): string {
  const value = readJson(lock);
  if (!isRecord(value) || !isRecord(value["packages"])) return lock;
  const packages = Object.entries(value["packages"]).map(([path, each]) =>
    isRecord(each) && !/(?:^|\/)node_modules\//.test(path)
      ? [path, { ...each, version: null }]
      : [path, each],
  );
  return JSON.stringify({ ...value, version: null, packages });
}

/** Many packages need their install scripts, so `rebuild` runs them. A failing one does not prevent the installation. */
function commandFor(tool: NodeTool, lock: string | null): Pick<Install, "command" | "script"> {
  switch (tool) {
    case "npm": {
      const quiet = "--no-audit --no-fund --ignore-scripts";
      const rebuild = "{ npm rebuild || :; }";
      if (lock !== null)
        return { command: "npm ci", script: `npm ci --prefer-offline ${quiet} && ${rebuild}` };
      const install = `npm install --no-package-lock ${quiet}`;
      // Cached package data may be older than the wanted version.
      return {
        command: "npm install",
        script: `{ ${install} --prefer-offline || ${install}; } && ${rebuild}`,
      };
    }
    case "pnpm": {
      const command = `pnpm install ${lock === null ? "--no-lockfile" : "--frozen-lockfile"}`;
      return { command, script: `${command} --prefer-offline --ignore-scripts && { pnpm rebuild || :; }` };
    }
    case "yarn": {
      if (lock?.includes("__metadata:") === true)
        return { command: "yarn install --immutable", script: "yarn install --immutable" };
      const command = `yarn install ${lock === null ? "--no-lockfile" : "--frozen-lockfile"}`;
      return { command, script: `${command} --prefer-offline --non-interactive --ignore-scripts` };
    }
  }
}
