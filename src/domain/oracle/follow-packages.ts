import { isRecord, isText } from "../steps/values.ts";
import { isFixture } from "./names.ts";
import type { PackageCall } from "./package-call.ts";
import { folderOf, foldersAbove, inFolder, nameOf, resolved } from "./paths.ts";
import { operandAt } from "./programs.ts";
import { readJson, readJsonWithComments, textsIn } from "./read-json.ts";
import type { Base, Walk, Where } from "./walk.ts";

const MAX_PACKAGES = 2000;
const MAX_NESTED_TASKS = 20;

/** The nearest file of that name, here or above, as package managers find theirs. */
export function nearest(walk: Walk, name: string, { folder }: Where): string[] {
  const start = folder ?? walk.root;
  const found = [start, ...foldersAbove(start)]
    .map((above) => inFolder(above, name))
    .find((path) => walk.base.files.has(path));
  return found === undefined ? [] : [found];
}

/** All packages of the tree that are not what tests are made with. */
export function packagesIn(files: Iterable<string>): string[] {
  const found: string[] = [];
  for (const path of files) {
    if (nameOf(path) !== "package.json" || /(?:^|\/)node_modules\//.test(path) || isFixture(path)) continue;
    if (found.push(path) >= MAX_PACKAGES) break;
  }
  return found;
}

export function followCall(walk: Walk, call: PackageCall, where: Where): void {
  const folder = call.folder === null ? where.folder : resolved(where.folder ?? walk.root, call.folder);
  const there = { ...where, folder };
  const manifests = call.everywhere ? packagesIn(walk.base.files) : nearest(walk, "package.json", there);
  const asked = call.command?.[0];
  const names = asked === undefined ? call.scripts : [asked];
  // What is asked for may be a program of a dependency; only where a script has that name it is the script.
  const found = names.filter((name) =>
    manifests
      .map((manifest) => useScript(walk, manifest, { name, evenAbsent: asked === undefined }, where))
      .includes(true),
  );
  if (call.everywhere) for (const name of found) walk.anywhere.add(name);
  if (asked === undefined || call.command === null || found.length > 0) return;
  walk.run(asked, there);
  walk.command(call.command, there);
}

/** A script by its name, or by a pattern as programs know them that run several. */
export function followScripts(walk: Walk, pattern: string, where: Where): void {
  const [start = "", ...more] = pattern.split("*");
  for (const manifest of nearest(walk, "package.json", where))
    for (const name of Object.keys(scriptsIn(walk.base, manifest)))
      if (more.length === 0 ? name === pattern : name.startsWith(start))
        useScript(walk, manifest, { name, evenAbsent: true }, where);
}

/** Whether there is such a script. */
function useScript(
  walk: Walk,
  manifest: string,
  { name, evenAbsent }: { readonly name: string; readonly evenAbsent: boolean },
  where: Where,
): boolean {
  const scripts = scriptsIn(walk.base, manifest);
  const there = Object.hasOwn(scripts, name);
  if (!there && !evenAbsent) return false;
  walk.useScript(manifest, name);
  const home = folderOf(manifest);
  for (const used of [`pre${name}`, name, `post${name}`]) {
    const text = Object.hasOwn(scripts, used) ? scripts[used] : null;
    if (isText(text)) walk.text(text, { ...where, folder: home, home });
  }
  return there;
}

function scriptsIn(base: Base, manifest: string): Readonly<Record<string, unknown>> {
  const value = readJson(base.read(manifest) ?? "");
  return isRecord(value) && isRecord(value["scripts"]) ? value["scripts"] : {};
}

/** Tasks of deno.json and scripts of composer.json: texts, lists of texts, or records that hold some. */
export function followTasks(
  walk: Walk,
  file: "deno.json" | "composer.json",
  args: readonly string[],
  where: Where,
): void {
  const from = args[0] === "run" || args[0] === "run-script" ? 1 : 0;
  const name = args[operandAt(args, from, ["--cwd", "-c", "-d"])] ?? "";
  const names = file === "deno.json" ? ["deno.json", "deno.jsonc"] : [file];
  for (const manifest of names.flatMap((one) => nearest(walk, one, where))) {
    const value = readJsonWithComments(walk.base.read(manifest) ?? "");
    const tasks = isRecord(value) ? (value["tasks"] ?? value["scripts"]) : null;
    const there = { ...where, home: folderOf(manifest) };
    if (isRecord(tasks)) followTask(walk, { manifest, tasks }, name, there, 0);
  }
}

interface Tasks {
  readonly manifest: string;
  readonly tasks: Readonly<Record<string, unknown>>;
}

function followTask(walk: Walk, among: Tasks, name: string, where: Where, depth: number): void {
  if (!Object.hasOwn(among.tasks, name) || depth > MAX_NESTED_TASKS) return;
  walk.useScript(among.manifest, name);
  const parts = [among.tasks[name]].flat(2);
  for (const text of parts.flatMap((one) => (isRecord(one) ? Object.values(one).flat(2) : [one]))) {
    if (!isText(text)) continue;
    if (/^@?[\w:.-]+$/.test(text)) followTask(walk, among, text.replace(/^@/, ""), where, depth + 1);
    walk.text(text.replace(/^@(?:php|putenv|composer)\s+/, ""), where);
  }
}

const OWN_IMPORT = /["'](#[\w@./-]{1,200})["']/g;

/** What a file loads by the names that its package has for it. */
export function importedBy(base: Base, path: string, text: string): string[] {
  const manifest = foldersAbove(path)
    .map((folder) => inFolder(folder, "package.json"))
    .find((candidate) => base.files.has(candidate));
  const names = [...text.matchAll(OWN_IMPORT)].map(([, name = ""]) => name);
  const value = manifest === undefined || names.length === 0 ? null : readJson(base.read(manifest) ?? "");
  if (manifest === undefined || !isRecord(value) || !isRecord(value["imports"])) return [];
  const imports = Object.entries(value["imports"]);
  return names.flatMap((name) =>
    imports.flatMap(([key, targets]) => {
      const [start = "", end] = key.split("*");
      if (end === undefined ? key !== name : !name.startsWith(start) || !name.endsWith(end)) return [];
      const part = name.slice(start.length, name.length - (end ?? "").length);
      return textsIn(targets).flatMap(
        (target) =>
          resolved(
            folderOf(manifest),
            target.replace("*", () => part),
          ) ?? [],
      );
    }),
  );
}
