import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { StreamName } from "./write-turns.ts";
import type { PipePool } from "./pipes.ts";
import { WriteOrder } from "./write-order.ts";

const READ_SIZE = 64 * 1024;

/** The pipes between a command and the foreman: the child's ends, and a reader of its output. */
export interface Capture {
  readonly stdio: readonly [number | "pipe", number | "pipe"];
  /** Pipes by name, for a command that opens them itself. */
  readonly paths?: Readonly<Record<StreamName, string>>;
  /** Call it once the child has its ends, has ended, or failed to start. Until then the end of output cannot be seen. */
  readonly attach: (child: ChildProcess | undefined) => void;
  readonly ended: Promise<unknown>;
  /** Stops reading, even if a process still holds the pipes. */
  readonly abandon: () => void;
  readonly order: WriteOrder;
}

export type OnChunk = (stream: StreamName, chunk: Buffer) => void;
type OnError = (error: Error) => void;

/** `merged`: both streams share one pipe, so their order is exact, but not which stream a byte came from. */
export function openCapture(pool: PipePool, merged: boolean, onChunk: OnChunk, onError: OnError): Capture {
  if (process.platform === "win32") return captureByNode(onChunk, onError);
  const order = new WriteOrder();
  const out = openPipe(pool, (chunk) => onChunk("stdout", chunk), onError);
  if (merged)
    return {
      stdio: [out.writeFd, out.writeFd],
      paths: { stdout: out.path, stderr: out.path },
      attach: () => fs.closeSync(out.writeFd),
      ended: out.ended,
      abandon: () => {
        out.abandon();
        order.close();
      },
      order,
    };

  const err = openPipe(pool, (chunk) => onChunk("stderr", chunk), onError);
  const paths = { stdout: out.path, stderr: err.path };
  order.watch(paths);
  return {
    stdio: [out.writeFd, err.writeFd],
    paths,
    attach: () => {
      fs.closeSync(out.writeFd);
      fs.closeSync(err.writeFd);
    },
    ended: Promise.all([out.ended, err.ended]),
    abandon: () => {
      out.abandon();
      err.abandon();
      order.close();
    },
    order,
  };
}

/** Windows has no such named pipes. This uses Node's own, with the order between the streams as it was seen arriving. */
export function captureByNode(onChunk: OnChunk, onError: OnError): Capture {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let streams: Readable[] = [];
  const order = new WriteOrder();
  return {
    stdio: ["pipe", "pipe"],
    attach: (child) => {
      if (!child?.stdout || !child.stderr) return end();
      streams = [child.stdout, child.stderr];
      child.stdout.on("data", (chunk: Buffer) => deliver(() => onChunk("stdout", chunk), onError));
      child.stderr.on("data", (chunk: Buffer) => deliver(() => onChunk("stderr", chunk), onError));
      void Promise.allSettled(streams.map((stream) => finished(stream))).then(() => end());
    },
    ended,
    abandon: () => {
      for (const stream of streams) stream.destroy();
      order.close();
    },
    order,
  };
}

export function deliver(handOver: () => void, onError: OnError): void {
  try {
    handOver();
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
  }
}

interface Pipe {
  readonly path: string;
  readonly writeFd: number;
  readonly ended: Promise<void>;
  readonly abandon: () => void;
}

function openPipe(pool: PipePool, onData: (chunk: Buffer) => void, onError: OnError): Pipe {
  const { path, readFd, writeFd } = pool.open();
  // One buffer for all reads keeps memory flat. A chunk that is not in the transcript by the next read is lost.
  const buffer = Buffer.allocUnsafe(READ_SIZE);
  // `onread` is documented for connecting sockets only, but here too it saves a buffer for every read.
  const options: net.SocketConstructorOpts & { onread: net.OnReadOpts } = {
    fd: readFd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (length) => {
        deliver(() => onData(buffer.subarray(0, length)), onError);
        return true;
      },
    },
  };
  const socket = new net.Socket(options);
  let sawEnd = false;
  const ended = new Promise<void>((resolve) => {
    socket.once("end", () => {
      sawEnd = true;
      resolve();
    });
    socket.once("close", () => resolve());
    socket.once("error", (error) => {
      onError(error);
      resolve();
    });
  });
  socket.resume();
  const letGo = (): void => (sawEnd ? pool.giveBack(path) : fs.rmSync(path, { force: true }));
  const abandon = (): void => {
    if (socket.closed) return letGo();
    socket.once("close", letGo);
    socket.destroy();
  };
  return { path, writeFd, ended, abandon };
}
