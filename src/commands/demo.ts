import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENT_FILES, FILES, TASK } from "../demo/sample.ts";
import { demoTexts } from "../i18n/demo.ts";
import { shellWord } from "../reports/shell-command.ts";
import type { Io } from "./io.ts";
import type { ViewFlags } from "./open-run.ts";
import { supervise } from "./supervise.ts";

/** `demo`: the real engine and real test runs over a sample project; only the agent is scripted. */
export async function demo(view: ViewFlags, io: Io): Promise<number> {
  const words = demoTexts[io.lang];
  const root = fs.mkdtempSync(join(tmpdir(), "agent-foreman-demo-"));
  const project = join(root, "project");
  writeFiles(project, FILES);
  writeFiles(join(root, "agent"), AGENT_FILES);
  commitAll(project);
  const speaks = view.json !== true && view.quiet !== true;
  if (speaks) io.stdout.write(`${words.intro(project)}\n\n`);
  const node = quoted(process.execPath);
  const exitCode = await supervise(
    {
      ...view,
      task: TASK,
      planFile: "plan.md",
      agentCmd: `${node} ${quoted(join(root, "agent", "agent.mjs"))}`,
      testFast: [`${node} --test test/fast.test.mjs`],
      testFull: [`${node} --test test/fast.test.mjs test/full.test.mjs`],
      maxLoops: 6,
      agentTimeoutSec: 60,
      testTimeoutSec: 60,
      maxOutputMb: 64,
    },
    { ...io, cwd: project },
  );
  if (speaks) io.stdout.write(`\n${words.outro(project)}\n`);
  return exitCode;
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
