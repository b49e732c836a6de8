import type { Redactor } from "../text/redact.ts";
import type { Lang } from "../core/settings.ts";

/** Flags of `board` as commander passes them. */
export interface BoardFlags {
  readonly board?: string;
  readonly cwd?: string;
  readonly goal?: string;
  readonly test?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly lang?: Lang;
}

/** The board's directory, and a redactor for secrets that must not be written there. */
export interface BoardPlace {
  readonly cwd: string;
  readonly dir: string;
  readonly redactor: Redactor;
}

export const BOARD_COMMAND = "board";
