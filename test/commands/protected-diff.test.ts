import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeAny } from "../../src/platform/files/remove.ts";
import { byWeight, protectedDiff, type ProtectedDiff } from "../../src/cli/protected-diff.ts";
import type { ProtectedChange } from "../../src/core/evidence/change.ts";
import type { Lang } from "../../src/core/settings.ts";
import { writePack } from "../../src/platform/git/pack.ts";
import { textDiffs } from "../../src/platform/git/text-diff.ts";
import { NODE_TESTS, put, RoomRig, TEST_ADDS, WORKS } from "../clean-room/project.ts";
import {
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  inRoom,
  ORIGINALS_FAIL,
  ROOM,
} from "../rig/room-story.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import {
  asked,
  check,
  fakeIo,
  HOSTILE,
  started,
  stateOf,
  STEERS_TERMINAL,
  turnEnded,
  turnStarted,
} from "./fixtures.ts";

const ID = "0301-aaaa";

/** A work tree, its base, and a question about the changes. */
class HeldTree {
  readonly #io = fakeIo();
  readonly pack = join(this.#io.home, "runs", ID, "base", "1", "pack");
  readonly kept = join(this.#io.home, "runs", ID, "turns", "1", "protected.diff");

  place(path: string): string {
    const place = join(this.#io.cwd, path);
    fs.mkdirSync(dirname(place), { recursive: true });
    return place;
  }

  write(path: string, content: string | Buffer): void {
    fs.writeFileSync(this.place(path), content);
  }

  replace(path: string, make: (place: string) => void): void {
    removeAny(this.place(path));
    make(this.place(path));
  }

  /** The current tree becomes the base, then `work` changes it. */
  diff(
    changes: readonly ProtectedChange[],
    work: () => void,
    { lang = "en", redact = (line: string) => line }: { lang?: Lang; redact?: (line: string) => string } = {},
  ): ProtectedDiff {
    fs.mkdirSync(dirname(this.pack), { recursive: true });
    const there = changes
      .map(({ path }) => path)
      .filter((path) => fs.lstatSync(this.place(path), { throwIfNoEntry: false }));
    const { kept } = writePack(this.pack, this.#io.cwd, there);
    work();
    const state = stateOf([
      started(ID, { room: ROOM, cwd: this.#io.cwd }),
      baseTaken({ pack: kept }),
      baseChecked("fast", "npm test"),
      baseChecked("full", "npm run test:all"),
      turnStarted(1),
      turnEnded(1),
      candidateTaken(1, { protected: changes }),
      check(1, "fast", 0, { room: inRoom() }),
      check(1, "full", 0, { room: inRoom(ORIGINALS_FAIL) }),
      asked,
    ]);
    return protectedDiff(state, lang, redact);
  }

  /** The diff of one file that is replaced. */
  became(before: string | Buffer, make: (place: string) => void, lang: Lang = "en"): readonly string[] {
    this.write("a.test.js", before);
    return this.diff([changed("a.test.js")], () => this.replace("a.test.js", make), { lang }).parts[0] ?? [];
  }
}

describe("the fate of a file", () => {
  test("its lines, of the base and of now", () => {
    const became = new HeldTree().became("a\nb\n", (place) => fs.writeFileSync(place, "a\nc\n"));
    expect(became).toEqual(["--- a.test.js", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]);
  });

  test("deleted, new, empty, and original", () => {
    const tree = new HeldTree();
    for (const name of ["gone", "hollow", "back"])
      tree.write(`${name}.test.js`, name === "hollow" ? "" : "a\n");
    const changes = [
      changed("gone.test.js", { how: "deleted" }),
      changed("hollow.test.js", { how: "deleted" }),
      changed("back.test.js"),
      changed("new.js", { how: "added" }),
    ];
    const { parts } = tree.diff(changes, () => {
      tree.replace("gone.test.js", () => {});
      tree.replace("hollow.test.js", () => {});
      tree.write("new.js", "b\n");
    });
    expect(parts).toEqual([
      ["--- gone.test.js", "@@ -1 +0,0 @@", "-a"],
      ["--- hollow.test.js (before: an empty file, now: nothing)"],
      ["--- back.test.js (now the same as the original)"],
      ["--- new.js", "@@ -0,0 +1 @@", "+b"],
    ]);
  });

  test("a link is shown, and never followed", () => {
    const secret = join(fakeIo().cwd, "secret");
    fs.writeFileSync(secret, "of another user\n");
    expect(new HeldTree().became("a\n", (place) => fs.symlinkSync(secret, place))).toEqual([
      `--- a.test.js (before: a file, now: link -> ${secret})`,
      "@@ -1 +0,0 @@",
      "-a",
    ]);

    const tree = new HeldTree();
    fs.symlinkSync("one", tree.place("l.test.js"));
    fs.symlinkSync("one", tree.place("text.test.js"));
    tree.write("in/deep/a.test.js", "a\n");
    const paths = ["l.test.js", "text.test.js", "in/deep/a.test.js"];
    const { parts } = tree.diff(
      paths.map((path) => changed(path)),
      () => {
        tree.replace("l.test.js", (place) => fs.symlinkSync("two", place));
        tree.replace("text.test.js", (place) => fs.writeFileSync(place, "b\n"));
        tree.replace("in", (place) => fs.symlinkSync(dirname(secret), place));
        fs.mkdirSync(join(dirname(secret), "deep"));
        fs.writeFileSync(join(dirname(secret), "deep", "a.test.js"), "of another user\n");
      },
    );
    expect(parts).toEqual([
      ["--- l.test.js (before: link -> one, now: link -> two)"],
      ["--- text.test.js (before: link -> one, now: a file)", "@@ -0,0 +1 @@", "+b"],
      [
        `--- in/deep/a.test.js (before: a file, now: nothing: in is a link -> ${dirname(secret)})`,
        "@@ -1 +0,0 @@",
        "-a",
      ],
    ]);
  });

  test("binary, too large, another mode, a pipe, a folder, incomparable content", () => {
    expect(new HeldTree().became("a\n", (place) => fs.writeFileSync(place, "a\0\n"))).toEqual([
      "--- a.test.js (binary, 2 -> 3 bytes)",
    ]);
    const large = Buffer.alloc(1024 * 1024 + 1, "x\n");
    expect(new HeldTree().became("a\n", (place) => fs.writeFileSync(place, large))).toEqual([
      "--- a.test.js (too large to be shown, 2 -> 1048577 bytes)",
    ]);
    expect(new HeldTree().became(large, (place) => fs.symlinkSync("b", place))).toEqual([
      "--- a.test.js (before: a file of 1048577 bytes, now: link -> b)",
    ]);
    expect(new HeldTree().became("a\n", (place) => fs.writeFileSync(place, "a\n", { mode: 0o755 }))).toEqual([
      "--- a.test.js (mode 644 -> 755)",
    ]);
    expect(new HeldTree().became("a\n", (place) => execFileSync("mkfifo", [place]))[0]).toBe(
      "--- a.test.js (before: a file, now: no file but a pipe)",
    );
    expect(new HeldTree().became("a\n", (place) => fs.mkdirSync(place))[0]).toBe(
      "--- a.test.js (before: a file, now: no file but a folder)",
    );
    const left = new HeldTree();
    left.write("a.test.js", Buffer.alloc(16 * 1024 * 1024 + 1));
    expect(left.diff([changed("a.test.js")], () => left.write("a.test.js", "a\n")).parts).toEqual([
      [
        "--- a.test.js (before: a file that was not kept because it was too large or unreadable, now: a file)",
      ],
    ]);
  });

  test("in Chinese", () => {
    const became = new HeldTree().became("a\n", (place) => fs.symlinkSync("b", place), "zh");
    expect(became[0]).toBe("--- a.test.js (原为：文件，现为：链接 -> b)");
  });

  test("a diff of more than a mebibyte", () => {
    const many = "x\n".repeat(400_000);
    const became = new HeldTree().became(many, (place) => fs.writeFileSync(place, many.replaceAll("x", "y")));
    expect(became).toHaveLength(2 + 800_000);
  });

  test("files next to it cannot change how git reads it", () => {
    const { cwd } = fakeIo();
    const before = process.env["TMPDIR"];
    onTestFinished(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    execFileSync("git", ["init", "--quiet", cwd]);
    fs.mkdirSync(join(cwd, ".git", "info"), { recursive: true });
    fs.writeFileSync(join(cwd, ".git", "info", "attributes"), "* binary\n");
    process.env["TMPDIR"] = cwd;
    const [diff] = textDiffs([{ before: Buffer.from("a\n"), after: Buffer.from("b\n") }]);
    expect(diff).toEqual(["@@ -1 +1 @@", "-a", "+b"]);
    process.env["TMPDIR"] = join(cwd, "missing");
    expect(textDiffs([{ before: Buffer.from("a\n"), after: Buffer.from("b\n") }])).toEqual([null]);
  });
});

describe("many files", () => {
  test("removals come first, tests and scripts before their data", () => {
    const changes = [
      changed("a.test.js", { how: "extended" }),
      changed("ci.yml", { kind: "config" }),
      changed("test/fixtures/b.js"),
      changed("test/c.json"),
      changed("x.sh", { kind: "script", how: "deleted" }),
      changed("z.test.js"),
      changed("conftest.py", { how: "added" }),
      changed("data/new.json", { how: "added" }),
    ];
    expect(byWeight(changes).map(({ path }) => path)).toEqual([
      "x.sh",
      "z.test.js",
      "ci.yml",
      "test/fixtures/b.js",
      "test/c.json",
      "a.test.js",
      "conftest.py",
      "data/new.json",
    ]);
  });

  test("all of them are compared, in that order, and kept where a person finds them", () => {
    const tree = new HeldTree();
    const fixtures = Array.from({ length: 150 }, (_, at) => `test/fixtures/${at}.js`);
    const paths = [...fixtures, "test/z.test.js"];
    for (const path of paths) tree.write(path, `${path}\n`);
    const { parts, kept } = tree.diff(
      paths.map((path) => changed(path)),
      () => {
        for (const path of paths) tree.write(path, `${HOSTILE} word\n`);
      },
      { redact: (line) => line.replace("word", "[hidden]") },
    );
    expect(parts.map(([title]) => title)).toEqual(
      ["test/z.test.js", ...fixtures].map((path) => `--- ${path}`),
    );
    expect(parts[150]).toEqual([
      "--- test/fixtures/149.js",
      "@@ -1 +1 @@",
      "-test/fixtures/149.js",
      expect.stringMatching(/^\+evil.* \[hidden\]$/) as string,
    ]);
    expect(kept).toBe(tree.kept);
    const text = fs.readFileSync(tree.kept, "utf8");
    expect(text).toBe(`${parts.flat().join("\n")}\n`);
    expect(text).not.toMatch(STEERS_TERMINAL);
    expect(fs.statSync(tree.kept).mode & 0o777).toBe(0o600);
  });

  test("the diff has a limit, and omitted files are named", () => {
    const tree = new HeldTree();
    const paths = Array.from({ length: 12 }, (_, at) => `${String(at).padStart(2, "0")}.test.js`);
    const text = `${"x".repeat(1023)}\n`.repeat(1000);
    for (const path of paths) tree.write(path, text);
    const { parts } = tree.diff(
      paths.map((path) => changed(path, { how: "deleted" })),
      () => {
        for (const path of paths) tree.replace(path, () => {});
      },
    );
    expect(parts).toHaveLength(12);
    expect(parts[3]).toHaveLength(1002);
    expect(parts[4]?.at(-1)).toMatch(/^\.\.\. \d+ more lines$/);
    const [, count] = /(\d+)/.exec(parts[4]?.at(-1) ?? "") ?? [];
    expect((parts[4]?.length ?? 0) - 1 + Number(count)).toBe(1002);
    expect(parts[5]).toEqual(["--- 05.test.js", "... 1001 more lines"]);
    expect(parts.at(-1)).toEqual(["--- 11.test.js (not shown: there is too much before it)"]);
    expect(fs.statSync(tree.kept).size).toBeLessThan(4 * 1024 * 1024 + 1000);
  });

  test("is shown even if it cannot be saved", () => {
    const tree = new HeldTree();
    tree.write("a.test.js", "a\n");
    const { parts, kept } = tree.diff([changed("a.test.js")], () => {
      tree.write("a.test.js", "b\n");
      fs.writeFileSync(dirname(dirname(tree.kept)), "no folder");
    });
    expect(parts[0]).toHaveLength(4);
    expect(kept).toBeNull();
  });

  test("an altered base is not trusted", () => {
    const tree = new HeldTree();
    tree.write("a.test.js", "a\n");
    const { parts, kept } = tree.diff([changed("a.test.js")], () => {
      const bytes = fs.readFileSync(tree.pack);
      bytes[25] = 0;
      fs.writeFileSync(tree.pack, bytes);
    });
    expect(parts).toEqual([[expect.stringMatching(/saved original files are unreadable$/)]]);
    expect(kept).toBeNull();
  });
});

describe("decide", () => {
  test("shows every held file, and its own gaps; reports a changed base", async () => {
    const long = Array.from({ length: 200 }, (_, at) => `// line ${at}\n`).join("");
    const rig = new RoomRig({
      "test/logo.png": "a\n",
      "test/data.txt": "x\n",
      "test/run.sh": "true\n",
      "test/old.test.js": `${TEST_ADDS}${long}`,
    });
    const agent = [
      WORKS,
      put("test/old.test.js", `${TEST_ADDS}${long.replaceAll("line", "row")}`),
      "printf 'a\\0b' > test/logo.png",
      "ln -sf /etc/hostname test/data.txt",
      "chmod +x test/run.sh",
    ].join("\n");
    const more = ["--test-changes", "hold"];
    const args = rig.superviseArgs({ agent: rig.agent(agent), full: [NODE_TESTS], loops: 1, more });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/1\/1 HELD for you[\s\S]*● refuse/);
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);

    const runId = rig.runIds()[0] ?? "";
    const output = await rig.run(["decide", runId]);
    expect(output.code).toBe(3);
    expect(output.stdout).toContain("| --- test/logo.png (binary, 2 -> 3 bytes)\n");
    expect(output.stdout).toContain("| --- test/data.txt (before: a file, now: link -> /etc/hostname)\n");
    expect(output.stdout).toContain("| --- test/run.sh (mode 644 -> 755)\n");
    const [, whole = ""] = /\| all of it: (.*\/turns\/1\/protected\.diff)\n/.exec(output.stdout) ?? [];
    expect(fs.readFileSync(whole, "utf8")).toContain("+// row 199\n");
    expect(output.stdout).not.toContain("+// row 199");
    const base = join(dirname(dirname(dirname(whole))), "base");
    for (const name of fs.readdirSync(base).filter((one) => /^\d+$/.test(one)))
      fs.appendFileSync(join(base, name, "pack"), "x");
    const gone = await rig.run(["decide", runId]);
    expect(gone.code).toBe(3);
    expect(gone.stdout).toContain("the saved original files are unreadable\n");
    expect((await rig.run(["decide", runId, "allow"])).code).toBe(6);
  });
});
