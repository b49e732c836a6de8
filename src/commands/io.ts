import type { Lang } from "../domain/settings.ts";

/** The world a command talks to. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly lang: Lang;
  /** Nobody is to be asked, even at a terminal. */
  readonly unattended?: true;
}

/** A person can be asked only where both the question is seen and the answer can be typed. */
export function canAsk(io: Io): boolean {
  if (io.unattended === true) return false;
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
