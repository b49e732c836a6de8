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

/** The number of the iteration that a file of orders or reports belongs to, or null. */
export function iterationIn(name: string): number | null {
  const digits = /^(\d{4,9})-(?:TEST|DEV|REVIEW)\.md$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The numbers of all iterations that a history tells of. */
export function iterationsIn(history: string): readonly number[] {
  return [...history.matchAll(/^## Iteration (\d{1,9})\b/gm)].map(([, number]) => Number(number));
}

/** Whether the foreman writes a file of this name, relative to the board. */
export function isBoardFile(name: string): boolean {
  const [folder = "", file = "", ...deeper] = name.split("/");
  if (folder === ORDERS || folder === REPORTS) return deeper.length === 0 && iterationIn(file) !== null;
  return Object.values<string>(BOARD).includes(name);
}
