import fs from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { changedSinceCommit } from "../../src/platform/git/git.ts";
import type { Rig } from "../rig/rig.ts";
import { commit, project, trap } from "./looking.ts";

afterEach(() => vi.unstubAllEnvs());

const change = (rig: Rig) =>
  changedSinceCommit(rig.project, rig.git("rev-parse", "HEAD").trim(), (command) => ({
    file: "/bin/sh",
    args: ["-c", command],
  }));

const blobOf = (rig: Rig, path: string): string => rig.git("rev-parse", `HEAD:${path}`).trim();

/** Whether plain git runs a command that the tree configures. Git may fail on it. */
function gitRuns(rig: Rig, sprung: () => boolean): boolean {
  // Git decides whether a read command writes the index, which triggers a hook. `add` always does.
  for (const args of [["diff"], ["status"], ["add", "--all"]]) {
    try {
      rig.git(...args);
    } catch {
      // Only the trap matters.
    }
  }
  return sprung();
}

const gitFile = (rig: Rig, name: string, text: string | Buffer): void => {
  fs.mkdirSync(join(rig.project, ".git", name, ".."), { recursive: true });
  fs.appendFileSync(join(rig.project, ".git", name), text);
};

const FILTERS: Readonly<Record<string, (rig: Rig, program: string) => void>> = {
  "clean, by .gitattributes": (rig, program) => {
    rig.git("config", "filter.trap.clean", program);
    rig.write(".gitattributes", "* filter=trap\n");
  },
  "clean, by info/attributes": (rig, program) => {
    rig.git("config", "filter.trap.clean", program);
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
  "clean, smudge and process that are required": (rig, program) => {
    for (const kind of ["clean", "smudge", "process"]) rig.git("config", `filter.trap.${kind}`, program);
    rig.git("config", "filter.trap.required", "true");
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
  "process alone": (rig, program) => {
    rig.git("config", "filter.trap.process", program);
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
  "one among several": (rig, program) => {
    for (const name of ["a", "b", "c"]) rig.git("config", `filter.${name}.clean`, program);
    gitFile(rig, "info/attributes", "* filter=a\nplan.md filter=c\n");
  },
  "one with an odd name": (rig, program) => {
    rig.git("config", `filter.O'dd=.\\"$(x)"ä.clean`, program);
    gitFile(rig, "info/attributes", `* filter=O'dd=.\\"$(x)"ä\n`);
  },
  "one without a name": (rig, program) => {
    rig.git("config", "filter..clean", program);
    gitFile(rig, "info/attributes", "* filter=\n");
  },
  "one in a file that is included": (rig, program) => {
    gitFile(rig, "more", `[filter "trap"]\n\tclean = ${program}\n`);
    rig.git("config", "include.path", "more");
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
  "one of a work tree's own": (rig, program) => {
    rig.git("config", "extensions.worktreeConfig", "true");
    rig.git("config", "--worktree", "filter.trap.clean", program);
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
  "one of the person's": (rig, program) => {
    rig.git("config", "--global", "filter.trap.clean", program);
    gitFile(rig, "info/attributes", "* filter=trap\n");
  },
};

const OTHERS: Readonly<Record<string, (rig: Rig, program: string) => void>> = {
  "a monitor of files": (rig, program) => rig.git("config", "core.fsmonitor", program),
  "another program for differences": (rig, program) => rig.git("config", "diff.external", program),
  "a converter for differences": (rig, program) => {
    rig.git("config", "diff.trap.textconv", program);
    gitFile(rig, "info/attributes", "* diff=trap\n");
  },
  "a program for differences of some files": (rig, program) => {
    rig.git("config", "diff.trap.command", program);
    gitFile(rig, "info/attributes", "* diff=trap\n");
  },
  hooks: (rig, program) => {
    fs.symlinkSync(program, join(rig.project, ".git", "hooks", "post-index-change"));
    fs.utimesSync(join(rig.project, ".gitignore"), 1, 1);
  },
  "the filter of a submodule": (rig, program) => {
    rig.git("-C", "sub", "config", "filter.trap.clean", program);
    gitFile(rig, "../sub/.git/info/attributes", "* filter=trap\n");
    rig.write("sub/plan.md", "# Plan\n\nDo the WORK.\n");
  },
  "the monitor of a submodule": (rig, program) => rig.git("-C", "sub", "config", "core.fsmonitor", program),
};

/** A repository inside the project that the index lists as a submodule, and a file that is about to change. */
function set(): Rig {
  const rig = project();
  rig.write(".gitignore", "");
  rig.git("clone", "--quiet", rig.project, join(rig.project, "sub"));
  commit(rig);
  return rig;
}

describe("commands that the tree configures do not run when a person's changes are looked for", () => {
  test.each(Object.entries({ ...FILTERS, ...OTHERS }))("%s", (_, plant) => {
    const rig = set();
    const { program, sprung } = trap(rig);
    rig.write("plan.md", "# Plan\n\nDo less.\n");
    plant(rig, program);
    fs.rmSync(join(rig.root, "trace"), { force: true });
    expect([...(change(rig) ?? [])]).toEqual([["plan.md", blobOf(rig, "plan.md")]]);
    expect(sprung()).toBe(false);
    expect(gitRuns(rig, sprung)).toBe(true);
  });

  test("does not read repositories whose commands cannot be switched off", () => {
    const rig = set();
    const { program, sprung } = trap(rig);
    rig.write("plan.md", "other");
    const name = Buffer.from([0xff]);
    gitFile(
      rig,
      "config",
      Buffer.concat([Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = ${program}\n`)]),
    );
    gitFile(rig, "info/attributes", Buffer.concat([Buffer.from("* filter="), name, Buffer.from("\n")]));
    expect(change(rig)).toBeUndefined();
    expect(sprung()).toBe(false);
    expect(gitRuns(rig, sprung)).toBe(true);
  });

  test("objects that are missing are not fetched", () => {
    const rig = set();
    const { program, sprung } = trap(rig);
    rig.git("config", "core.sshCommand", `${program} < /dev/null; false`);
    rig.git("config", "remote.far.url", "ssh://nowhere.invalid/x");
    rig.git("config", "remote.far.promisor", "true");
    rig.git("config", "extensions.partialClone", "far");
    const blob = blobOf(rig, "plan.md");
    fs.rmSync(join(rig.project, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
    rig.write("plan.md", "other");
    expect(change(rig)).toBeUndefined();
    expect(sprung()).toBe(false);
    expect(gitRuns(rig, sprung)).toBe(true);
  });

  test("a submodule that moved on is a change", () => {
    const rig = set();
    rig.git(
      ...["-C", "sub", "-c", "user.name=rig", "-c", "user.email=rig@localhost"],
      ...["commit", "--quiet", "--allow-empty", "--message", "More"],
    );
    expect([...(change(rig)?.keys() ?? [])]).toEqual(["sub"]);
  });
});
