/* Creates the directory of a case: project, HOME, programs, agent. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { TASK } from "./case.mjs";

export const TAG = "GAUNTLET_CASE";

const GIT_SETTINGS = `[user]
	name = Gauntlet
	email = gauntlet@example.invalid
[init]
	defaultBranch = main
[commit]
	gpgSign = false
[advice]
	detachedHead = false
[protocol "file"]
	allow = always
`;

const PLAN = "# Plan\n\n1. Read the tests.\n2. Fix the product.\n";

/** Adds defaults to a case and fills in its directory and the tool's command. */
export function settled(one, dir, shell) {
  const put = (value) => {
    if (typeof value === "string")
      return value.replaceAll("@CASE@", dir).replaceAll("@TOOL@", shell ?? "false");
    if (Array.isArray(value)) return value.map(put);
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, put(inner)]));
    return value;
  };
  const defaults = { task: TASK, flags: [], loops: 2, rounds: 1, limit: 60, cwd: "." };
  return put({ ...defaults, ...one });
}

export function placeFor(one, dir) {
  const project = path.join(dir, "project");
  const cwd = path.join(project, one.cwd);
  return {
    dir,
    project,
    cwd,
    agent: path.join(dir, "agent", "agent"),
    plan: path.join(cwd, "plan.md"),
    ...Object.fromEntries(
      ["home", "state", "side", "bin", "tmp"].map((name) => [name, path.join(dir, name)]),
    ),
    report: path.join(dir, "report.json"),
    stdout: path.join(dir, "stdout"),
    stderr: path.join(dir, "stderr"),
  };
}

/** A case inherits only PATH from the caller's environment. */
export function environmentOf(place, tag) {
  return {
    PATH: [place.bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: place.home,
    TMPDIR: place.tmp,
    LANG: "C.UTF-8",
    USER: os.userInfo().username,
    GIT_CONFIG_NOSYSTEM: "1",
    [TAG]: tag,
  };
}

export function layOut(one, place, env) {
  for (const folder of [place.project, place.home, place.state, place.side, place.bin, place.tmp])
    fs.mkdirSync(folder, { recursive: true });
  writeAll(place.home, { ".gitconfig": GIT_SETTINGS, ...one.home });
  writeAll(place.bin, one.bin, 0o755);
  writeAll(path.dirname(place.agent), { agent: { text: one.agent, mode: 0o755 } });
  writeAll(place.project, one.files);
  if (!fs.existsSync(place.plan)) fs.writeFileSync(place.plan, PLAN);
  const run = (program, ...args) =>
    execFileSync(program, args, { cwd: place.project, env, stdio: ["ignore", "ignore", "pipe"] });
  if (one.git !== false) {
    run("git", "init", "--quiet");
    if (one.git !== "unborn") {
      run("git", "add", "--all");
      run("git", "commit", "--quiet", "--message", "the project");
    }
  }
  writeAll(place.project, one.ignored);
  if (one.setup) run("sh", "-ec", one.setup);
}

function writeAll(folder, files = {}, usualMode = 0o644) {
  for (const [name, value] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const { text, mode = usualMode, link } = typeof value === "string" ? { text: value } : value;
    if (link !== undefined) {
      fs.symlinkSync(link, file);
      continue;
    }
    fs.writeFileSync(file, text);
    fs.chmodSync(file, mode);
  }
}

/** Agents may leave files and folders that even their owner cannot read. */
export function tidyUp(dir) {
  try {
    fs.rmSync(dir, { recursive: true, force: true });
  } catch {
    execFileSync("chmod", ["-R", "u+rwX", dir], { stdio: "ignore" });
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
