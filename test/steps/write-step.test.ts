import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type UnitTest } from "../../src/core/step.ts";
import { readStepsDir } from "../../src/modes/steps/disk/steps-dir.ts";
import { lookAt, markStep, type Known } from "../../src/modes/steps/disk/write-step.ts";
import { asNobody, directory, stepText } from "./directory.ts";

const FILE = "001-a.json";
const UNIT_TEST: UnitTest = { command: "npm test" };
const DOING_ONLY = { status: DOING, unitTest: null } as const;

/** A step file and what a run knows of it. */
function known(text = stepText("001")): { readonly path: string; readonly known: Known } {
  const dir = directory({ [FILE]: text });
  const read = readStepsDir(dir);
  const step = read.kind === "steps" ? read.steps[0] : undefined;
  if (!step) throw new Error("no step");
  return { path: join(dir, FILE), known: { sha256: step.sha256, step } };
}

const textOf = (path: string): string => fs.readFileSync(path, "utf8");
const shaOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const marked = (text: string, edited = false): object => ({ kind: "marked", sha256: shaOf(text), edited });

describe("marking a step", () => {
  test("writes into the known file, and remembers its content", () => {
    const text = `\ufeff${stepText("001", { mine: 1 })}`.replaceAll("\n", "\r\n").replace(": 1", ": 1e400");
    const { path, known: before } = known(text);
    const target = text.replace(TODO, DOING);
    expect(markStep(path, before, DOING_ONLY)).toEqual(marked(target));
    expect(textOf(path)).toBe(target);
  });

  test("M5: writes the unit test with it", () => {
    const { path, known: before } = known();
    const target = stepText("001", { status: DONE, unit_test: UNIT_TEST });
    expect(markStep(path, before, { status: DONE, unitTest: UNIT_TEST })).toEqual(marked(target));
    expect(textOf(path)).toBe(target);
  });

  test("leaves the existing unit test if there is no other", () => {
    const { path, known: before } = known(stepText("001", { unit_test: UNIT_TEST }));
    expect(markStep(path, before, DOING_ONLY)).toMatchObject({ kind: "marked", edited: false });
    expect(textOf(path)).toBe(stepText("001", { status: DOING, unit_test: UNIT_TEST }));
  });

  test("writes nothing if the content is already there", () => {
    const { path, known: before } = known();
    fs.chmodSync(path, 0o444);
    expect(markStep(path, before, { status: TODO, unitTest: null })).toEqual(marked(stepText("001")));
  });

  test("is done when a crash came between the write and its record", () => {
    const { path, known: before } = known();
    const change = { status: DOING, unitTest: UNIT_TEST } as const;
    const first = markStep(path, before, change);
    const inode = fs.statSync(path).ino;
    expect(markStep(path, before, change)).toEqual(first);
    expect(fs.statSync(path).ino).toBe(inode);
  });

  test("keeps permissions whatever the umask is, and leaves no other file", () => {
    const { path, known: before } = known();
    for (const mode of [0o600, 0o666, 0o755, 0o200]) {
      fs.chmodSync(path, mode);
      const status = mode === 0o666 ? DONE : DOING;
      expect(markStep(path, before, { status, unitTest: null })).toMatchObject({ kind: "marked" });
      expect((fs.statSync(path).mode & 0o7777).toString(8)).toBe(mode.toString(8));
    }
    expect(fs.readdirSync(join(path, ".."))).toEqual([FILE]);
  });
});

