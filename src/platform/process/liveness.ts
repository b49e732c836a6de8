import { performance } from "node:perf_hooks";
import { cpuTimeOf } from "./cpu-time.ts";
import { treeSignature } from "./tree-signature.ts";

export type LifeSign = "output" | "cpu" | "tree";

/** The signals that show whether a command is alive. */
interface Senses {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Grows with every output. */
  readonly output: () => number;
  /** Milliseconds used by the command's processes; undefined: unknown. */
  readonly cpu: () => Promise<number | undefined>;
  /** Changes with every change of the work tree. Read only when all else is still. */
  readonly tree: () => Promise<string>;
}

/** The event loop of an idle agent runs now and then. This share of the time, or two ticks of the kernel's clock, is no work. */
const IDLE_CPU_SHARE = 0.01;
const IDLE_CPU_MS = 20;

interface Still {
  readonly since: number;
  readonly cpu: number;
  readonly tree?: { readonly since: number; readonly signature: string };
}

/** Distinguishes a stuck command from one that works silently: when stuck, nothing at all moves. */
export class Liveness {
  readonly intervalMs: number;
  readonly #stallMs: number;
  readonly #senses: Senses;
  #lookedAt: number;
  #output: number;
  #still: Still | undefined;

  constructor(stallMs: number, senses: Senses) {
    this.intervalMs = Math.min(15_000, Math.max(250, stallMs / 8));
    this.#stallMs = stallMs;
    this.#senses = senses;
    this.#lookedAt = senses.now();
    this.#output = senses.output();
  }

  /** Call it once per interval. Null: still, but not for long enough. */
  async look(): Promise<LifeSign | "stalled" | null> {
    const now = this.#senses.now();
    const cpu = await this.#senses.cpu();
    // A foreman that was paused itself does not know what happened meanwhile.
    const before = now - this.#lookedAt > 3 * this.intervalMs ? undefined : this.#still;
    this.#lookedAt = now;
    this.#still = cpu === undefined ? undefined : { since: now, cpu };
    if (this.#heard()) return "output";
    if (cpu === undefined || !before) return null;
    if (cpu - before.cpu >= Math.max(IDLE_CPU_MS, IDLE_CPU_SHARE * (now - before.since))) return "cpu";
    // A lower value: processes that are gone took their time along.
    const still = { ...before, cpu: Math.min(cpu, before.cpu) };
    if (still.tree && now - still.tree.since < this.#stallMs) {
      this.#still = still;
      return null;
    }
    const tree = { since: now, signature: await this.#senses.tree() };
    if (this.#heard()) return "output";
    if (still.tree?.signature === tree.signature) return "stalled";
    this.#still = still.tree ? { since: now, cpu, tree } : { ...still, tree };
    return still.tree ? "tree" : null;
  }

  #heard(): boolean {
    const before = this.#output;
    this.#output = this.#senses.output();
    return this.#output !== before;
  }
}

interface Watched {
  /** All its descendants belong to the command. */
  readonly pid: number;
  readonly workTree: string;
  readonly output: () => number;
  readonly onLife?: ((sign: LifeSign) => void) | undefined;
  readonly onStalled: () => void;
}

/** Looks until stopped. On Windows the processor time of a process tree is unknown, so nothing ever stalls. */
export function watchLife(
  stallMs: number,
  { pid, workTree, output, onLife, onStalled }: Watched,
): () => void {
  const liveness = new Liveness(stallMs, {
    now: () => performance.now(),
    output,
    cpu: () => cpuTimeOf(pid),
    tree: () => treeSignature(workTree),
  });
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const lookLater = (): void => {
    timer = setTimeout(() => void look(), liveness.intervalMs);
  };
  const look = async (): Promise<void> => {
    const seen = await liveness.look();
    if (stopped) return;
    if (seen === "stalled") return onStalled();
    if (seen !== null) onLife?.(seen);
    lookLater();
  };
  lookLater();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
