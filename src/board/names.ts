import { join } from "node:path";
import type { BoardRole } from "../domain/board/answer.ts";

/** The files of a board; all but orders and reports lie in its directory itself. */
export const BOARD = {
  plan: "dev_plan.md",
  history: "project_history.md",
  context: "global_context.md",
  env: "project_env.json",
  decisions: "user_decisions.md",
} as const;

export const ORDERS = "orders";
export const REPORTS = "reports";

/** `orders/0012-DEV.md` */
export function fileOf(folder: typeof ORDERS | typeof REPORTS, iteration: number, role: BoardRole): string {
  return `${folder}/${String(iteration).padStart(4, "0")}-${role}.md`;
}

/** The number of the iteration that a file of orders or reports belongs to, or null: the foreman would not have named it so. */
export function iterationIn(name: string): number | null {
  const digits = /^(\d{4}|[1-9]\d{4,7})-(?:TEST|DEV|REVIEW)\.md$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The highest number of an iteration that a history tells of. */
export function lastIterationOf(history: string): number {
  return highest(Array.from(history.matchAll(/^## Iteration (\d{1,8})\b/gm), ([, digits]) => Number(digits)));
}

/** Not by `Math.max(...)`: a call takes some ten thousand arguments, a history may hold millions. */
export function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** What a path on the board is called there; null: it lies elsewhere. */
export function nameOnBoard(path: string, boardDir: string): string | null {
  const under = `${boardDir}/`;
  return path.startsWith(under) ? path.slice(under.length) : null;
}

/** Whether the foreman writes a file of this name, relative to the board. */
export function isBoardFile(name: string): boolean {
  const [folder = "", file = "", ...deeper] = name.split("/");
  if (folder === ORDERS || folder === REPORTS) return deeper.length === 0 && iterationIn(file) !== null;
  return Object.values<string>(BOARD).includes(name);
}

/** What the foreman writes itself, of which nobody else's work consists: whatever else lies on the board belongs to the work tree. */
export function ownPaths(boardDir: string): readonly string[] {
  return [...Object.values(BOARD), ORDERS, REPORTS].map((name) => join(boardDir, name));
}
