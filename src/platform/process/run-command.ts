import { performance } from "node:perf_hooks";
import { isBestEffort } from "./containment-level.ts";
import type { Artifact, Leaked, ProcessRecord } from "./process-end.ts";
import type { WriteTurns } from "./write-turns.ts";
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
  /** 0: no limit. */
  readonly timeoutMs: number;
  /** Called right after the start with a way to end the command. */
  readonly watch?: (control: Control) => void;
  /** How long output, processor time and work tree may all be still. 0 or missing: for ever. */
  readonly stallMs?: number;
  /** Called now and then with what moved, if stalls are watched. */
  readonly onLife?: (sign: LifeSign) => void;
}

export interface CommandResult {
  readonly process: ProcessRecord;
  readonly stdout: Artifact;
  readonly stderr: Artifact;
  readonly turns: (epoch: number) => WriteTurns | undefined;
  /** Ended by the abort signal, so its own end is unknown. */
  readonly interrupted: boolean;
}

/** Runs a contained shell command and settles when it and everything it started are gone. */
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

/** With best-effort containment: ends processes with the run's tag, wherever they went, then the rest of the process group. */
function endLeftovers(runId: string, child: Child): readonly Leaked[] {
  const leaked = endTagged(runId);
  child.kill();
  return leaked;
}
