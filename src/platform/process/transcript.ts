import fs from "node:fs";
import { writeState } from "../files/write-state.ts";
import type { Artifact } from "./process-end.ts";
import { removeAny } from "../files/remove.ts";
import { Digest } from "./digest.ts";

/** A file of captured output. Written synchronously and in order, so memory stays flat and a slow disk slows the writer down. */
export class Transcript {
  readonly path: string;
  readonly #fd: number;
  readonly #digest = new Digest();
  #bytes = 0;

  constructor(path: string) {
    this.path = path;
    this.#fd = writeState(path, () => {
      // Never write through a link that was planted here.
      removeAny(path);
      return fs.openSync(path, "wx", 0o600);
    });
  }

  write(chunk: Buffer): void {
    writeState(this.path, () => {
      let written = 0;
      while (written < chunk.length) written += fs.writeSync(this.#fd, chunk, written);
    });
    this.#digest.update(chunk);
    this.#bytes += chunk.length;
  }

  async close(): Promise<Artifact> {
    const sha256 = await this.#digest.finish();
    writeState(this.path, () => fs.closeSync(this.#fd));
    return { path: this.path, bytes: this.#bytes, sha256 };
  }
}
