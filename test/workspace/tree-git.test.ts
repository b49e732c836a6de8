import fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WorkTree } from "../../src/platform/git/tree.ts";
import type { Rig } from "../rig/rig.ts";
import { changedBy, commit, look, project, trap } from "./looking.ts";

afterEach(() => vi.unstubAllEnvs());

const branch = (rig: Rig): string => `.git/${rig.git("symbolic-ref", "HEAD").trim()}`;

describe("git's own files", () => {
  test("a commit is seen", () => {
    const rig = project();
    expect(changedBy(rig.project, () => commit(rig, "--allow-empty"))).toEqual([branch(rig)]);
  });

  test("another branch is seen, and so is a commit away from all branches", () => {
    const rig = project();
    const first = branch(rig);
    const switched = changedBy(rig.project, () => rig.git("switch", "--quiet", "-c", "other"));
    expect(switched).toEqual([".git/HEAD", ".git/refs/heads/other", first].sort());
    rig.git("checkout", "--quiet", "--detach");
    expect(changedBy(rig.project, () => commit(rig, "--allow-empty"))).toEqual([".git/HEAD"]);
  });

  test("a tag is seen, and a stash that was put away", () => {
    const rig = project();
    expect(changedBy(rig.project, () => rig.git("tag", "v1"))).toEqual([".git/refs/tags/v1"]);
    rig.write("plan.md", "other");
    const stashed = changedBy(rig.project, () =>
      rig.git("-c", "user.name=rig", "-c", "user.email=rig@localhost", "stash", "--quiet"),
    );
    expect(stashed).toEqual([".git/refs/stash", "plan.md"]);
  });

  test.each(["config", "info/exclude", "info/attributes", "hooks/pre-commit"])("%s is seen", (name) => {
    const rig = project();
    const edit = () => fs.appendFileSync(join(rig.project, ".git", name), "# edited\n");
    expect(changedBy(rig.project, edit)).toEqual([`.git/${name}`]);
  });

  test("an edit behind a link is seen", () => {
    const rig = project();
    const exclude = join(rig.project, ".git", "info", "exclude");
    const list = join(rig.root, "list");
    fs.writeFileSync(list, "");
    fs.rmSync(exclude);
    fs.symlinkSync(list, exclude);
    expect(changedBy(rig.project, () => fs.writeFileSync(list, "*.js\n"))).toEqual([".git/info/exclude"]);
  });

  test("a look by `git status` is not seen, though it writes the index", () => {
    const rig = project();
    const index = join(rig.project, ".git", "index");
    const before = fs.readFileSync(index);
    const changed = changedBy(rig.project, () => {
      fs.utimesSync(join(rig.project, "plan.md"), 1, 1);
      rig.git("status");
    });
    expect(changed).toEqual([]);
    expect(fs.readFileSync(index).equals(before)).toBe(false);
  });

  test("packed branches are the same branches", () => {
    const rig = project();
    expect(changedBy(rig.project, () => rig.git("pack-refs", "--all"))).toEqual([]);
  });

  test("fetched objects do not belong to the tree", () => {
    const rig = project();
    const fetched = () => rig.git("update-ref", "refs/remotes/origin/main", "HEAD");
    expect(changedBy(rig.project, fetched)).toEqual([]);
  });

  test("a repository that is gone is seen", () => {
    const rig = project();
    const changed = changedBy(rig.project, () => fs.rmSync(join(rig.project, ".git"), { recursive: true }));
    expect(changed).toContain(".git/HEAD");
    expect(changed).not.toContain("plan.md");
  });

  test("with an index that git cannot read, the files count all the same", () => {
    const rig = project();
    fs.writeFileSync(join(rig.project, ".git", "index"), "broken");
    expect(changedBy(rig.project, () => rig.write("plan.md", "two"))).toEqual(["plan.md"]);
  });
});

describe("the person's own list of ignored files", () => {
  test("is heeded, and an edit of it is seen", () => {
    const rig = project();
    const list = join(rig.home, ".config", "git", "ignore");
    fs.mkdirSync(join(list, ".."), { recursive: true });
    fs.writeFileSync(list, "*.swp\n");
    expect(changedBy(rig.project, () => rig.write("x.swp", ""))).toEqual([]);
    expect(changedBy(rig.project, () => fs.appendFileSync(list, "*.js\n"))).toEqual([list]);
  });

  test("stays the same", () => {
    const rig = project();
    const [list, another] = [join(rig.home, "one"), join(rig.home, "two")];
    fs.writeFileSync(list, "*.swp\n");
    fs.writeFileSync(another, "*.js\n");
    rig.git("config", "--global", "core.excludesFile", "~/one");
    const changed = changedBy(rig.project, () => {
      rig.git("config", "--global", "core.excludesFile", another);
      rig.write("a.js", "");
      rig.write("a.swp", "");
    });
    expect(changed).toEqual(["a.js"]);
  });
});

