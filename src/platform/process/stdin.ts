import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import type { Writable } from "node:stream";
import type { PipePool } from "./pipes.ts";

export type Stdin =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string }
  /** The foreman writes while the command runs. Text for a command that is gone is silently lost. */
  | { readonly kind: "conversation"; readonly onOpen: (send: (text: string) => void) => void };

/** A command's standard input: the child's end, and what the foreman does with its own. */
export interface Input {
  readonly stdio: number | "pipe" | "ignore";
  /** By name, for a command that opens it itself. */
  readonly path: string;
  /** Call it once the child is started, or has failed to start. */
  readonly attach: (child: ChildProcess | undefined) => void;
  /** Sends the end of input after all that was sent. */
  readonly end: () => void;
  /** The command is over. */
  readonly close: () => void;
}

/** Throws if there is no such file. */
export function openInput(stdin: Stdin, pool: PipePool): Input {
  switch (stdin.kind) {
    case "none":
      return { stdio: "ignore", path: os.devNull, attach: nothing, end: nothing, close: nothing };
    case "file": {
      const fd = fs.openSync(stdin.path, "r");
      return {
        stdio: fd,
        path: stdin.path,
        attach: nothing,
        end: nothing,
        close: () => fs.closeSync(fd),
      };
    }
    case "conversation":
      return process.platform === "win32" ? talkByNode(stdin.onOpen) : talkByPipe(stdin.onOpen, pool);
  }
}

type OnOpen = (Stdin & { kind: "conversation" })["onOpen"];

/**
 * A named pipe as for the output. The foreman holds both ends until the command is over: the command can then open its end at any
 * time without waiting for a writer, and no earlier text is lost.
 */
function talkByPipe(onOpen: OnOpen, pool: PipePool): Input {
  const { path, readFd, writeFd } = pool.open();
  const writer = new net.Socket({ fd: writeFd, readable: false, writable: true });
  const talk = talkThrough(writer);
  return {
    stdio: readFd,
    path,
    attach: () => onOpen(talk.send),
    end: talk.end,
    close: () => {
      writer.destroy();
      fs.closeSync(readFd);
      // Not reused: with best-effort containment, some process may still read from it.
      fs.rmSync(path, { force: true });
    },
  };
}

/** For Windows, with Node's own pipe. */
export function talkByNode(onOpen: OnOpen): Input {
  let talk: Talk | undefined;
  return {
    stdio: "pipe",
    path: os.devNull,
    attach: (child) => {
      if (child?.stdin) talk = talkThrough(child.stdin);
      onOpen((text) => talk?.send(text));
    },
    end: () => talk?.end(),
    close: () => talk?.end(),
  };
}

interface Talk {
  readonly send: (text: string) => void;
  readonly end: () => void;
}

/** Unread text waits in the stream's queue, so the foreman never blocks. */
function talkThrough(writer: Writable): Talk {
  writer.on("error", nothing);
  return {
    send: (text) => {
      if (writer.writable) writer.write(text);
    },
    end: () => {
      if (writer.writable) writer.end();
    },
  };
}

function nothing(): void {}
