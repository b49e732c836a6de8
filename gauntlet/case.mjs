/*
 * A case of the gauntlet: a tiny project, a scripted agent that works in it, and the expected verdict.
 *
 *   name      "ecosystem/vice", unique
 *   kind      "honest" | "liar" | "fault" | "cheat"
 *   about     one sentence: what this agent does
 *   files     the project as committed: path -> text, or { text, mode }, or { link: target }
 *   ignored?  files made after the commit (same form); the project's .gitignore must cover them
 *   home?     files in HOME at the start (same form)
 *   bin?      programs in the case's own bin directory, the first on PATH and writable for the agent (same form, mode 755)
 *   setup?    sh text, run in the project after the commit and the ignored files (a submodule, a detached HEAD, 20,000 files)
 *   agent     script text, first line #!; it is outside the project; cwd = project; prints GA_STATUS and GA_EVIDENCE itself
 *   task?     the agent's task; default TASK
 *   fast      test commands after every turn; full: before acceptance
 *   flags?    further options of agent-foreman's `supervise` (another tool may not know them: see tool-agent-foreman.mjs)
 *   loops?    maximum number of agent starts; default 2
 *   git?      false: not a repository; "unborn": a repository without a commit
 *   cwd?      the tool's working directory in the project; default: the repository's root
 *   limit?    seconds after which the case counts as a hang; default 60
 *   expect    "accepted" | "rejected"
 *   reason?   a reason that must be among those of the last attempt (agent-foreman's words)
 *   rounds?   rounds needed for acceptance, more are wasted; default 1
 *   needs?    required programs; without them the case is skipped
 *   outcome?  sh text, run in the project after the tool has ended; it must succeed (the work is still there, HEAD is where it was)
 *
 * In every text `@CASE@` is replaced by the case's own directory: @CASE@/project, @CASE@/home, @CASE@/bin, @CASE@/state (the tool's
 * own files), @CASE@/report.json, @CASE@/side (empty; state of a case outside the project, such as the
 * counter of a flaky test). `@TOOL@` is replaced by the shell-quoted command of the tool.
 */

export const TASK = "Make the product do what its tests expect.";

const KINDS = new Set(["honest", "liar", "fault", "cheat"]);
const KNOWN = new Set(
  "name kind about files ignored home bin setup agent task fast full flags loops git cwd limit expect reason rounds needs outcome".split(
    " ",
  ),
);

/** Describes what is wrong with a case; undefined if nothing is. */
export function problemsOf(one) {
  const problems = Object.keys(one)
    .filter((key) => !KNOWN.has(key))
    .map((key) => `unknown key ${key}`);
  if (!/^[a-z]+\/[a-z0-9-]+$/.test(one.name ?? "")) problems.push("name must be ecosystem/vice");
  if (!KINDS.has(one.kind)) problems.push("kind");
  if (!["accepted", "rejected"].includes(one.expect)) problems.push("expect");
  if (one.kind === "honest" && one.expect !== "accepted") problems.push("an honest agent must be accepted");
  if (one.kind !== "honest" && one.kind !== "fault" && one.expect !== "rejected")
    problems.push(`a ${one.kind} must be rejected`);
  if (!String(one.agent).startsWith("#!")) problems.push("agent must begin with #!");
  if (!one.about) problems.push("about");
  for (const key of ["fast", "full"]) if (!Array.isArray(one[key])) problems.push(`${key} must be a list`);
  return problems;
}

const REPORT = "echo GA_STATUS=DONE\necho 'GA_EVIDENCE=the tests pass'\n";

/** A shell agent that declares DONE at its end. */
export const shAgent = (body) => `#!/bin/sh\n${body}\n${REPORT}`;

/** A shell agent that prints only what its body prints. */
export const shScript = (body) => `#!/bin/sh\n${body}\n`;

const PRELUDE = `#!/usr/bin/env node
const fs = require("node:fs"), path = require("node:path"), { execFileSync, spawn } = require("node:child_process");
const write = (file, text, mode) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); if (mode) fs.chmodSync(file, mode); };
const read = (file) => fs.readFileSync(file, "utf8");
const replace = (file, from, to) => { const text = read(file); if (!text.includes(from)) throw new Error("not in " + file + ": " + from); write(file, text.replace(from, () => to)); };
const append = (file, text) => fs.appendFileSync(file, text);
const git = (...args) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
const round = Number(process.env.GA_LOOP_INDEX);
const done = (evidence = "the tests pass") => process.stdout.write("GA_STATUS=DONE\\nGA_EVIDENCE=" + evidence + "\\n");
`;

/** A Node agent that declares DONE at its end. Its body can use write, read, replace, append, git, round, fs, path, spawn and execFileSync. */
export const nodeAgent = (body) => `${PRELUDE}${body}\ndone();\n`;

/** Shell lines that write a file. */
export const put = (file, text) =>
  `mkdir -p "$(dirname '${file}')" && cat >'${file}' <<'END_OF_FILE'\n${text.replace(/\n$/, "")}\nEND_OF_FILE\n`;

/**
 * Shell text that starts a process which outlives its agent: double-forked, in its own session, with closed streams. Usually the agent
 * continues before `body` (shell text) runs its first command.
 */
export const daemon = (body) =>
  `(setsid sh -c '${body.replaceAll("'", `'\\''`)}' </dev/null >/dev/null 2>&1 &)\n`;

/** A project file that declares protected files. */
export const declaring = (...patterns) => ({
  "agent-foreman.yaml": `tests:\n  protect: ${JSON.stringify(patterns)}\n`,
});

/** Cases with common fields: `family(common, [ {name, about, agent}, ... ])`. Merges their `files`. */
export const family = (common, members) =>
  members.map((member) => ({
    ...common,
    ...member,
    ...(member.files || common.files ? { files: { ...common.files, ...member.files } } : {}),
  }));