describe("trees in trees", () => {
  test("a linked work tree has its own branch; work in another one is not seen", () => {
    const rig = project();
    const linked = join(rig.root, "linked");
    rig.git("worktree", "add", "--quiet", "-b", "side", linked);
    expect(changedBy(linked, () => commit(rig, "--allow-empty"))).toEqual([]);
    const changed = changedBy(linked, () => {
      rig.git("-C", linked, "switch", "--quiet", "--detach");
      fs.appendFileSync(join(rig.project, ".git", "info", "exclude"), "*.js\n");
      fs.writeFileSync(join(linked, "plan.md"), "");
    });
    expect(changed).toEqual([".git/HEAD", ".git/info/exclude", ".git/refs/heads/side", "plan.md"]);
    const redirected = changedBy(linked, () => fs.appendFileSync(join(linked, ".git"), "\n"));
    expect(redirected).toContain(".git");
  });

  test("a submodule counts like a tree: its files and branches, without ignored ones", () => {
    const rig = project();
    const origin = join(rig.root, "origin");
    rig.git("clone", "--quiet", rig.project, origin);
    rig.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin, "sub");
    commit(rig);
    rig.write("sub/.gitignore", "cache/\n");
    const changed = changedBy(rig.project, () => {
      rig.write("sub/plan.md", "two");
      rig.write("sub/new/file", "");
      rig.write("sub/cache/file", "");
      rig.git("-C", "sub", "tag", "v1");
    });
    expect(changed).toEqual(["sub/.git/refs/tags/v1", "sub/new/file", "sub/plan.md"]);
  });

  test("a folder is not hidden by being called a submodule", () => {
    const rig = project();
    rig.write("hidden/x", "one");
    rig.git("update-index", "--add", "--cacheinfo", `160000,${rig.git("rev-parse", "HEAD").trim()},hidden`);
    expect(changedBy(rig.project, () => rig.write("hidden/x", "two"))).toEqual(["hidden/x"]);
  });

  test("nor by a nested repository that was never added", () => {
    const rig = project();
    rig.git("init", "--quiet", "nested");
    rig.write("nested/x", "one");
    expect(changedBy(rig.project, () => rig.write("nested/x", "two"))).toEqual(["nested/x"]);
  });

  test("nor by a name that git does not get", () => {
    const rig = project();
    const place = Buffer.concat([Buffer.from(`${rig.project}/`), Buffer.from([0xff])]);
    rig.git("init", "--quiet", "nested");
    fs.renameSync(join(rig.project, "nested"), place);
    const changed = changedBy(rig.project, () =>
      fs.writeFileSync(Buffer.concat([place, Buffer.from("/x")]), "one"),
    );
    expect(changed).toEqual(["\udcff/x"]);
  });

  test("does not confuse a fake repository with the one around it", () => {
    const rig = project();
    rig.write("broken/.git/HEAD", "");
    rig.git("update-index", "--add", "--cacheinfo", `160000,${rig.git("rev-parse", "HEAD").trim()},broken`);
    const changed = changedBy(rig.project, () => {
      rig.git("tag", "v1");
      rig.write("broken/x", "");
    });
    expect(changed).toEqual([".git/refs/tags/v1", "broken/x"]);
  });

  test("asks git about 100 repositories; counts the files of more without it", () => {
    const rig = project();
    rig.git("init", "--quiet", "r0");
    const folder = (index: number) => join(rig.project, `r${index}`);
    for (let index = 1; index <= 100; index += 1) fs.cpSync(folder(0), folder(index), { recursive: true });
    for (let index = 0; index <= 100; index += 1) rig.write(`r${index}/x`, "");
    const paths = [...look(new WorkTree(rig.project)).files.keys()];
    expect(paths.filter((path) => path.endsWith(".git/HEAD"))).toHaveLength(100);
    expect(paths.filter((path) => path.endsWith("/x"))).toHaveLength(101);
  });

  test("repositories below a folder without one follow git's listing", () => {
    const rig = project();
    rig.write(".gitignore", "cache/\n");
    const changed = changedBy(rig.root, () => {
      rig.write("cache/x", "");
      rig.write("x", "");
    });
    expect(changed).toEqual(["project/x"]);
  });
});

