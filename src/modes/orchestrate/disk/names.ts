import { join } from "node:path";
import type { BoardRole } from "../../../core/board/answer.ts";

/** The files of a board. All but orders and reports are in its directory itself. */
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

/** The iteration number in the name of an order or a report; null: the foreman would not use this name. */
export function iterationIn(name: string): number | null {
  const digits = /^(\d{4}|[1-9]\d{4,7})-(?:TEST|DEV|REVIEW)\.md$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The highest iteration number in a history. */
export function lastIterationOf(history: string): number {
  return highest(Array.from(history.matchAll(/^## Iteration (\d{1,8})\b/gm), ([, digits]) => Number(digits)));
}

/** Not `Math.max(...)`: a call takes some ten thousand arguments, and a history may have millions. */
export function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** The name on the board of a path; null: the path is elsewhere. */
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

/** Paths that only the foreman writes. All other files on the board belong to the work tree. */
export function ownPaths(boardDir: string): readonly string[] {
  return [...Object.values(BOARD), ORDERS, REPORTS].map((name) => join(boardDir, name));
}
