import net from "node:net";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Rig } from "./rig.ts";

/** A running puppet agent (test/zoo/bin/puppet), which acts on the test's commands. */
export class Puppet {
  readonly #socket: net.Socket;
  readonly env: Readonly<Record<string, string>>;
  readonly gone: Promise<void>;
  #answered: (() => void)[] = [];

  constructor(socket: net.Socket, lines: Interface, env: Readonly<Record<string, string>>) {
    this.#socket = socket;
    this.env = env;
    this.gone = new Promise((resolve) => socket.once("close", () => resolve()));
    // Each line is an answer.
    lines.on("line", () => this.#answered.shift()?.());
  }

  /** Resolves when the puppet has done it. */
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

  /** When it resolves, the puppet has also changed a file. */
  async say(status: string, evidence = "puppet"): Promise<void> {
    const { GA_RUN_DIR: dir = "", GA_LOOP_INDEX: round = "" } = this.env;
    await this.do({ write: "work.txt", text: `${dir} ${round}\n` });
    await this.do({ stdout: `GA_STATUS=${status}\nGA_EVIDENCE=${evidence}\n` });
    await this.exit(0);
  }
}

/** The connections to all puppets of a rig. Pass `env` to the program, use `puppet` as its agent, and await each turn. */
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
      socket.on("error", () => undefined);
      const lines = createInterface(socket);
      // A large environment arrives in several pieces.
      lines.once("line", (env) => strings.#arrive(new Puppet(socket, lines, JSON.parse(env))));
    });
    await new Promise<void>((resolve) => server.listen(strings.env["PUPPET_SOCKET"], resolve));
    onTestFinished(() => void server.close());
    return strings;
  }

  /** The next agent that starts. */
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
