import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The .git of a project with one commit. Copying it is faster than three git calls. */
    readonly repository: string;
  }
}

export const PLAN = "# Plan\n\nDo the work.\n";

export default function setup(project: TestProject): () => void {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-repository-"));
  // Some tests do not run as root.
  fs.chmodSync(dir, 0o755);
  fs.writeFileSync(join(dir, "plan.md"), PLAN);
  const git = (...args: string[]): void => {
    execFileSync("git", args, { cwd: dir, env: { PATH: process.env["PATH"], HOME: dir } });
  };
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=rig", "-c", "user.email=rig@localhost", "commit", "--quiet", "--message", "Start");
  project.provide("repository", join(dir, ".git"));
  return () => fs.rmSync(dir, { recursive: true });
}
