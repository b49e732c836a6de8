import { relative } from "node:path";
import { GIT_STATE } from "../../platform/git/tree.ts";

const MAX_LINES = 400;

/** The project's files as MAIN sees them: only names, and not too many. */
export function treeText(
  tree: { readonly root: string; readonly files: ReadonlyMap<string, string> } | null,
  boardDir: string,
): string {
  if (!tree) return "";
  const board = `${relative(tree.root, boardDir)}/`;
  const paths = [...tree.files.keys()]
    .filter((path) => !GIT_STATE.test(path) && !path.startsWith(board))
    .sort();
  const shown = paths.length <= MAX_LINES ? paths : folded(paths);
  const left = shown.length - MAX_LINES;
  return [...shown.slice(0, MAX_LINES), ...(left > 0 ? [`... (+${left})`] : [])].join("\n");
}

/** For a large project only the folders, each with its number of files. */
function folded(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : path;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts, ([folder, count]) => (folder.endsWith("/") ? `${folder} (${count})` : folder));
}
