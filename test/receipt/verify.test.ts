import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitAll, ReceiptRig, receiptName } from "./project.ts";

const HOLDS_HERE = ["shape_fits", "journal_agrees", "tree_same", "protected_same"];
const HOLDS_ELSEWHERE = ["shape_fits", "journal_not_here", "tree_same", "protected_same"];

describe("a valid receipt", () => {
  test("at the run's place, as long as only ignored files change", async () => {
    const rig = new ReceiptRig();
    rig.write(".gitignore", "*.cache\n");
    const { path } = await rig.accepted();
    rig.write("a.cache", "whatever");
    const { stdout, code } = await rig.run(["verify", path, "--lang", "en"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split("  ", 1)[0])).toEqual([
      "✓ receipt",
      "✓ journal",
      "✓ tree",
      "✓ protected files",
      "HOLDS",
      "",
    ]);
    expect(await rig.look(path)).toEqual({ code: 0, codes: HOLDS_HERE, why: "" });
    const stale = { code: 1, codes: [...HOLDS_HERE.slice(0, 2), "tree_other"] };
    rig.write("made.txt", "made otherwise\n");
    expect(await rig.look(path)).toMatchObject(stale);
    rig.write("made.txt", "made\n");
    fs.chmodSync(join(rig.project, "made.txt"), 0o755);
    expect(await rig.look(path)).toMatchObject(stale);
    fs.chmodSync(join(rig.project, "made.txt"), 0o644);
    rig.write("one-more.txt", "");
    const { stderr, code: refused } = await rig.run(["verify", path, "--lang", "zh"]);
    expect([refused, stderr.includes("tree_other"), stderr.includes("凭证不成立")]).toEqual([1, true, true]);
  });

  test("in any clone of the committed work, in any of its folders", async () => {
    const rig = new ReceiptRig();
    rig.write("app/kept.txt", "kept\n");
    rig.commit();
    const agent = "echo made > made.txt; ln -s made.txt link; echo 'exit 0' > run; chmod +x run; claim";
    const { code } = await rig.run([
      ...rig.superviseArgs({ agent, full: ["test -f made.txt"] }),
      ...["--cwd", "app", "--report", "app/report.json"],
    ]);
    expect(code).toBe(0);
    rig.commit();
    const { dir, env } = rig.clone();
    // The other person has their own git ignore file.
    fs.mkdirSync(join(env["HOME"] ?? "", ".config/git"), { recursive: true });
    fs.writeFileSync(join(env["HOME"] ?? "", ".config/git/ignore"), "*.txt\n*.mine\n");
    fs.writeFileSync(join(dir, "note.mine"), "a note");
    const inside = await rig.verify("report.receipt.json", [], { env, dir: join(dir, "app") });
    expect([inside.code, inside.codes]).toEqual([0, HOLDS_ELSEWHERE]);
    fs.rmSync(join(dir, "note.mine"));
    const receipt = join(dir, "app", "report.receipt.json");
    const look = (path: string) => rig.look(path, { cwd: dir, journal: false });
    expect(await look(receipt)).toEqual({ code: 0, codes: HOLDS_ELSEWHERE, why: "" });
    // The receipt is excluded under any name, but a copy of it counts as a file.
    fs.renameSync(receipt, join(dir, "proof.json"));
    expect((await look(join(dir, "proof.json"))).code).toBe(0);
    fs.copyFileSync(join(dir, "proof.json"), join(dir, "copy.json"));
    expect((await look(join(dir, "proof.json"))).codes).toContain("tree_other");
  });

  test("not for another repository, nor for another place", async () => {
    const rig = new ReceiptRig();
    const { path } = await rig.accepted();
    const foreign = join(rig.root, "foreign");
    fs.mkdirSync(foreign);
    expect((await rig.look(path, { cwd: foreign })).codes).toContain("tree_foreign");
    fs.cpSync(join(rig.project, "plan.md"), join(foreign, "plan.md"));
    rig.git("init", "--quiet", foreign);
    commitAll(foreign, rig.env());
    const { code, codes, why } = await rig.look(path, { cwd: foreign });
    expect([code, codes]).toEqual([1, ["shape_fits", "journal_agrees", "tree_foreign"]]);
    expect(why).toContain("another repository");
  });
});

describe("the journal's part", () => {
  test("uses a local journal, and derives the same receipt, byte by byte", async () => {
    const rig = new ReceiptRig();
    const { path, runId } = await rig.accepted();
    const text = fs.readFileSync(path);
    fs.rmSync(path);
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(fs.readFileSync(path)).toEqual(text);
    const journal = rig.journalPath(runId);
    const bytes = fs.readFileSync(journal);
    fs.writeFileSync(journal, bytes.subarray(0, bytes.lastIndexOf(0x0a, bytes.length - 2) + 1));
    expect((await rig.look(path)).codes).toContain("run_not_accepted");
    const changed = bytes.toString("latin1").replace("test -f made.txt", "test -e made.txt");
    fs.writeFileSync(journal, changed, "latin1");
    expect(await rig.look(path)).toMatchObject({
      code: 1,
      codes: ["shape_fits", "journal_damaged", "tree_same", "protected_same"],
    });
    fs.writeFileSync(journal, bytes);
    expect((await rig.look(path)).code).toBe(0);
  });

  test("is compared with the process's own state before a run is left", async () => {
    const rig = new ReceiptRig();
    // An agent could do this with a background process that waits for the end.
    const rewrite = join(rig.root, "rewrite.mjs");
    fs.writeFileSync(
      rewrite,
      `import fs from "node:fs";
const { fdatasyncSync } = fs;
fs.fdatasyncSync = (fd) => {
  fdatasyncSync(fd);
  const path = "/proc/self/fd/" + fd;
  const text = fs.readFileSync(path, "latin1");
  if (!text.includes('"run_ended"')) return;
  fs.writeFileSync(path, text.replace("the task", "the tusk"), { encoding: "latin1", flag: "r+" });
};
`,
    );
    const ended = await rig.run(rig.superviseArgs({}), { preload: rewrite });
    const runId = rig.runIds()[0] ?? "";
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain("journal");
    expect(fs.existsSync(`${rig.journalPath(runId)}.tampered`)).toBe(true);
    expect([rig.hasReport(runId), rig.exists(receiptName("supervise", runId))]).toEqual([false, false]);
  });
});

test("rejected work has none", async () => {
  const rig = new ReceiptRig();
  const { runId, code } = await rig.supervise({ agent: "agent mute", loops: 1 });
  expect([code, rig.hasReport(runId), rig.exists(receiptName("supervise", runId))]).toEqual([1, true, false]);
});
