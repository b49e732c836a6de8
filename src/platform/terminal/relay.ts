import { Ground } from "./ground.ts";
import type { Pty } from "./pty.ts";
import { Sentinel } from "./sentinel.ts";
import { Title } from "./title.ts";
import type { UserTerminal } from "./user-terminal.ts";

/** Above this, one side waits for the other. */
const MUCH = 256 * 1024;
const LITTLE = 64 * 1024;
/** If nothing moves for this long, a program has stopped the pty's output (TCOOFF) and is gone. */
const STUCK_MS = 1000;

export interface RelayListener {
  readonly output: (chunk: Buffer) => void;
  readonly keys: (chunk: Buffer) => void;
}

/** Carries bytes between the user's terminal and the agent's, unchanged. A slow side slows down the other. */
export class Relay {
  readonly #pty: Pty;
  readonly #user: UserTerminal;
  readonly #listener: RelayListener;
  readonly #ground = new Ground();
  readonly #title = new Title();
  #changes = 0;
  #passed = 0;
  #sentinel: Sentinel | undefined;
  #checkDrained: () => void = () => undefined;
  #draining: Promise<void> = Promise.resolve();
  #patient = true;
  #userWaits = false;
  #held = false;

  constructor(pty: Pty, user: UserTerminal, listener: RelayListener) {
    this.#pty = pty;
    this.#user = user;
    this.#listener = listener;
    pty.reader.on("data", (chunk: Buffer) => this.#fromAgent(chunk));
    user.onKeys((chunk) => this.#fromUser(chunk));
    user.remember(this.#ground.resetsFromAfar());
  }

  type(bytes: Buffer): Promise<void> {
    return this.#pty.input.write(bytes);
  }

  hold(): void {
    this.#held = true;
    this.#user.pause();
  }

  release(): void {
    this.#held = false;
    if (!this.#userWaits) this.#user.resume();
  }

  hint(title: string | null, notify: boolean): void {
    this.#title.want(title, notify);
    this.#showTitle();
  }

  /** Resets for the modes that the agent left on. */
  get resets(): string {
    return this.#ground.resets();
  }

  /** Gives up on a terminal that takes nothing any more. */
  hurry(): void {
    this.#patient = false;
  }

  /** Settles when everything written into the pty until now is on the screen. */
  drained(): Promise<void> {
    this.#draining = this.#drainAfter(this.#draining);
    return this.#draining;
  }

  async #drainAfter(before: Promise<void>): Promise<void> {
    await before;
    await new Promise<void>((resolve) => {
      const sentinel = new Sentinel();
      let passed = -1;
      let quiet = 0;
      const done = (): void => {
        clearInterval(watch);
        this.#checkDrained = () => undefined;
        this.#sentinel = undefined;
        this.#show(sentinel.rest());
        resolve();
      };
      const watch = setInterval(() => {
        const moves = this.#passed !== passed || (this.#patient && this.#user.unsent > 0);
        passed = this.#passed;
        // Twice: after we were stopped ourselves, the timer fires before the output that arrived meanwhile.
        quiet = moves ? 0 : quiet + 1;
        if (quiet === 2) done();
      }, STUCK_MS);
      this.#checkDrained = () => {
        if (sentinel.seen && this.#user.unsent === 0) done();
      };
      this.#sentinel = sentinel;
      void this.#pty.output.write(sentinel.bytes);
    });
  }

  #fromAgent(chunk: Buffer): void {
    this.#passed += chunk.length;
    this.#show(this.#sentinel?.pass(chunk) ?? chunk);
    this.#checkDrained();
  }

  #show(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#ground.push(bytes);
    this.#listener.output(bytes);
    // Inform the guardian first: if we are killed in between, it knows all that is on.
    if (this.#ground.changes !== this.#changes) {
      this.#changes = this.#ground.changes;
      this.#user.remember(this.#ground.resetsFromAfar());
    }
    this.#write(bytes);
    this.#showTitle();
  }

  #showTitle(): void {
    if (!this.#ground.between) return;
    const due = this.#title.due(this.#ground.title);
    if (due !== "") this.#write(Buffer.from(due));
  }

  #write(bytes: Buffer): void {
    this.#user.write(bytes, () => {
      if (this.#user.unsent <= LITTLE) this.#pty.reader.resume();
      this.#checkDrained();
    });
    if (this.#user.unsent > MUCH) this.#pty.reader.pause();
  }

  #fromUser(chunk: Buffer): void {
    this.#listener.keys(chunk);
    const taken = this.#pty.input.write(chunk);
    if (this.#pty.input.pending > MUCH) void this.#letUserWait(taken);
  }

  async #letUserWait(taken: Promise<void>): Promise<void> {
    this.#userWaits = true;
    this.#user.pause();
    await taken;
    this.#userWaits = false;
    if (!this.#held) this.#user.resume();
  }
}