describe("a file that another process changed meanwhile", () => {
  test.each([
    ["an unknown field", { note: "by hand" }],
    ["its status", { status: DONE }],
  ])("%s: the change goes into his text", (_, more) => {
    const { path, known: before } = known();
    fs.writeFileSync(path, stepText("001", more));
    const target = stepText("001", { ...more, status: DOING });
    expect(markStep(path, before, DOING_ONLY)).toEqual(marked(target, true));
    expect(textOf(path)).toBe(target);
  });

  test("its layout: the change goes into his text", () => {
    const { path, known: before } = known();
    const dense = JSON.stringify(JSON.parse(stepText("001")));
    fs.writeFileSync(path, dense);
    const target = `${dense.slice(0, -1).replace(TODO, DONE)},"unit_test":{"command":"npm test"}}`;
    expect(markStep(path, before, { status: DONE, unitTest: UNIT_TEST })).toEqual(marked(target, true));
    expect(textOf(path)).toBe(target);
  });

  test("after a crash, the written content does not count as a person's change", () => {
    const { path, known: before } = known();
    fs.writeFileSync(path, stepText("001", { unit_test: UNIT_TEST, note: "by hand" }));
    const result = markStep(path, before, { status: DOING, unitTest: UNIT_TEST });
    expect(result).toMatchObject({ kind: "marked", edited: true });
    expect(textOf(path)).toBe(stepText("001", { status: DOING, unit_test: UNIT_TEST, note: "by hand" }));
  });

  test.each([
    ["id", { id: "step-1" }, ["id"]],
    ["description", { description: "other work" }, ["description"]],
    [
      "an item more",
      {
        verification: [
          { type: "unit", description: "it works" },
          { type: "a", description: "b" },
        ],
      },
      ["verification"],
    ],
    ["an item less", { verification: [] }, ["verification"]],
    ["an item's type", { verification: [{ type: "ui", description: "it works" }] }, ["verification"]],
    ["an item's words", { verification: [{ type: "unit", description: "it" }] }, ["verification"]],
    ["its command", { unit_test: { command: "true" } }, ["unit_test"]],
    ["its files", { unit_test: { command: "c", files: ["b"], notes: "n" } }, ["unit_test"]],
    ["a file more", { unit_test: { command: "c", files: ["a", "b"], notes: "n" } }, ["unit_test"]],
    ["no files", { unit_test: { command: "c", notes: "n" } }, ["unit_test"]],
    ["its notes", { unit_test: { command: "c", files: ["a"] } }, ["unit_test"]],
    ["no unit test", { unit_test: undefined }, ["unit_test"]],
    [
      "all",
      { id: "x", description: "y", verification: [], unit_test: { command: "z" } },
      ["id", "description", "verification", "unit_test"],
    ],
  ])("%s: writes nothing", (_, more, fields) => {
    const unitTest = { command: "c", files: ["a"], notes: "n" };
    const { path, known: before } = known(stepText("001", { unit_test: unitTest }));
    const theirs = stepText("001", { unit_test: unitTest, ...more });
    fs.writeFileSync(path, theirs);
    expect(markStep(path, before, DOING_ONLY)).toEqual({ kind: "changed", fields });
    expect(lookAt(path, before)).toEqual({ kind: "changed", fields });
    expect(textOf(path)).toBe(theirs);
  });

  test.each([
    ["gone", (path: string) => fs.rmSync(path), "gone"],
    ["empty", (path: string) => fs.writeFileSync(path, ""), "empty"],
    ["broken", (path: string) => fs.writeFileSync(path, "{"), "not_json"],
    ["another status", (path: string) => fs.writeFileSync(path, stepText("001", { status: "?" })), "field"],
    ["a link", (path: string) => replaceByLink(path), "not_a_file"],
  ])("%s: writes nothing", (_, change, kind) => {
    const { path, known: before } = known();
    change(path);
    const invalid = { kind: "invalid", problems: [{ kind, file: FILE }] };
    expect(markStep(path, before, DOING_ONLY)).toMatchObject(invalid);
    expect(lookAt(path, before)).toMatchObject(invalid);
  });

  function replaceByLink(path: string): void {
    fs.renameSync(path, `${path}.bak`);
    fs.symlinkSync(`${FILE}.bak`, path);
  }
});

describe("a file that cannot be written", () => {
  test("would become too large to read again", () => {
    const full = stepText("001", { pad: "x".repeat(1024 * 1024 - 200 - Buffer.byteLength(stepText("001"))) });
    const { path, known: before } = known(full);
    const unitTest = { command: "c", notes: "n".repeat(200) };
    expect(markStep(path, before, { status: DONE, unitTest })).toEqual({
      kind: "failed",
      why: "it would become too large",
    });
    expect(textOf(path)).toBe(full);
    expect(markStep(path, before, { status: DONE, unitTest: null })).toMatchObject({ kind: "marked" });
  });

  test("is read-only, even for root", () => {
    const { path, known: before } = known();
    fs.chmodSync(path, 0o444);
    expect(markStep(path, before, DOING_ONLY)).toEqual({ kind: "failed", why: "EACCES: it is read-only" });
    expect(textOf(path)).toBe(stepText("001"));
  });

  test("belongs to another, in a directory where everybody may rename", () => {
    const { path, known: before } = known();
    // Root uses the rights of others; a user without them is refused by the owner's rights.
    fs.chmodSync(path, process.geteuid?.() === 0 ? 0o644 : 0o466);
    fs.chmodSync(join(path, ".."), 0o777);
    expect(asNobody(() => markStep(path, before, DOING_ONLY))).toEqual({
      kind: "failed",
      why: "EACCES: permission denied",
    });
    expect(textOf(path)).toBe(stepText("001"));
  });

  test("is in a directory that takes no other file", () => {
    const { path, known: before } = known();
    fs.chmodSync(path, 0o666);
    fs.chmodSync(join(path, ".."), 0o555);
    expect(asNobody(() => markStep(path, before, DOING_ONLY))).toEqual({
      kind: "failed",
      why: "EACCES: permission denied",
    });
    fs.chmodSync(join(path, ".."), 0o755);
    expect(textOf(path)).toBe(stepText("001"));
  });
});

describe("reading a step again", () => {
  test("that is the same", () => {
    const { path, known: before } = known();
    expect(lookAt(path, before)).toEqual({ kind: "same" });
  });

  test("that was edited and is still the same step, with its new content", () => {
    const { path, known: before } = known();
    const theirs = stepText("001", { status: DONE, note: 1 });
    fs.writeFileSync(path, theirs);
    expect(lookAt(path, before)).toEqual({
      kind: "edited",
      step: { ...before.step, status: DONE, sha256: shaOf(theirs) },
    });
    expect(textOf(path)).toBe(theirs);
  });
});
