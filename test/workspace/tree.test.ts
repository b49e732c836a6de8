import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { changedPaths, contentDigest, digestWithout, WorkTree } from "../../src/platform/git/tree.ts";
import { changedBy, commit, look, project } from "./looking.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("files", () => {
  test("a scan changes nothing, and two scans are equal", () => {
    const rig = project();
    expect(changedBy(rig.project, () => undefined)).toEqual([]);
    expect(look(new WorkTree(rig.project)).sha256).toBe(look(new WorkTree(rig.project)).sha256);
  });

  test("made, changed and removed ones are named in order, tracked or not", () => {
    const rig = project();
    for (const name of ["b/tracked.txt", "gone.txt"]) rig.write(name, "one");
    commit(rig);
    rig.write("untracked.txt", "one");
    const changed = changedBy(rig.project, () => {
      rig.write("b/tracked.txt", "two");
      rig.write("untracked.txt", "two");
      rig.write("a/new.txt", "");
      fs.rmSync(join(rig.project, "gone.txt"));
    });
    expect(changed).toEqual(["a/new.txt", "b/tracked.txt", "gone.txt", "untracked.txt"]);
  });

  test("a file of more than one chunk counts to its last byte", () => {
    const rig = project();
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 1, "x");
    const path = rig.write("large.bin", "");
    fs.writeFileSync(path, bytes);
    const digest = createHash("sha256").update(bytes).digest("hex");
    expect(look(new WorkTree(rig.project)).files.get("large.bin")).toBe(`file ${digest}`);
  });

  test("ignored files do not count, ignore rules do", () => {
    const rig = project();
    rig.write(".gitignore", "cache/\n");
    expect(changedBy(rig.project, () => rig.write("cache/x", "1"))).toEqual([]);
    expect(changedBy(rig.project, () => rig.write(".gitignore", "cache/\n*.js\n"))).toEqual([".gitignore"]);
  });

  test("permission to run counts", () => {
    const rig = project();
    const path = rig.write("run.sh", "true\n");
    expect(changedBy(rig.project, () => fs.chmodSync(path, 0o755))).toEqual(["run.sh"]);
  });

  test("a link is its target path, not the content there", () => {
    const rig = project();
    const target = join(rig.root, "outside.txt");
    const link = join(rig.project, "link");
    fs.writeFileSync(target, "one");
    fs.symlinkSync(target, link);
    expect(changedBy(rig.project, () => fs.writeFileSync(target, "two"))).toEqual([]);
    const retargeted = changedBy(rig.project, () => {
      fs.rmSync(link);
      fs.symlinkSync("elsewhere", link);
    });
    expect(retargeted).toEqual(["link"]);
  });

  test("a tracked folder that became a link is gone, whatever the target", () => {
    const rig = project();
    rig.write("folder/a.txt", "one");
    rig.write("folder/deeper/b.txt", "one");
    commit(rig);
    const changed = changedBy(rig.project, () => {
      fs.renameSync(join(rig.project, "folder"), join(rig.root, "moved"));
      fs.symlinkSync(join(rig.root, "moved"), join(rig.project, "folder"));
    });
    expect(changed).toEqual(["folder", "folder/a.txt", "folder/deeper/b.txt"]);
  });

  test("a file that became a pipe is seen and not waited for", () => {
    const rig = project();
    const path = join(rig.project, "plan.md");
    const changed = changedBy(rig.project, () => {
      fs.rmSync(path);
      execFileSync("mkfifo", [path]);
    });
    expect(changed).toEqual(["plan.md"]);
    expect(look(new WorkTree(rig.project)).files.get("plan.md")).toBe("pipe");
  });

  test("a file that cannot be read goes by its times", () => {
    const rig = project();
    const path = rig.write("secret.txt", "one");
    const open = fs.openSync.bind(fs);
    vi.spyOn(fs, "openSync").mockImplementation((file, ...rest) => {
      if (file === path) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
      return open(file, ...rest);
    });
    expect(look(new WorkTree(rig.project)).files.get("secret.txt")).toMatch(/^file unreadable /);
    expect(changedBy(rig.project, () => undefined)).toEqual([]);
    expect(changedBy(rig.project, () => rig.write("secret.txt", "longer"))).toEqual(["secret.txt"]);
  });

  test("an inaccessible file or folder counts as such", () => {
    const rig = project();
    const path = rig.write("a/secret.txt", "one");
    const denied = Object.assign(new Error("permission denied"), { code: "EACCES" });
    const [stat, list] = [fs.lstatSync.bind(fs), fs.readdirSync.bind(fs)];
    const changed = changedBy(rig.project, () =>
      vi.spyOn(fs, "lstatSync").mockImplementation((place: fs.PathLike) => {
        if (place === path) throw denied;
        return stat(place, { bigint: true, throwIfNoEntry: false });
      }),
    );
    expect(changed).toEqual(["a/secret.txt"]);
    expect(look(new WorkTree(rig.project)).files.get("a/secret.txt")).toBe("unreadable");
    vi.restoreAllMocks();
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    vi.spyOn(fs, "readdirSync").mockImplementation(((place: string) => {
      if (place === join(rig.project, "a")) throw denied;
      return list(place, { encoding: "buffer" });
    }) as unknown as typeof fs.readdirSync);
    expect(look(new WorkTree(rig.project)).files.get("a")).toBe("folder unreadable");
  });

  test("names may have newlines, and need not be UTF-8", () => {
    const rig = project();
    const at = (byte: number) => Buffer.concat([Buffer.from(`${rig.project}/中文\n/`), Buffer.from([byte])]);
    fs.mkdirSync(join(rig.project, "中文\n"));
    fs.writeFileSync(at(0xfe), "one");
    commit(rig);
    fs.writeFileSync(at(0xff), "one");
    const changed = changedBy(rig.project, () => fs.writeFileSync(at(0xff), "two"));
    expect(changed).toEqual(["中文\n/\udcff"]);
    const before = look(new WorkTree(rig.project));
    const moved = changedBy(rig.project, () => fs.renameSync(at(0xfe), at(0xfd)));
    expect(moved).toEqual(["中文\n/\udcfd", "中文\n/\udcfe"]);
    expect(look(new WorkTree(rig.project)).sha256).not.toBe(before.sha256);
  });

  test.each([
    ".goldagent-supervise/1115-k7m2/feedback.md",
    "goldagent-supervise-report-1115-k7m2.json",
    "goldagent-run-report-1115-k7m2.json",
    "packages/a/goldagent-analyze-report-1115-k7m2.json",
  ])("the foreman's own %s does not count", (name) => {
    const rig = project();
    expect(changedBy(rig.project, () => rig.write(name, "{}"))).toEqual([]);
  });

  test.each([
    "goldagent-run-report-/evil.js",
    "my.goldagent-supervise/x",
    ".goldagent-supervised/x",
    "xgoldagent-run-report-1.json",
  ])("%s only looks like one of the foreman's", (name) => {
    const rig = project();
    expect(changedBy(rig.project, () => rig.write(name, "{}"))).toEqual([name]);
  });
});

