import type { Artifact } from "./process-end.ts";
import type { StreamName } from "./write-turns.ts";
import type { Redactor } from "../../text/redact.ts";
import { RedactStream } from "./redact-stream.ts";
import { Transcript } from "./transcript.ts";

export interface OutputSpec {
  readonly maxOutputBytes: number;
  /** With the same path twice, both streams go into one file, in arrival order. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Chunks of different epochs arrived in that order; within one, see `CommandResult.turns`. */
  readonly onOutput?: (stream: StreamName, chunk: Buffer, epoch: number) => void;
  /** Its known values are removed before anyone sees the output. */
  readonly redact?: Pick<Redactor, "known">;
}

/** A command's output on its way to the transcripts and other readers. */
export class Output {
  readonly #spec: OutputSpec;
  readonly #onFull: () => void;
  readonly #transcripts: Readonly<Record<StreamName, Transcript>>;
  readonly #redacted: Readonly<Record<StreamName, RedactStream>> | undefined;
  #arrived = 0;
  #kept = 0;

  constructor(spec: OutputSpec, onFull: () => void) {
    this.#spec = spec;
    this.#onFull = onFull;
    const stdout = new Transcript(spec.stdoutPath);
    const stderr = spec.stderrPath === spec.stdoutPath ? stdout : new Transcript(spec.stderrPath);
    this.#transcripts = { stdout, stderr };
    const known = spec.redact?.known;
    if (known && !known.none)
      this.#redacted = { stdout: new RedactStream(known), stderr: new RedactStream(known) };
  }

  /** All bytes that arrived, including dropped ones. */
  get arrived(): number {
    return this.#arrived;
  }

  push(stream: StreamName, chunk: Buffer, epoch: number): void {
    this.#arrived += chunk.length;
    this.#keep(stream, this.#redacted?.[stream].push(chunk) ?? chunk, epoch);
  }

  /** Releases held-back output at the end. */
  flush(epoch: number): void {
    if (!this.#redacted) return;
    for (const stream of ["stdout", "stderr"] as const)
      this.#keep(stream, this.#redacted[stream].end(), epoch);
  }

  async close(): Promise<Readonly<Record<StreamName, Artifact>>> {
    const { stdout, stderr } = this.#transcripts;
    const keptOut = await stdout.close();
    return { stdout: keptOut, stderr: stderr === stdout ? keptOut : await stderr.close() };
  }

  #keep(stream: StreamName, chunk: Buffer, epoch: number): void {
    const room = this.#spec.maxOutputBytes - this.#kept;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#kept += kept.length;
    if (kept.length > 0) {
      this.#transcripts[stream].write(kept);
      this.#spec.onOutput?.(stream, kept, epoch);
    }
    if (chunk.length > room) this.#onFull();
  }
}
