import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readStepsDir } from "../../src/modes/steps/disk/steps-dir.ts";
import { asNobody, directory, stepText } from "./directory.ts";

describe("a directory without steps", () => {
  test("R1: is missing", () => {
    expect(readStepsDir(join(directory(), "none"))).toEqual({ kind: "missing" });
  });

  test("R1: is a file", () => {
    expect(readStepsDir(join(directory({ file: "" }), "file"))).toEqual({ kind: "not_a_directory" });
  });

  test("cannot be read", () => {
    const refusal = readStepsDir(`${directory()}/${"x".repeat(300)}`);
    expect(refusal).toMatchObject({
      kind: "unreadable",
      why: expect.stringMatching(/^ENAMETOOLONG/) as string,
    });
    const dir = directory({ "001-a.json": stepText("001") });
    fs.chmodSync(dir, 0o000);
    expect(asNobody(() => readStepsDir(dir))).toEqual({
      kind: "unreadable",
      why: "EACCES: permission denied",
    });
  });

  test("R2: has no .json", () => {
    expect(readStepsDir(directory({ "run-progress.md": "", "001-a.json.tmp": "x" }))).toEqual({
      kind: "no_json",
    });
  });

  test("R3: has other .json only", () => {
    const dir = directory({ "b.json": "", "a.json": "", "01-a.json": "", "notes.txt": "" });
    expect(readStepsDir(dir)).toEqual({ kind: "no_steps", names: ["01-a.json", "a.json", "b.json"] });
  });

  test("has more than intended", () => {
    const dir = directory();
    for (let number = 0; number <= 10_000; number++) {
      fs.writeFileSync(join(dir, `${String(number).padStart(5, "0")}-a.json`), "");
    }
    expect(readStepsDir(dir)).toEqual({ kind: "too_many", count: 10_001, limit: 10_000 });
  });
});

describe("a directory of steps", () => {
  test("R4, R5: gives them in the order of their names, and the names it skipped", () => {
    const dir = directory({
      "010-a.json": stepText("010"),
      "002-B.json": stepText("002"),
      "1000-c.json": stepText("1000"),
      "package.json": "{}",
      "run-progress.md": "",
      "002-B.json.tmp": "half",
    });
    const read = readStepsDir(dir);
    expect(read).toMatchObject({ kind: "steps", skipped: ["package.json"], problems: [] });
    expect(read).toMatchObject({
      warnings: [{ kind: "number_lengths", file: "1000-c.json", other: "002-B.json" }],
    });
    const steps = read.kind === "steps" ? read.steps : [];
    expect(steps.map(({ file }) => file)).toEqual(["002-B.json", "010-a.json", "1000-c.json"]);
    expect(steps[0]?.sha256).toBe(createHash("sha256").update(stepText("002")).digest("hex"));
  });

  test("R12: warns of an id that does not fit", () => {
    const read = readStepsDir(directory({ "001-a.json": stepText("007") }));
    expect(read).toMatchObject({
      problems: [],
      warnings: [{ kind: "id_mismatch", file: "001-a.json", id: "step-007", number: "001" }],
    });
  });

  test("R11: reports the problems of all files at once", () => {
    const dir = directory({
      "001-good.json": stepText("001"),
      "002-empty.json": "",
      "003-not-json.json": "{\n  oops",
      "004-latin.json": Buffer.concat([Buffer.from('{"id": "'), Buffer.from([0xe9]), Buffer.from('"}')]),
      "005-large.json": stepText("005", { notes: "x".repeat(1024 * 1024) }),
      "006-again.json": stepText("001"),
      "006-twice.json": stepText("006"),
      "007-bad.json": stepText("007", { status: "?", id: 1 }),
    });
    fs.mkdirSync(join(dir, "008-dir.json"));
    fs.symlinkSync("001-good.json", join(dir, "009-link.json"));
    fs.symlinkSync("nowhere", join(dir, "010-dangling.json"));
    execFileSync("mkfifo", [join(dir, "011-pipe.json")]);
    const read = readStepsDir(dir);
    if (read.kind !== "steps") throw new Error(read.kind);
    expect(read.problems.map(({ kind, file }) => [file, kind])).toEqual([
      ["002-empty.json", "empty"],
      ["003-not-json.json", "not_json"],
      ["004-latin.json", "not_utf8"],
      ["005-large.json", "too_large"],
      ["007-bad.json", "field"],
      ["007-bad.json", "field"],
      ["008-dir.json", "not_a_file"],
      ["009-link.json", "not_a_file"],
      ["010-dangling.json", "not_a_file"],
      ["011-pipe.json", "not_a_file"],
      ["006-twice.json", "duplicate_number"],
      ["006-again.json", "duplicate_id"],
    ]);
    expect(read.steps.map(({ file }) => file)).toEqual(["001-good.json", "006-again.json", "006-twice.json"]);
  });

  test("takes a file of exactly 1 MiB, and a byte order mark", () => {
    const frame = stepText("001", { notes: "" });
    const full = stepText("001", { notes: "x".repeat(1024 * 1024 - Buffer.byteLength(frame)) });
    const read = readStepsDir(
      directory({ "001-full.json": full, "002-bom.json": `\ufeff${stepText("002")}` }),
    );
    expect(read).toMatchObject({ problems: [], steps: [{ number: "001" }, { number: "002" }] });
  });

  test("reports an unreadable file", () => {
    const dir = directory({ "001-a.json": stepText("001") });
    fs.chmodSync(dir, 0o755);
    fs.chmodSync(join(dir, "001-a.json"), 0o000);
    expect(asNobody(() => readStepsDir(dir))).toMatchObject({
      problems: [{ kind: "unreadable", file: "001-a.json", why: "EACCES: permission denied" }],
    });
  });
});
