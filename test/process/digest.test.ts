import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Digest } from "../../src/platform/process/digest.ts";

const MB = 1024 * 1024;

// Around the size that starts a thread, around the ring's size, and well past both.
test.each([0, 1, MB - 1, MB, MB + 1, 8 * MB - 3, 8 * MB, 9 * MB + 7, 40 * MB])(
  "the digest of %i bytes is their SHA-256, however they are cut",
  async (size) => {
    const bytes = randomBytes(size);
    const digest = new Digest();
    const reused = Buffer.alloc(100_003);
    for (let at = 0; at < size; at += reused.length) {
      const length = bytes.copy(reused, 0, at);
      digest.update(reused.subarray(0, length));
    }
    expect(await digest.finish()).toBe(createHash("sha256").update(bytes).digest("hex"));
  },
);