describe("a tree that was set up to deceive", () => {
  test("its monitor of files is not run", () => {
    const rig = project();
    const { program, sprung } = trap(rig);
    rig.git("config", "core.fsmonitor", program);
    expect(changedBy(rig.project, () => rig.write("plan.md", "two"))).toEqual(["plan.md"]);
    expect(sprung()).toBe(false);
    rig.git("status");
    expect(sprung()).toBe(true);
  });

  test("its filters are not run", () => {
    const rig = project();
    const { program, sprung } = trap(rig);
    rig.git("config", "filter.trap.clean", program);
    rig.write(".gitattributes", "* filter=trap\n");
    expect(changedBy(rig.project, () => rig.write("plan.md", "two"))).toEqual(["plan.md"]);
    expect(sprung()).toBe(false);
    rig.git("diff");
    expect(sprung()).toBe(true);
  });

  test("its hooks are not run", () => {
    const rig = project();
    const { program, sprung } = trap(rig);
    const hooks = join(rig.project, ".git", "hooks");
    for (const name of ["post-index-change", "reference-transaction", "fsmonitor-watchman"])
      fs.symlinkSync(program, join(hooks, name));
    look(new WorkTree(rig.project));
    expect(sprung()).toBe(false);
    rig.git("tag", "v1");
    expect(sprung()).toBe(true);
  });

  test.each([
    ["in the root", ""],
    ["in a folder with files that git tracks", "a/b/"],
    ["in a folder above one", "a/"],
    ["in the root of a repository in it", "nested/"],
  ])("a .gitignore that hides itself is seen %s", (_, folder) => {
    const rig = project();
    rig.write("a/b/tracked.txt", "");
    commit(rig);
    if (folder === "nested/") rig.git("init", "--quiet", "nested");
    const changed = changedBy(rig.project, () => rig.write(`${folder}.gitignore`, "*\n"));
    expect(changed).toEqual([`${folder}.gitignore`]);
    expect(changedBy(rig.project, () => rig.write(`${folder}.gitignore`, "*\n!x\n"))).toEqual(changed);
  });

  test("a folder without listed files is like the rest, and so is one behind a link", () => {
    const rig = project();
    rig.write("cache/.gitignore", "*\n");
    rig.write("linked/x", "");
    commit(rig);
    fs.renameSync(join(rig.project, "linked"), join(rig.root, "elsewhere"));
    fs.symlinkSync("../elsewhere", join(rig.project, "linked"));
    const changed = changedBy(rig.project, () => {
      rig.write("cache/.gitignore", "*\n# More.\n");
      rig.write("linked/.gitignore", "*\n");
    });
    expect(changed).toEqual([]);
  });

  test.each(["--assume-unchanged", "--skip-worktree"])("an edit is seen in spite of %s", (flag) => {
    const rig = project();
    rig.git("update-index", flag, "plan.md");
    expect(changedBy(rig.project, () => rig.write("plan.md", "two"))).toEqual(["plan.md"]);
  });

  test.each([
    ["core.worktree", "/"],
    ["core.worktree", "../../home"],
    ["core.bare", "true"],
    ["core.ignoreCase", "true"],
  ])("a file is seen in spite of %s=%s", (key, value) => {
    const rig = project();
    rig.git("config", key, value);
    expect(changedBy(rig.project, () => rig.write("PLAN.md", ""))).toEqual(["PLAN.md"]);
  });

  test("variables for git do not lead to another tree, or to another list of its files", () => {
    const rig = project();
    rig.git("init", "--quiet", join(rig.root, "other"));
    rig.write(".gitignore", "x\n");
    rig.write("x", "one");
    rig.git("add", "--force", "x");
    vi.stubEnv("GIT_DIR", join(rig.root, "other", ".git"));
    vi.stubEnv("GIT_WORK_TREE", join(rig.root, "other"));
    vi.stubEnv("GIT_INDEX_FILE", join(rig.root, "other", "index"));
    expect(changedBy(rig.project, () => rig.write("x", "two"))).toEqual(["x"]);
  });
});
