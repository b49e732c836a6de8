import { worksOn } from "../modes/orchestrate/on-board.ts";
import { runStore } from "./run-store.ts";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BOARD } from "../modes/orchestrate/disk/names.ts";
import { SUPERVISOR_FILE } from "./config/supervisor-file.ts";
import { BOARD_AGENTS, BOARD_PROJECT } from "./demo/board.ts";
import { CHAT_AGENTS } from "./demo/chat.ts";
import { AGENT_FILES, BARELY_TESTED, FILES, TASK } from "./demo/sample.ts";
import { STEP_AGENTS, STEPS_PROJECT } from "./demo/steps.ts";
import { openUserQuestion } from "../core/question-options.ts";
import type { Lang } from "../core/settings.ts";
import { demoBoardWords } from "./words/demo-board.ts";
import { demoChatWords } from "./words/demo-chat.ts";
import { demoTexts } from "./words/demo.ts";
import { STARTER_SUPERVISOR } from "../modes/prompts/supervisor.ts";
import { DEFAULT_BOARD } from "../modes/orchestrate/orchestrate-command.ts";
import { shellWord } from "../text/shell-quote.ts";
import { chat } from "./chat.ts";
import { decide } from "./decide.ts";
import type { Io } from "./io.ts";
import type { ViewFlags } from "./settings/table.ts";
import { orchestrate } from "./orchestrate.ts";
import { resume } from "./resume.ts";
import { run } from "./run.ts";
import { supervise } from "./supervise.ts";

export type Demo = "supervise" | "run" | "orchestrate" | "chat";

const DEMO_LIMITS = { agentTimeoutMs: 60_000, testTimeoutMs: 60_000, maxOutputBytes: 64 * 1024 * 1024 };

interface Sample {
  /** The project's files. `agents`: the folder of the scripted agents. */
  readonly project: (agents: string, lang: Lang) => Files;
  readonly agents: (lang: Lang) => Files;
  readonly start: (agents: string, view: ViewFlags, io: Io, say: Say) => Promise<number>;
}

type Files = Readonly<Record<string, string>>;

const SAMPLES: Readonly<Record<Demo, Sample>> = {
  supervise: { project: () => FILES, agents: () => AGENT_FILES, start: demoSupervise },
  run: {
    project: (agents) => ({
      ...STEPS_PROJECT,
      "agent-foreman.yaml": config({ agents: ["implementer"], verifiers: ["verifier"] }, agents),
    }),
    agents: () => STEP_AGENTS,
    start: (_, view, io) => run("steps", { ...view, ...DEMO_LIMITS }, io),
  },
  orchestrate: {
    project: (agents, lang) => {
      const roles = { main: ["main"], test: ["test"], dev: ["dev"], review: ["review"] };
      return { ...BOARD_PROJECT, ...boardFiles(lang), "agent-foreman.yaml": config({ roles }, agents) };
    },
    agents: (lang) => ({ ...BOARD_AGENTS, ...wordsFile(demoBoardWords[lang]) }),
    start: (_, view, io, say) => demoOrchestrate(view, { ...io, unattended: true }, say),
  },
  chat: {
    project: (agents, lang) => ({
      ...BARELY_TESTED,
      [SUPERVISOR_FILE]: STARTER_SUPERVISOR[lang],
      "agent-foreman.yaml": config({ chat: { agent: "agent", reviewer: "reviewer" } }, agents),
    }),
    agents: (lang) => ({ ...CHAT_AGENTS, ...wordsFile(demoChatWords[lang]) }),
    start: (_, view, io) => demoChat(view, io),
  },
};

/** `demo`: the real engine and real tests on a sample project. Only the agents are scripted. */
export async function demo(what: Demo, view: ViewFlags, io: Io): Promise<number> {
  const words = demoTexts[io.lang];
  const root = fs.mkdtempSync(join(tmpdir(), "agent-foreman-demo-"));
  const project = join(root, "project");
  const agents = join(root, "agent");
  const sample = SAMPLES[what];
  writeFiles(project, sample.project(agents, io.lang));
  writeFiles(agents, sample.agents(io.lang));
  commitAll(project);
  const say = view.json === true || view.quiet === true ? () => undefined : speaker(io);
  say(`${words.intro[what](project)}\n\n`);
  const exitCode = await sample.start(agents, view, { ...io, cwd: project }, say);
  say(`\n${words.outro(project)}\n`);
  return exitCode;
}

type Say = (text: string) => void;

