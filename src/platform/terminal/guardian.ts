import { spawn, type ChildProcess } from "node:child_process";
import { findTool } from "../files/tools.ts";

/** Acts on the last line only: what to do after the writer is gone. */
const WATCH = `last=off
while IFS= read -r line; do last=$line; done
[ "$last" = off ] && exit
printf %b "$last"
"$1" "$2" <&1`;

/**
 * A small shell that resets the user's terminal if the foreman was killed or crashed before it could. It has its own session, so
 * that ending the foreman's process group does not end it too, and job control does not concern it.
 */
export class Guardian {
  readonly #shell: ChildProcess;
  #sent = "";

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

  /** The terminal has changed from now on: `resets` restores it. */
  watch(resets: string): void {
    // In an argument of printf's %b.
    this.#send(resets.replaceAll("\\", "\\\\").replaceAll(/[\u0000-\u001f]/g, escaped));
  }

  /** The terminal is restored. */
  disarm(): void {
    this.#send("off");
  }

  close(): void {
    this.disarm();
    this.#shell.stdin?.end();
  }

  #send(line: string): void {
    if (line === this.#sent) return;
    this.#sent = line;
    this.#shell.stdin?.write(`${line}\n`);
  }
}

function escaped(character: string): string {
  return `\\0${(character.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`;
}
