import { spawn, type ChildProcess } from "node:child_process";
import { findTool } from "../files/tools.ts";

/** Hears of the last line only: what is to be done once nobody speaks any more. */
const WATCH = `last=off
while IFS= read -r line; do last=$line; done
[ "$last" = off ] && exit
printf %b "$last"
"$1" "$2" <&1`;

/**
 * A small shell that puts the user's terminal right when the foreman is gone without having done so: killed, crashed. It has a
 * session of its own, so that what ends the foreman's process group does not end it too, and job control does not concern it.
 */
export class Guardian {
  readonly #shell: ChildProcess;
  #told = "";

  constructor(terminal: number, settings: string) {
    this.#shell = spawn("/bin/sh", ["-c", WATCH, "sh", findTool("stty"), settings], {
      cwd: "/",
      stdio: ["pipe", terminal, "ignore"],
      detached: true,
    });
    this.#shell.on("error", () => undefined);
    this.#shell.stdin?.on("error", () => undefined);
    this.#shell.unref();
  }

  /** From now on the terminal is not as it was: this resets it. */
  watch(resets: string): void {
    // In an argument of printf's %b.
    this.#tell(resets.replaceAll("\\", "\\\\").replaceAll(/[\u0000-\u001f]/g, escaped));
  }

  /** The terminal is as it was. */
  standDown(): void {
    this.#tell("off");
  }

  close(): void {
    this.standDown();
    this.#shell.stdin?.end();
  }

  #tell(line: string): void {
    if (line === this.#told) return;
    this.#told = line;
    this.#shell.stdin?.write(`${line}\n`);
  }
}

function escaped(character: string): string {
  return `\\0${(character.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`;
}
