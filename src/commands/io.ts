import type { Lang } from "../domain/settings.ts";
import { isCi } from "../reporters/terminal.ts";

/** The world a command talks to. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The words after the program's name. */
  readonly args: readonly string[];
  readonly lang: Lang;
  /** Nobody is to be asked, even at a terminal. */
  readonly unattended?: true;
}

/** A person can be asked only where both the question is seen and the answer can be typed. Jobs of CI services have terminals, too. */
export function canAsk(io: Io): boolean {
  if (io.unattended === true || isCi(io.env)) return false;
  // Undefined, whatever its type says, where a stream is no terminal.
  return [io.stdin, io.stderr].every((stream) => stream.isTTY);
}

/** By `--lang`, else by locale, in the order POSIX gives the variables. */
export function chooseLang(wanted: string | undefined, env: NodeJS.ProcessEnv): Lang {
  if (wanted === "zh" || wanted === "en") return wanted;
  const locale = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find(
    (value) => value !== undefined && value !== "",
  );
  return locale?.toLowerCase().startsWith("zh") ? "zh" : "en";
}
