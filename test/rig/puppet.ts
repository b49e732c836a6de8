import net from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Rig } from "./rig.ts";

/** One running puppet agent (test/zoo/bin/puppet): it does what it is told, when it is told. */
export class Puppet {
  readonly #socket: net.Socket;
  readonly env: Readonly<Record<string, string>>;
  readonly gone: Promise<void>;
  #answered: (() => void)[] = [];

  constructor(socket: net.Socket, env: Readonly<Record<string, string>>) {
    this.#socket = socket;
    this.env = env;
    this.gone = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      for (const _ of chunk.toString().matchAll(/ok\n/g)) this.#answered.shift()?.();
    });
  }

  /** Settles when the puppet has done it. */
  do(
    order: { stdout: string } | { stderr: string } | { spawn: string } | { write: string; text: string },
  ): Promise<void> {
    return new Promise((resolve) => {
      this.#answered.push(resolve);
      this.#socket.write(`${JSON.stringify(order)}\n`);
    });
  }

  async exit(code = 0): Promise<void> {
    this.#socket.write(`${JSON.stringify({ exit: code })}\n`);
    await this.gone;
  }

  /** Has changed a file by then. */
  async say(status: string, evidence = "puppet"): Promise<void> {
    const { GA_RUN_DIR: dir = "", GA_LOOP_INDEX: round = "" } = this.env;
    await this.do({ write: "work.txt", text: `${dir} ${round}\n` });
    await this.do({ stdout: `GA_STATUS=${status}\nGA_EVIDENCE=${evidence}\n` });
    await this.exit(0);
  }
}

/** The strings to all puppets of a rig. Pass `env` to the program, use `puppet` as its agent, and await each turn. */
export class Strings {
  readonly env: Readonly<Record<string, string>>;
  readonly #waiting: ((puppet: Puppet) => void)[] = [];
  readonly #arrived: Puppet[] = [];

  private constructor(path: string) {
    this.env = { PUPPET_SOCKET: path };
  }

  static async attach(rig: Rig): Promise<Strings> {
    const strings = new Strings(join(rig.root, "puppet.sock"));
    const server = net.createServer((socket) => {
      socket.once("data", (hello) => strings.#arrive(new Puppet(socket, JSON.parse(hello.toString()))));
    });
    await new Promise<void>((resolve) => server.listen(strings.env["PUPPET_SOCKET"], resolve));
    onTestFinished(() => void server.close());
    return strings;
  }

  /** The next agent that was started. */
  next(): Promise<Puppet> {
    const there = this.#arrived.shift();
    return there ? Promise.resolve(there) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #arrive(puppet: Puppet): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(puppet);
    else this.#arrived.push(puppet);
  }
}
