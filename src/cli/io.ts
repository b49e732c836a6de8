import type { Lang } from "../core/settings.ts";
import { isCi } from "../screens/terminal.ts";

/** A command's environment. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  readonly lang: Lang;
  /** Asks no questions, even at a terminal. */
  readonly unattended?: true;
}

/** Asking needs a visible question and a keyboard. CI services also provide terminals, so these are excluded. */
export function canAsk(io: Io): boolean {
  if (io.unattended === true || isCi(io.env)) return false;
  // Undefined, despite its type, if a stream is no terminal.
  return [io.stdin, io.stderr].every((stream) => stream.isTTY);
}

/** Precedence: `--lang`, then the locale variables in the order of POSIX. */
export function chooseLang(wanted: string | undefined, env: NodeJS.ProcessEnv): Lang {
  if (wanted === "zh" || wanted === "en") return wanted;
  const locale = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale?.toLowerCase().startsWith("zh") ? "zh" : "en";
}
