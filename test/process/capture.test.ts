import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { captureByNode } from "../../src/platform/process/capture.ts";

/** Windows' way of capturing, tested here because no part of it needs Windows. */
async function capture(script: string): Promise<{ stdout: string; stderr: string; errors: string[] }> {
  const got = { stdout: "", stderr: "", errors: [] as string[] };
  const made = captureByNode(
    (stream, chunk) => {
      if (chunk.includes("refuse")) throw new Error("cannot keep it");
      got[stream] += chunk.toString();
    },
    (error) => got.errors.push(error.message),
  );
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", ...made.stdio] });
  made.attach(child);
  await made.ended;
  made.abandon();
  return got;
}

test("Node's own pipes keep both streams apart and whole", async () => {
  const got = await capture(
    'process.stdout.write("o".repeat(300000)); process.stderr.write("e".repeat(200000))',
  );
  expect(got).toEqual({ stdout: "o".repeat(300_000), stderr: "e".repeat(200_000), errors: [] });
});

test("a chunk that cannot be kept is reported, not thrown", async () => {
  expect((await capture('console.log("refuse")')).errors).toEqual(["cannot keep it"]);
});

test("a command that could not be started ends its capture", async () => {
  const made = captureByNode(
    () => undefined,
    () => undefined,
  );
  made.attach(undefined);
  await expect(made.ended).resolves.toBeUndefined();
});