describe("where the tree begins", () => {
  test("another folder of the repository counts as well", () => {
    const rig = project();
    rig.write("a/x", "");
    expect(changedBy(join(rig.project, "a"), () => rig.write("b/y", ""))).toEqual(["b/y"]);
  });

  test("a folder that git ignores is a separate tree", () => {
    const rig = project();
    rig.write(".gitignore", "ignored/\n");
    rig.write("ignored/place/x", "one");
    const changed = changedBy(join(rig.project, "ignored", "place"), () =>
      rig.write("ignored/place/x", "two"),
    );
    expect(changed).toEqual(["x"]);
  });

  test("a repository made in the folder later does not cut it off", () => {
    const rig = project();
    rig.write("a/x", "one");
    commit(rig);
    const changed = changedBy(join(rig.project, "a"), () => {
      rig.git("init", "--quiet", "a");
      rig.write("a/x", "two");
      rig.write("plan.md", "two");
    });
    expect(changed).toEqual(["a/x", "plan.md"]);
  });

  test("without git the folder is walked, except for installed packages", () => {
    const rig = project();
    const folder = join(rig.root, "plain");
    const write = (name: string) => {
      fs.mkdirSync(join(folder, name, ".."), { recursive: true });
      fs.writeFileSync(join(folder, name), "");
    };
    write("a/b/c");
    expect(changedBy(folder, () => write("a/b/d"))).toEqual(["a/b/d"]);
    expect(changedBy(folder, () => write("a/node_modules/d"))).toEqual([]);
  });

  test("without git there is no snapshot of more than 50,000 entries", () => {
    const rig = project();
    const names = (count: number) => Array.from({ length: count }, (_, index) => Buffer.from(`n${index}`));
    const read = vi.spyOn(fs, "readdirSync") as unknown as { mockReturnValue: (names: Buffer[]) => void };
    const folder = join(rig.root, "plain");
    fs.mkdirSync(folder);
    read.mockReturnValue(names(50_000));
    expect(new WorkTree(folder).snapshot()).not.toBeNull();
    read.mockReturnValue(names(50_001));
    expect(new WorkTree(folder).snapshot()).toBeNull();
  });

  test("a missing folder has no snapshot", () => {
    const rig = project();
    expect(new WorkTree(join(rig.root, "nowhere")).snapshot()).toBeNull();
  });
});

describe("comparing", () => {
  test("files of a folder can be left out, by its path from the root or from the top", () => {
    const rig = project();
    rig.write("steps/1.json", "one");
    const tree = new WorkTree(rig.project);
    const before = look(tree);
    rig.write("steps/1.json", "two");
    const after = look(tree);
    rig.write("steps/2.json", "");
    const other = look(tree);
    fs.symlinkSync(rig.project, join(rig.root, "alias"));
    const own = ["1.json", "progress.md"];
    for (const folder of ["steps", "steps/", join(rig.project, "steps"), join(rig.root, "alias", "steps")]) {
      expect(contentDigest(after, folder, own), folder).toBe(contentDigest(before, folder, own));
      expect(contentDigest(other, folder, own), folder).not.toBe(contentDigest(after, folder, own));
    }
    expect(changedPaths(before, other)).toEqual(["steps/1.json", "steps/2.json"]);
  });

  test("files of the root as well", () => {
    const rig = project();
    const tree = new WorkTree(rig.project);
    const before = look(tree);
    rig.write("1.json", "");
    const after = look(tree);
    for (const folder of ["", ".", rig.project]) {
      expect(contentDigest(after, folder, ["1.json"]), folder).toBe(
        contentDigest(before, folder, ["1.json"]),
      );
      expect(contentDigest(after, folder, ["2.json"]), folder).not.toBe(
        contentDigest(before, folder, ["2.json"]),
      );
    }
  });

  test("committing changes the tree, but not its contents", () => {
    const rig = project();
    const tree = new WorkTree(rig.project);
    fs.writeFileSync(join(rig.project, "another.txt"), "");
    const before = look(tree);
    commit(rig);
    const after = look(tree);
    expect(digestWithout(after, "", [])).not.toBe(digestWithout(before, "", []));
    expect(contentDigest(after, "", [])).toBe(contentDigest(before, "", []));
  });
});
