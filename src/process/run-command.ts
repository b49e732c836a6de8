import { performance } from "node:perf_hooks";
import { isBestEffort } from "../domain/event.ts";
import type { Captured, Leaked, ProcessRecord } from "../domain/process-end.ts";
import type { WriteTurns } from "../domain/protocol/write-turns.ts";
import { deliver, openCapture } from "./capture.ts";
import { delay, startChild, type Child, type ChildSpec, type Machine } from "./child.ts";
import { Ending, notificationsSettled, type Control } from "./ending.ts";
import { endTagged } from "./leftovers.ts";
import { watchLife, type LifeSign } from "./liveness.ts";
import { Output, type OutputSpec } from "./output.ts";

export type { Machine } from "./child.ts";

/** How long output may still arrive after the command and all its processes are gone. */
const DRAIN_MS = 1000;

export interface CommandSpec extends ChildSpec, OutputSpec {
  /** 0: none. */
  readonly timeoutMs: number;
  /** Told right after the start how the command can be ended. */
  readonly watch?: (control: Control) => void;
  /** So long may output, processor time and work tree all be still. 0, or not said: for ever. */
  readonly stallMs?: number;
  /** Told now and then what moved; only where stalls are looked for. */
  readonly onLife?: (sign: LifeSign) => void;
}

export interface CommandResult {
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly turns: (epoch: number) => WriteTurns | undefined;
  /** Ended by the abort signal: how the command would have ended is not known. */
  readonly interrupted: boolean;
}

/** Runs a shell command, contained, and settles when it and everything it started are gone. */
export async function runCommand(
  spec: CommandSpec,
  machine: Machine,
  abort: AbortSignal,
): Promise<CommandResult> {
  const bestEffort = isBestEffort(machine.container.level);
  const startedAt = performance.now();
  let captureError: Error | undefined;
  const onError = (error: Error): void => {
    captureError ??= error;
    child.kill();
  };
  const output = new Output(spec, () => ending.stop({ kind: "output_cap", capBytes: spec.maxOutputBytes }));
  const capture = openCapture(
    machine.pipes,
    spec.stdoutPath === spec.stderrPath,
    (stream, chunk) => output.push(stream, chunk, capture.order.arrived()),
    onError,
  );
  const child = startChild(spec, machine, capture);
  const ending = new Ending(child, spec.timeoutMs);
  const stopWatching = watchForStall(spec, child, ending, output);
  const onAbort = (): void => ending.stop("interrupted");
  if (abort.aborted) onAbort();
  abort.addEventListener("abort", onAbort);
  spec.watch?.(ending);

  const ownEnd = await child.ended;
  const durationMs = Math.round(performance.now() - startedAt);
  ending.close();
  stopWatching();
  abort.removeEventListener("abort", onAbort);
  const { cause } = ending;
  if (bestEffort && cause !== undefined) await child.groupGone();
  const leaked = bestEffort ? endLeftovers(spec.runId, child) : [];
  await Promise.race([capture.ended, delay(DRAIN_MS)]);
  await notificationsSettled();
  deliver(() => output.flush(capture.order.arrived()), onError);
  capture.abandon();

  const kept = await output.close();
  if (captureError) throw captureError;
  const end = cause === undefined || cause === "interrupted" ? ownEnd : cause;
  return {
    process: { command: spec.command, end, durationMs, leaked },
    ...kept,
    turns: (epoch) => capture.order.turns(epoch),
    interrupted: cause === "interrupted",
  };
}

function watchForStall(spec: CommandSpec, { pid }: Child, ending: Ending, output: Output): () => void {
  const { stallMs = 0, onLife } = spec;
  if (stallMs === 0 || pid === undefined) return () => undefined;
  return watchLife(stallMs, {
    pid,
    workTree: spec.cwd,
    output: () => output.arrived,
    onLife,
    onStalled: () => ending.stalled(stallMs),
  });
}

/** Where containment is best effort: what carries the run's tag, wherever it went, then the rest of the process group. */
function endLeftovers(runId: string, child: Child): readonly Leaked[] {
  const leaked = endTagged(runId);
  child.kill();
  return leaked;
}
