import { isRecord, isText } from "../../../text/json/values.ts";
import { isFixture } from "../test-paths.ts";
import { folderOf, foldersAbove, inFolder, nameOf, resolved } from "../../../text/paths.ts";
import { readJson, readJsonWithComments, textsIn } from "../../../text/read-json.ts";
import type { Snapshot, Walk, ExecContext } from "../walk.ts";

const MAX_PACKAGES = 2000;
/** Programs that run scripts of package.json. */
const MANAGERS =
  /^(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|conc|start-server-and-test|turbo|nx|lerna)$/;
const EVERYWHERE =
  /^(?:-w|-ws|-r|-F|-A|--workspaces?|--recursive|--filter|--all|--parallel)(?:=.*)?$|^workspaces?$/;
const FOLDER_OPTION = /^(?:--prefix|--cwd|--dir|-C)(?:=(.*))?$/;
const INSTALLS = /^(?:install|i|ci|add|clean-install|install-clean|it|cit|install-test|install-ci-test)$/;
const TESTS = /^(?:t|tst|it|cit|install-test|install-ci-test)$/;
/** Scripts that an installation runs if they exist. */
export const INSTALL_SCRIPTS: readonly string[] = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "prepare",
];

/** The nearest file of that name, in each folder or above it. */
export function nearest(walk: Walk, name: string, folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => {
    const above = [folder, ...foldersAbove(folder)].map((one) => inFolder(one, name));
    return above.find((path) => walk.base.files.has(path)) ?? [];
  });
  return [...new Set(found)];
}

/** All packages of the tree, except test fixtures. */
export function packagesIn(files: Iterable<string>): string[] {
  const found: string[] = [];
  for (const path of files) {
    if (nameOf(path) !== "package.json" || /(?:^|\/)node_modules\//.test(path) || isFixture(path)) continue;
    if (found.push(path) >= MAX_PACKAGES) break;
  }
  return found;
}

/** Scripts of package.json: each word of such a command may name one. */
export function traceScripts(walk: Walk, words: readonly string[], where: ExecContext): void {
  const [name = "", ...args] = words;
  const isNode = name === "node" && args.includes("--run");
  if (!MANAGERS.test(name) && !isNode) return;
  const options = args.flatMap((word, at) => {
    const found = FOLDER_OPTION.exec(word);
    return found === null ? [] : [found[1] ?? args[at + 1] ?? ""];
  });
  const folders = where.folders.flatMap((folder) =>
    options.length === 0 ? [folder] : options.flatMap((option) => resolved(folder, option) ?? []),
  );
  const everywhere = args.some((word) => EVERYWHERE.test(word));
  const manifests = everywhere ? packagesIn(walk.base.files) : nearest(walk, "package.json", folders);
  // Later words are arguments for the script.
  const end = args.indexOf("--");
  const own = (end < 0 ? args : args.slice(0, end)).flatMap((word) => word.split(/\s+/));
  if (own.some((word) => TESTS.test(word))) own.push("test");
  const asked = own.map((word) => word.replace(/^npm:/, "")).filter((word) => !word.startsWith("-"));
  const unread = { ...where, outputRead: false };
  const isInstall = own.some((word) => INSTALLS.test(word)) || (name === "yarn" && asked.length === 0);
  for (const manifest of manifests) {
    if (isInstall && /^(?:npm|pnpm|yarn|bun)$/.test(name))
      for (const script of INSTALL_SCRIPTS) useScript(walk, manifest, script, unread);
    for (const script of Object.keys(scriptsIn(walk.base, manifest)))
      if (asked.some((word) => isMeant(word, script))) {
        useScript(walk, manifest, script, unread);
        if (everywhere) walk.anywhere.add(script);
      }
  }
}

function isMeant(word: string, script: string): boolean {
  const [start = "", ...more] = word.split("*");
  return more.length === 0 ? word === script : start !== "" && script.startsWith(start);
}

function useScript(walk: Walk, manifest: string, name: string, where: ExecContext): void {
  walk.useScript(manifest, name);
  const scripts = scriptsIn(walk.base, manifest);
  const home = folderOf(manifest);
  for (const used of [`pre${name}`, name, `post${name}`]) {
    const text = Object.hasOwn(scripts, used) ? scripts[used] : null;
    if (isText(text)) walk.text(text, { ...where, folders: [home], home });
  }
}

function scriptsIn(base: Snapshot, manifest: string): Readonly<Record<string, unknown>> {
  const value = readJson(base.read(manifest) ?? "");
  return isRecord(value) && isRecord(value["scripts"]) ? value["scripts"] : {};
}

/** Tasks of deno.json and scripts of composer.json may run each other, so all of them count. */
export function traceTasks(walk: Walk, [name = ""]: readonly string[], where: ExecContext): void {
  const files = name === "composer" ? ["composer.json"] : name === "deno" ? ["deno.json", "deno.jsonc"] : [];
  for (const manifest of files.flatMap((file) => nearest(walk, file, where.folders))) {
    const value = readJsonWithComments(walk.base.read(manifest) ?? "");
    const there = { ...where, outputRead: false, home: folderOf(manifest) };
    for (const text of isRecord(value) ? textsIn([value["tasks"], value["scripts"]]) : [])
      walk.text(text.replace(/^@(?:php|putenv|composer)\s+/, ""), there);
  }
}
