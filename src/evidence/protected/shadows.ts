import type { ProtectedKind } from "../../core/evidence/change.ts";
import type { TraceResult } from "./trace-result.ts";
import { isWithEntries } from "./names.ts";
import { isTestPath } from "./test-paths.ts";
import { folderOf, inFolder, nameOf, stemOf } from "../../text/paths.ts";
import { isKnownProgram } from "./programs.ts";

interface Input {
  readonly files: ReadonlySet<string>;
  readonly kindOf: (path: string) => ProtectedKind | null;
  readonly followed: Pick<TraceResult, "executed" | "helpers" | "programFolders" | "called">;
}

/** A module's or program's path without its ending; a package's or folder's own file means the folder. */
function bareOf(path: string): string {
  const name = nameOf(path);
  const isFirst = /^(?:__init__|index)\.\w+$/.test(name);
  const stem = stemOf(name.replace(/\.[\w-]+(?=\.(?:so|pyd)$)/, ""));
  return isFirst ? folderOf(path) : inFolder(folderOf(path), stem);
}

/** Node also finds files without an ending. */
const LOADED = /\.(?:[cm]?[jt]sx?|json|node|py|pyc|so|pyd)$|(?:^|\/)[^/.]+$/;
/** Endings of files from which make's built-in rules build others. */
const MADE_OF = /\.(?:sh|c|cc|cpp|C|p|f|F|r|m|mod|s|S|o|y|l|w|web|cweb|tex|texi|texinfo|txinfo)$/;

/** New files that share a protected file's name without its ending: a loader may find them first, or make may build the file from them. */
export function shadowsName({ files, kindOf, followed }: Input): (path: string) => boolean {
  const loaded = new Set<string>();
  const made = new Set<string>();
  for (const path of files) {
    const kind = kindOf(path);
    if (kind === null || kind === "shadow") continue;
    if (kind === "config") made.add(path);
    const name = nameOf(path);
    // Programs read it by its exact name.
    if (isWithEntries(path) || (kind === "config" && name.endsWith(".json"))) continue;
    // A runner finds tests by their full names, so a test that no command names may become a package.
    if (
      !LOADED.test(name) ||
      name.startsWith(".") ||
      (isTestPath(name) && !(name.endsWith(".py") && followed.helpers.has(path)))
    )
      continue;
    loaded.add(bareOf(path));
    const folder = folderOf(path);
    const isApart = followed.executed.has(path) && folder !== "" && !files.has(`${folder}/__init__.py`);
    if (name.endsWith(".py") && isApart) loaded.add(folder);
  }
  return (path) =>
    (LOADED.test(path) && loaded.has(bareOf(path))) ||
    (MADE_OF.test(path) && made.has(path.replace(MADE_OF, "")));
}

/** New programs that the shell would find before well-known programs or checkers. */
export function shadowsProgram({ followed }: Input): (path: string) => boolean {
  return (path) => {
    const name = nameOf(path);
    return followed.programFolders.has(folderOf(path)) && (isKnownProgram(name) || followed.called.has(name));
  };
}