function speaker({ stdout }: Io): Say {
  return (text) => void stdout.write(text);
}

function wordsFile(words: object): Readonly<Record<string, string>> {
  return { "words.mjs": `export const words = ${JSON.stringify(words)};\n` };
}

function demoSupervise(agents: string, view: ViewFlags, io: Io): Promise<number> {
  const node = quoted(process.execPath);
  return supervise(
    {
      ...view,
      ...DEMO_LIMITS,
      task: TASK,
      planFile: "plan.md",
      agentCmd: `${node} ${quoted(join(agents, "agent.mjs"))}`,
      testFast: [`${node} --test test/fast.test.mjs`],
      testFull: [`${node} --test test/fast.test.mjs test/full.test.mjs`],
      maxLoops: 6,
    },
    io,
  );
}

/** Answers the question like a person away from the terminal: with `decide`, then `resume`. */
async function demoOrchestrate(view: ViewFlags, io: Io, say: Say): Promise<number> {
  const words = demoTexts[io.lang];
  let exitCode = await orchestrate({ ...view, ...DEMO_LIMITS }, io);
  for (let asked = recommendedIn(io); asked !== null; asked = recommendedIn(io)) {
    const { runId, option } = asked;
    say(`\n${words.answers(option, `agent-foreman decide ${runId} ${option}`)}\n\n`);
    // JSON output and quiet mode leave no place for the demo's words.
    const quietIo = view.json === true || view.quiet === true ? { ...io, stdout: io.stderr } : io;
    await decide(runId, { answer: option, n: undefined, note: words.note }, quietIo);
    exitCode = await resume(runId, view, io);
  }
  return exitCode;
}

function demoChat(view: ViewFlags, io: Io): Promise<number> {
  return chat(
    { action: undefined, runId: undefined, agentArgs: [] },
    {
      ...view,
      ...DEMO_LIMITS,
      print: demoChatWords[io.lang].asked,
      checks: [`${quoted(process.execPath)} --test test/fast.test.mjs`],
    },
    io,
  );
}

/** The option that MAIN recommends for the open question; null: no question. */
function recommendedIn(io: Io): { readonly runId: string; readonly option: string } | null {
  const store = runStore(io.env);
  const boardDir = fs.realpathSync(join(io.cwd, DEFAULT_BOARD));
  const runId = store.newestWith(worksOn(boardDir));
  if (runId === null) return null;
  const question = openUserQuestion(store.read(runId).state);
  return question && { runId, option: question.recommended };
}

function boardFiles(lang: Lang): Readonly<Record<string, string>> {
  const { context, plan, milestones, tasks, threshold, none } = demoBoardWords[lang];
  const task = (id: string, title: string, test: string): string =>
    [
      `### ${id}: ${title}`,
      "- status: TODO",
      `- acceptance: \`${quoted(process.execPath)} --test test/${test}.test.mjs\` → ${threshold}`,
      `- evidence: ${none}`,
    ].join("\n");
  const parts = [
    `# ${plan}`,
    `## M1: ${milestones[0]}`,
    task("M1-T1", tasks[0], "parse"),
    task("M1-T2", tasks[1], "refuse"),
    `## M2: ${milestones[1]}`,
    task("M2-T1", tasks[2], "format"),
  ];
  return {
    [join(DEFAULT_BOARD, BOARD.plan)]: `${parts.join("\n\n")}\n`,
    [join(DEFAULT_BOARD, BOARD.context)]: context,
    [join(DEFAULT_BOARD, BOARD.env)]: `${JSON.stringify({ runtime: "node" }, null, 2)}\n`,
  };
}

/** The scripted agents are configured by profiles, like any other agent. */
function config(
  who: Readonly<Record<string, readonly string[] | Readonly<Record<string, string | readonly string[]>>>>,
  agents: string,
): string {
  const profile = (name: string): object => ({
    extends: "command",
    command: `${quoted(process.execPath)} ${quoted(join(agents, `${name}.mjs`))}`,
    env: { DEMO_NODE: quoted(process.execPath) },
  });
  const names = Object.values(who).flatMap((list) => Object.values(list).flat());
  const profiles = Object.fromEntries(names.map((name) => [name, profile(name)]));
  // JSON is valid YAML.
  return `${JSON.stringify({ ...who, profiles }, null, 2)}\n`;
}

function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(dir, name)), { recursive: true });
    fs.writeFileSync(join(dir, name), text);
  }
}

/** Without git the demo still works, but its summary has no diff. */
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
