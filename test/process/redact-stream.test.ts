import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Redactor } from "../../src/text/redact.ts";
import { RedactStream } from "../../src/platform/process/redact-stream.ts";
import { Bench, WAYS } from "./machine.ts";

const SECRETS = [
  { name: "A", value: "abcabcabd" },
  { name: "AB", value: "abcabcabdabcabc" },
  { name: "B", value: "bdabcabcc" },
];
const redactor = new Redactor(SECRETS, []);

test("however a stream is cut, it is cleaned as if it were whole", () => {
  const text = fc.array(
    fc.constantFrom("a", "b", "c", "abc", "abcabc", "abd", ...SECRETS.map(({ value }) => value)),
  );
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (parts, sizes) => {
      const whole = Buffer.from(parts.join(""));
      const stream = new RedactStream(redactor.known);
      // One buffer for all chunks, like the capture.
      const reused = Buffer.alloc(12);
      let result = "";
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const length = whole.copy(reused, 0, at, at + (sizes[turn % sizes.length] ?? 1));
        result += stream.push(reused.subarray(0, length)).toString();
        at += length;
      }
      expect(result + stream.end().toString()).toBe(redactor.text(whole.toString()));
    }),
    { numRuns: 3000 },
  );
});

test("holds back only a possible beginning of a value", () => {
  const stream = new RedactStream(redactor.known);
  expect(stream.push(Buffer.from("a line\n")).toString()).toBe("a line\n");
  expect(stream.push(Buffer.from("xabcab")).toString()).toBe("x");
  expect(stream.push(Buffer.from("x\n")).toString()).toBe("abcabx\n");
  expect(stream.push(Buffer.from("abcabcab")).toString()).toBe("");
  expect(stream.end().toString()).toBe("abcabcab");
  expect(stream.end().toString()).toBe("");
});

test("without values every chunk passes as it is", () => {
  const chunk = Buffer.from("anything");
  expect(new RedactStream(new Redactor([]).known).push(chunk)).toBe(chunk);
});

test.each(WAYS)("by %s neither transcripts nor readers see a known value", async (way) => {
  const seen = { stdout: "", stderr: "" };
  const env = { SECRET: "hunter2-hunter2" };
  const command = `printf 'one %s two hunter2-' "$SECRET"; echo "$SECRET" >&2; printf 'hunter2 hunter2-hunt'`;
  const ran = await new Bench(way).run(command, {
    env,
    redact: new Redactor([{ name: "SECRET", value: env.SECRET }]),
    onOutput: (stream, chunk) => {
      seen[stream] += chunk.toString();
    },
  });
  expect(ran.out).toBe("one [redacted SECRET] two [redacted SECRET] hunter2-hunt");
  expect(ran.err).toBe("[redacted SECRET]\n");
  expect(seen).toEqual({ stdout: ran.out, stderr: ran.err });
  expect(ran.stdout.bytes).toBe(ran.out.length);
  expect(ran.stdout.sha256).toBe(createHash("sha256").update(ran.out).digest("hex"));
});

test("the cap counts the kept bytes", async () => {
  const value = "x".repeat(100);
  const ran = await new Bench().run(`printf '%s' ${value}${value}; printf 'and more than that'`, {
    redact: new Redactor([{ name: "X", value }]),
    maxOutputBytes: 30,
  });
  expect(ran.out).toBe("[redacted X][redacted X]and mo");
  expect(ran.process.end).toEqual({ kind: "output_cap", capBytes: 30 });
});
