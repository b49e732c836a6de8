import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENT_FILES, FILES, TASK } from "../demo/sample.ts";
import { STEP_AGENTS, STEPS_PROJECT } from "../demo/steps.ts";
import { demoTexts } from "../i18n/demo.ts";
import { shellWord } from "../reports/shell-command.ts";
import type { Io } from "./io.ts";
import type { ViewFlags } from "./open-run.ts";
import { run } from "./run.ts";
import { supervise } from "./supervise.ts";

export type Demo = "supervise" | "run";

/** `demo`: the real engine and real test runs over a sample project; only the agents are scripted. */
export async function demo(what: Demo, view: ViewFlags, io: Io): Promise<number> {
  const words = demoTexts[io.lang];
  const root = fs.mkdtempSync(join(tmpdir(), "agent-foreman-demo-"));
  const project = join(root, "project");
  writeFiles(project, what === "run" ? STEPS_PROJECT : FILES);
  writeFiles(join(root, "agent"), what === "run" ? STEP_AGENTS : AGENT_FILES);
  if (what === "run") writeFiles(project, { "agent-foreman.yaml": demoConfig(join(root, "agent")) });
  commitAll(project);
  const speaks = view.json !== true && view.quiet !== true;
  if (speaks) io.stdout.write(`${words.intro[what](project)}\n\n`);
  const here = { ...io, cwd: project };
  const exitCode = what === "run" ? await demoRun(view, here) : await demoSupervise(root, view, here);
  if (speaks) io.stdout.write(`\n${words.outro(project)}\n`);
  return exitCode;
}

const DEMO_LIMITS = { agentTimeoutSec: 60, testTimeoutSec: 60, maxOutputMb: 64 };

function demoSupervise(root: string, view: ViewFlags, io: Io): Promise<number> {
  const node = quoted(process.execPath);
  return supervise(
    {
      ...view,
      ...DEMO_LIMITS,
      task: TASK,
      planFile: "plan.md",
      agentCmd: `${node} ${quoted(join(root, "agent", "agent.mjs"))}`,
      testFast: [`${node} --test test/fast.test.mjs`],
      testFull: [`${node} --test test/fast.test.mjs test/full.test.mjs`],
      maxLoops: 6,
    },
    io,
  );
}

function demoRun(view: ViewFlags, io: Io): Promise<number> {
  return run("steps", { ...view, ...DEMO_LIMITS, reverify: true }, io);
}

/** The scripted agents take part as any other: by a profile. */
function demoConfig(agents: string): string {
  const profile = (name: string): object => ({
    extends: "command",
    command: `${quoted(process.execPath)} ${quoted(join(agents, `${name}.mjs`))}`,
    env: { DEMO_NODE: quoted(process.execPath) },
  });
  const profiles = { implementer: profile("implementer"), verifier: profile("verifier") };
  // YAML takes JSON.
  return `${JSON.stringify({ agents: ["implementer"], verifiers: ["verifier"], profiles }, null, 2)}\n`;
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(dir, name)), { recursive: true });
    fs.writeFileSync(join(dir, name), text);
  }
}

/** Without git the demo works as well; its summary then has no diff. */
function commitAll(dir: string): void {
  const identity = ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--no-verify", "--message", "Start"],
  ])
    spawnSync("git", args, { cwd: dir, stdio: "ignore" });
}

function quoted(word: string): string {
  return process.platform === "win32" ? `"${word}"` : shellWord(word);
}
