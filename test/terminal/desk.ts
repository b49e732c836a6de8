import { execFileSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { onTestFailed, onTestFinished } from "vitest";
import { spawnPrivately } from "../../src/platform/files/private-fd.ts";
import { openPty, type Pty } from "../../src/platform/terminal/pty.ts";
import type { Size } from "../../src/platform/terminal/screen.ts";
import { until } from "../rig/rig.ts";
import type { Order } from "../zoo/terminal/host.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const ZOO = join(ROOT, "test", "zoo", "terminal");
const OPEN_TERMINAL = `exec <>"$1" >&0 2>&0; shift; exec "$@"`;

const bundled = new Map<string, Promise<string>>();

/** A TypeScript program of the zoo, bundled into one file for Node 20. */
export function zooFile(name: string): Promise<string> {
  const file = bundled.get(name) ?? bundle(name);
  bundled.set(name, file);
  return file;
}

async function bundle(name: string): Promise<string> {
  const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-zoo-"));
  process.once("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
  // Packages are not bundled, as in the product.
  fs.symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const build = await rolldown({ input: join(ZOO, `${name}.ts`), platform: "node", external: [/^@/] });
  const file = join(dir, `${name}.mjs`);
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return file;
}

export interface DeskOptions {
  readonly size?: Size;
  /** Words before the host's command line, such as a shell with job control. */
  readonly through?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

type News = Readonly<Record<string, unknown>>;

/** A user's desk: a real terminal (pty) with a substitute for the foreman. */
export class Desk {
  readonly pty: Pty;
  readonly child: ChildProcess;
  readonly #socket: net.Socket;
  readonly #news: News[] = [];
  readonly #changes = new EventEmitter();
  #chunks: Buffer[] = [];
  hostPid = 0;

  private constructor(pty: Pty, child: ChildProcess, socket: net.Socket) {
    this.pty = pty;
    this.child = child;
    this.#socket = socket;
    pty.reader.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#changes.emit("change");
    });
    createInterface(socket).on("line", (line) => {
      this.#news.push(JSON.parse(line) as News);
      this.#changes.emit("change");
    });
    socket.on("error", () => undefined);
    child.once("exit", () => this.#changes.emit("change"));
  }

  static async open({
    size = { columns: 80, rows: 24 },
    through = [],
    env = {},
  }: DeskOptions = {}): Promise<Desk> {
    const host = await zooFile("host");
    const pty = await openPty(size);
    if ("problem" in pty) throw new Error(pty.detail);
    const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-desk-"));
    const path = join(dir, "s");
    const server = net.createServer().listen(path);
    await once(server, "listening");
    const connected = once(server, "connection") as Promise<[net.Socket]>;
    const words = [...through, process.execPath, host, path];
    const child = spawnPrivately("/bin/sh", ["-c", OPEN_TERMINAL, "sh", pty.name, ...words], {
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
      env: { ...process.env, TERM: "xterm-256color", ...env },
    });
    const [socket] = await connected;
    server.close();
    const desk = new Desk(pty, child, socket);
    onTestFailed(
      () =>
        void process.stderr.write(`--- seen\n${JSON.stringify(desk.seen.toString("latin1").slice(-2000))}\n`),
    );
    onTestFinished(() => {
      desk.leave();
      fs.rmSync(dir, { recursive: true, force: true });
    });
    return desk;
  }

  /** All output to the terminal. */
  get seen(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  /** Discards the output so far. */
  forget(): void {
    this.#chunks = [];
  }

  get news(): readonly News[] {
    return this.#news;
  }

  send(order: Order): void {
    this.#socket.write(`${JSON.stringify(order)}\n`);
  }

  press(keys: string | Buffer): Promise<void> {
    return this.pty.input.write(Buffer.from(keys));
  }

  /** The next news of this kind from the host. Earlier news is discarded. */
  async hears(key: string): Promise<News> {
    const found = await this.until(() => {
      const at = this.#news.findIndex((news) => key in news);
      return at >= 0 && this.#news.splice(0, at + 1).at(-1);
    });
    return found;
  }

  async shows(what: string | RegExp): Promise<string> {
    return this.until(() => {
      const text = this.seen.toString("utf8");
      return (typeof what === "string" ? text.includes(what) : what.test(text)) && text;
    });
  }

  async until<T>(look: () => T | false | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== false && found !== undefined) return found;
      await once(this.#changes, "change");
    }
  }

  /** Reads or changes the terminal's settings. */
  stty(...args: readonly string[]): string {
    const terminal = fs.openSync(this.pty.name, fs.constants.O_RDWR | fs.constants.O_NOCTTY);
    try {
      return execFileSync("stty", args, { stdio: [terminal, "pipe", "pipe"], encoding: "utf8" });
    } finally {
      fs.closeSync(terminal);
    }
  }

  /** Waits until the foreman controls the terminal again. */
  async rawAgain(cooked: string): Promise<void> {
    await until(() => this.stty("-g") !== cooked);
  }

  /** Starts an agent. */
  async run(words: readonly string[], contained = true): Promise<void> {
    this.send({ do: "open", words, contained });
    const { pid } = await this.hears("opened");
    this.hostPid = Number(pid);
  }

  /** Waits for the end of the agent and for the terminal's repair; returns the result. */
  async finish(): Promise<unknown> {
    const { ended } = await this.hears("ended");
    this.send({ do: "close" });
    await this.hears("closed");
    await this.#readAll();
    return ended;
  }

  /** Waits for a mark, so everything sent before it has been read. */
  async #readAll(): Promise<void> {
    const mark = Buffer.from(`\u001b]${randomUUID()}\u0007`);
    void this.pty.output.write(mark);
    const at = await until(() => {
      const found = this.seen.indexOf(mark);
      return found >= 0 && { found };
    });
    const { seen } = this;
    this.#chunks = [seen.subarray(0, at.found), seen.subarray(at.found + mark.length)];
  }

  leave(): void {
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined)
      process.kill(-this.child.pid, "SIGKILL");
    this.#socket.destroy();
    this.pty.close();
  }
}
