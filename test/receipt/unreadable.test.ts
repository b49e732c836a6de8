import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readReceipt } from "../../src/cli/verify-read.ts";
import { Failure } from "../../src/platform/failure.ts";
import { verifyTexts } from "../../src/cli/words/verify.ts";
import { receiptText } from "../../src/evidence/receipt/receipt.ts";
import { Rig } from "../rig/rig.ts";
import { SAMPLE } from "./sample.ts";

const TEXT = receiptText(SAMPLE);
const { unreadable } = verifyTexts.en;

function newDir(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-receipt-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The reason for the refusal; null: accepted. */
function problem(path: string): string | null {
  try {
    readReceipt(path, verifyTexts.en);
    return null;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "receipt_unreadable") throw error;
    return error.about["why"] ?? "";
  }
}

function problemOf(text: string | Buffer): string | null {
  const path = join(newDir(), "receipt.json");
  fs.writeFileSync(path, text);
  return problem(path);
}

/** Replaces a part of our own section. */
function withDetails(change: object): string {
  const { predicate } = SAMPLE;
  const agentForeman = { ...predicate.agentForeman, ...change };
  return JSON.stringify({ ...SAMPLE, predicate: { ...predicate, agentForeman } });
}

describe("valid input for a receipt", () => {
  test("accepts the written format, also with another layout", () => {
    expect(problemOf(TEXT)).toBeNull();
    expect(problemOf(JSON.stringify(SAMPLE))).toBeNull();
    expect(problemOf(JSON.stringify(SAMPLE, null, "\t"))).toBeNull();
  });

  test("is never a link, a pipe, a folder, or empty", () => {
    const dir = newDir();
    const at = (name: string): string => join(dir, name);
    fs.writeFileSync(at("receipt.json"), TEXT);
    fs.symlinkSync("receipt.json", at("link"));
    spawnSync("mkfifo", [at("pipe")]);
    expect(problem(at("link"))).toBe(unreadable.link);
    expect(problem(at("pipe"))).toBe(unreadable.noFile);
    expect(problem(dir)).toBe(unreadable.noFile);
    expect(problem(at("nowhere"))).toBe("ENOENT");
  });

  test("is not larger than one can be", () => {
    const path = join(newDir(), "receipt.json");
    fs.writeFileSync(path, TEXT);
    fs.truncateSync(path, 17 * 1024 * 1024);
    expect(problem(path)).toBe(unreadable.tooLarge(4 * 1024 * 1024));
  });

  test("is whole", () => {
    for (const part of [0, 0.3, 0.9])
      expect(problemOf(TEXT.slice(0, TEXT.length * part))).toContain("it is not JSON");
    expect(problemOf("[".repeat(200_000))).toContain("it is not JSON");
    expect(problemOf(Buffer.from([0xff, 0xfe, 0]))).toContain("it is not JSON");
  });

  test.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a report", '{"schema_version":1,"run_id":"1115-k7m2"}'],
    ["another statement", JSON.stringify({ ...SAMPLE, predicateType: "https://slsa.dev/provenance/v1" })],
    ["one of another tool", JSON.stringify({ ...SAMPLE, predicate: { result: "PASSED" } })],
    ["one without a version", withDetails({ version: undefined })],
    ["one with a prototype for a part", JSON.stringify({ ...SAMPLE, predicate: 1 })],
  ])("is not %s", (_, text) => {
    expect(problemOf(text)).toBe(unreadable.other);
  });

  test("of an older version is refused as such", () => {
    expect(problemOf(withDetails({ version: 1, protected: undefined }))).toBe(unreadable.older("1"));
  });

  test("of a newer version is not guessed at", () => {
    expect(problemOf(withDetails({ version: 3, more: "something" }))).toBe(unreadable.newer("3"));
  });

  test.each<[string, object, string]>([
    ["an unknown field", { surprise: 1 }, "surprise"],
    ["a missing one", { commands: undefined }, "commands"],
    ["a number for a text", { run_id: 7 }, "run_id"],
    ["a digest that is none", { journal: { records: 1, head: "x" } }, "journal.head"],
    ["a version that never was", { version: 0.5 }, "version"],
    ["a folder above the tree", { tree: { folder: "a/../..", left_out: [] } }, "tree.folder"],
    ["an absolute one", { tree: { folder: "/etc", left_out: [] } }, "tree.folder"],
    ["the whole tree left out", { tree: { folder: "", left_out: [""] } }, "tree.left_out"],
    ["a place elsewhere left out", { tree: { folder: "", left_out: ["../other"] } }, "tree.left_out"],
    [
      "a commit that is an option",
      { base: { tree: "a".repeat(64), files: 1, commit: "--output=x", commit_at_start: null } },
      "base.commit",
    ],
    [
      "a variable that is none",
      { environment: { policy: "allow_list", passed: ["A=B"], set: [] } },
      "environment.passed",
    ],
  ])("has its form: %s", (_, change, where) => {
    expect(problemOf(withDetails(change))).toContain(where);
  });

  test("repeats no name, at any depth", () => {
    expect(problemOf(TEXT.replace('"version": 2,', '"version": 2, "version": 2,'))).toBe(
      unreadable.saidTwice,
    );
    expect(problemOf(TEXT.replace('"result": "PASSED",', '"result" : "FAILED", "result":"PASSED",'))).toBe(
      unreadable.saidTwice,
    );
    // Only a text that looks like one.
    const decisions = [
      {
        about: "limit",
        attempt: 1,
        decision: '"a": "b", "a":',
        note: '\\"a\\": \\',
        via: "decide",
        at: "2026-11-15T09:00:00.000Z",
      },
    ];
    expect(problemOf(withDetails({ decisions }))).toBeNull();
  });

  test("may be as long and as deep as a file can be", () => {
    const decision = { about: "limit", attempt: 1, decision: "", via: "decide", at: "2026-11-15T09:00:00Z" };
    const long = withDetails({ decisions: [{ ...decision, note: "x".repeat(4_000_000) }] });
    expect(problemOf(long)).toBeNull();
    expect(problemOf(long.replace('"note":', '"note":null,"note":'))).toBe(unreadable.saidTwice);
    const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
    expect(problemOf(deep)).toBe(unreadable.other);
    expect(problemOf(TEXT.replace('"version": 2,', `"version": 2, "more": ${deep},`))).toContain("more");
    expect(problemOf(TEXT.replace('"version": 2,', `"version": ${deep}, "version": 2,`))).toBe(
      unreadable.saidTwice,
    );
  });

  test("is refused with a short reason", () => {
    const more = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`more ${at}`, 1]));
    expect(problemOf(withDetails(more))?.length).toBeLessThan(300);
  });

  test("is refused as bad input, in the person's language", async () => {
    const rig = new Rig();
    rig.write("receipt.json", withDetails({ version: 3 }));
    const ended = await rig.run(["verify", "receipt.json", "--lang", "zh", "--rerun"]);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(verifyTexts.zh.unreadable.newer("3"));
    expect((await rig.run(["verify"])).code).toBe(2);
    expect((await rig.run(["verify", "receipt.json", "--cwd", "nowhere"])).code).toBe(2);
  });
});
