import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { gitDirectories } from "../../src/platform/process/sandbox-git.ts";

/** A repository with a commit, and a directory for others beside it. */
class Repository {
  readonly dir = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-git-")));
  readonly main = join(this.dir, "main");

  constructor() {
    onTestFinished(() => fs.rmSync(this.dir, { recursive: true, force: true }));
    this.git(this.dir, "init", "--quiet", "main");
    this.git(this.main, "commit", "--quiet", "--allow-empty", "--message", "Start");
  }

  git(cwd: string, ...args: readonly string[]): void {
    const me = ["-c", "user.name=me", "-c", "user.email=me@localhost", "-c", "protocol.file.allow=always"];
    const { status, stderr } = spawnSync("git", [...me, ...args], { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }

  write(path: string, text: string): void {
    fs.mkdirSync(join(this.dir, path, ".."), { recursive: true });
    fs.writeFileSync(join(this.dir, path), text);
  }
}

test("a repository inside its work tree needs nothing else, nor does a directory without one", () => {
  const repository = new Repository();
  expect(gitDirectories(repository.main)).toEqual([]);
  expect(gitDirectories(repository.dir)).toEqual([]);
  expect(gitDirectories(join(repository.dir, "missing"))).toEqual([]);
});

test("a linked work tree needs the repository that it belongs to", () => {
  const repository = new Repository();
  const tree = join(repository.dir, "tree");
  repository.git(repository.main, "worktree", "add", "--quiet", tree);
  expect(gitDirectories(tree)).toEqual([join(repository.main, ".git")]);
  fs.symlinkSync(tree, join(repository.dir, "link"));
  expect(gitDirectories(join(repository.dir, "link"))).toEqual([join(repository.main, ".git")]);
  // Newer versions of git can write relative paths.
  repository.write("tree/.git", "gitdir: ../main/.git/worktrees/tree\n");
  repository.write("main/.git/worktrees/tree/gitdir", "../../../../tree/.git\n");
  expect(gitDirectories(tree)).toEqual([join(repository.main, ".git")]);
});

test("a submodule needs its own part of the repository around it", () => {
  const repository = new Repository();
  repository.git(repository.dir, "init", "--quiet", "around");
  repository.git(join(repository.dir, "around"), "submodule", "--quiet", "add", repository.main, "part");
  repository.git(join(repository.dir, "around"), "submodule", "--quiet", "add", repository.main, "other");
  const part = join(repository.dir, "around/part");
  expect(gitDirectories(part)).toEqual([join(repository.dir, "around/.git/modules/part")]);
  // Not the one of another module.
  repository.write("around/part/.git", "gitdir: ../.git/modules/other\n");
  expect(gitDirectories(part)).toEqual([]);
});

describe("a rewritten work tree opens nothing", () => {
  const opened = (make: (repository: Repository, tree: string) => void): readonly string[] => {
    const repository = new Repository();
    const tree = join(repository.dir, "tree");
    repository.git(repository.main, "worktree", "add", "--quiet", tree);
    repository.git(repository.main, "worktree", "add", "--quiet", join(repository.dir, "other"));
    make(repository, tree);
    return gitDirectories(tree);
  };

  test.each([
    ["any directory", "gitdir: /etc\n"],
    ["a place below one that is no repository", "gitdir: ../worktrees/x\n"],
    ["the repository of another", "gitdir: ../main/.git\n"],
    ["the place of another work tree", "gitdir: ../main/.git/worktrees/other\n"],
    ["nothing", "gitdir: \n"],
    ["a file", "gitdir: ../main/.git/HEAD\n"],
    ["no such words", "/etc\n"],
  ])("named: %s", (_, text) => {
    expect(
      opened((repository) => {
        fs.mkdirSync(join(repository.dir, "worktrees/x"), { recursive: true });
        repository.write("worktrees/x/gitdir", join(repository.dir, "tree/.git"));
        repository.write("tree/.git", text);
      }),
    ).toEqual([]);
  });

  test("with its own repository inside", () => {
    expect(
      opened((repository) => {
        for (const name of ["HEAD", "config", "refs/x", "objects/x"])
          repository.write(`tree/fake/${name}`, "");
        repository.write("tree/fake/config", "[core]\n\tworktree = ..\n");
        repository.write("tree/.git", "gitdir: fake\n");
      }),
    ).toEqual([]);
  });

  test("with a name that makes the parent directory look like its repository", () => {
    const repository = new Repository();
    const tree = join(repository.main, ".git/worktrees/mine");
    for (const name of ["HEAD", "refs/x", "objects/x"])
      repository.write(`main/.git/worktrees/mine/${name}`, "");
    fs.writeFileSync(join(tree, ".git"), "gitdir: .\n");
    fs.writeFileSync(join(tree, "gitdir"), `${tree}/.git\n`);
    expect(gitDirectories(tree)).toEqual([]);
  });

  test("with another kind of file in its place", () => {
    expect(
      opened((_, tree) => {
        fs.rmSync(join(tree, ".git"));
        spawnSync("mkfifo", [join(tree, ".git")]);
      }),
    ).toEqual([]);
  });
});
