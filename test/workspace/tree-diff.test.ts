import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../src/platform/git/read-entry.ts";
import { treeDiff, type FileChange } from "../../src/platform/git/tree-diff.ts";

const file = (text: string): Entry => ({ kind: "file", bytes: Buffer.from(text) });

function applied(before: Readonly<Record<string, string>>, diff: Buffer): string {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-apply-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(before)) fs.writeFileSync(join(dir, name), text);
  const { status, stderr } = spawnSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: dir,
    input: diff,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return dir;
}

test("odd names, line ends and bytes come through git apply", () => {
  const changes: FileChange[] = [
    { path: 'quo"te\t\\.txt', before: null, after: file("a\r\n") },
    { path: "spa ce", before: file("--- a/x\n"), after: file("+++ b/x\n") },
    { path: "ü", before: null, after: { kind: "file", bytes: Buffer.from([0xff, 0x0a]) } },
    { path: "link", before: file("text\n"), after: { kind: "link", bytes: Buffer.from("ü") } },
    { path: "bytes", before: null, after: { kind: "program", bytes: Buffer.from([0, 1, 2]) } },
    { path: ".gitattributes", before: null, after: file("* -diff\n") },
  ];
  const diffs = [...treeDiff(changes)];
  const counts = diffs.map(({ kind, insertions, deletions }) => [kind, insertions, deletions]);
  expect(counts).toEqual([
    ["text", 1, 0],
    ["text", 1, 1],
    ["text", 1, 0],
    ["text", 1, 1],
    ["binary", 0, 0],
    ["text", 1, 0],
  ]);
  const dir = applied(
    { "spa ce": "--- a/x\n", link: "text\n" },
    Buffer.concat(diffs.map(({ bytes }) => bytes)),
  );
  expect(fs.readFileSync(join(dir, 'quo"te\t\\.txt'), "utf8")).toBe("a\r\n");
  expect(fs.readFileSync(join(dir, "spa ce"), "utf8")).toBe("+++ b/x\n");
  expect([...fs.readFileSync(join(dir, "ü"))]).toEqual([0xff, 0x0a]);
  expect(fs.readlinkSync(join(dir, "link"))).toBe("ü");
  expect([...fs.readFileSync(join(dir, "bytes"))]).toEqual([0, 1, 2]);
});

test("names a file that is too large, and git apply takes the rest", () => {
  const diffs = [
    ...treeDiff([
      { path: "big", before: "unknown", after: file("x\n") },
      { path: "small", before: null, after: file("y\n") },
    ]),
  ];
  expect(diffs[0]).toMatchObject({ kind: "unknown", insertions: 0 });
  expect(diffs[0]?.bytes.toString()).toBe("Not shown: big\n");
  const dir = applied({}, Buffer.concat(diffs.map(({ bytes }) => bytes)));
  expect(fs.readdirSync(dir)).toEqual(["small"]);
});
