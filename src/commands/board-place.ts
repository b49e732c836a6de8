import type { Redactor } from "../domain/redact.ts";
import type { Lang } from "../domain/settings.ts";

/** The flags of `board` as commander hands them over. */
export interface BoardFlags {
  readonly board?: string;
  readonly cwd?: string;
  readonly goal?: string;
  readonly test?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly lang?: Lang;
}

/** Where the board is, and what must not stand on it. */
export interface BoardPlace {
  readonly cwd: string;
  readonly dir: string;
  readonly redactor: Redactor;
}

export const BOARD_COMMAND = "board";
