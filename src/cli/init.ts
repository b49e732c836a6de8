import fs from "node:fs";
import { join } from "node:path";
import { confirm, isCancel, log, multiselect, text } from "@clack/prompts";
import { detectAgents, detectTests, INSTALLABLE, type TestCommands } from "./config/detect.ts";
import { isThere } from "./config/read.ts";
import { PROJECT_FILE } from "../platform/config-problem.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { writeFileAtomic } from "../platform/files/write-file.ts";
import { initTexts, type InitTexts } from "./words/init.ts";
import { VERSION } from "../version.ts";
import { shortPath } from "./config-problems.ts";
import { canAsk, type Io } from "./io.ts";
import { openPaper } from "./print.ts";
import { withTerminal } from "./prompt.ts";

export interface InitFlags {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly plan?: boolean;
}

const PLAN_FILE = "plan.md";
const SCHEMA = "schemas/config.schema.json";

interface Answers {
  readonly agents: readonly string[];
  readonly tests: TestCommands;
  readonly plan: boolean;
}

/** `init`: writes a configuration for the project. It asks a few questions; with `--yes` it uses what it detects. */
export async function init(flags: InitFlags, io: Io): Promise<number> {
  if (io.cwd === "") throw new Failure("here_is_gone");
  const path = join(io.cwd, PROJECT_FILE);
  if (isThere(path) && flags.force !== true) throw new Failure("init_file_exists", { path });
  const found = { agents: detectAgents(io.env), tests: detectTests(io.cwd), plan: flags.plan === true };
  if (flags.yes !== true && !canAsk(io)) throw new Failure("init_needs_answers");
  const texts = initTexts[io.lang];
  const answers = flags.yes === true ? found : await withTerminal(io, (left) => ask(found, io, left));
  if (!answers) {
    log.message(texts.ask.nothingWritten, { output: io.stderr });
    return ExitCode.interrupted;
  }
  const written = [write(path, configText(answers, schemaAddress(io.cwd), texts.file))];
  const plan = join(io.cwd, PLAN_FILE);
  if (answers.plan && !isThere(plan)) written.push(write(plan, texts.plan));
  openPaper(io).print([
    ...written.map((file) => ({ text: texts.wrote(shortPath(file, io.cwd)), tone: "good" as const })),
    { text: texts.next(nextCommand(answers, texts)) },
  ]);
  return ExitCode.accepted;
}

/** Null: the person cancelled. */
async function ask(found: Answers, io: Io, signal: AbortSignal): Promise<Answers | null> {
  const words = initTexts[io.lang].ask;
  const streams = { input: io.stdin, output: io.stderr, signal };
  const command = async (message: string, commands: readonly string[]): Promise<readonly string[] | null> => {
    const initialValue = commands.join(" && ");
    const given = await text({
      ...streams,
      message,
      initialValue,
      placeholder: words.none,
      defaultValue: "",
    });
    if (isCancel(given)) return null;
    return given.trim() === initialValue ? commands : [given.trim()].filter((line) => line !== "");
  };
  const agents = await multiselect({
    ...streams,
    message: words.agents,
    options: INSTALLABLE.map((value) => ({
      value,
      label: value,
      hint: found.agents.includes(value) ? words.installed : words.notFound,
    })),
    initialValues: [...found.agents],
    required: false,
  });
  if (isCancel(agents)) return null;
  const fast = await command(words.fast, found.tests.fast);
  const full = fast && (await command(words.full, found.tests.full));
  if (!full) return null;
  if (found.plan || isThere(join(io.cwd, PLAN_FILE)))
    return { agents, tests: { fast, full }, plan: found.plan };
  const plan = await confirm({ ...streams, message: words.plan, initialValue: false });
  return isCancel(plan) ? null : { agents, tests: { fast, full }, plan };
}

function write(path: string, content: string): string {
  try {
    writeFileAtomic(path, content);
    return path;
  } catch (error) {
    throw new Failure("init_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}

/** If the package is installed in the project, editors find the schema without a network. */
function schemaAddress(cwd: string): string {
  const local = `node_modules/agent-foreman/${SCHEMA}`;
  return fs.existsSync(join(cwd, local))
    ? `./${local}`
    : `https://unpkg.com/agent-foreman@${VERSION}/${SCHEMA}`;
}

function configText({ agents, tests }: Answers, schema: string, words: InitTexts["file"]): string {
  const list = (key: string, about: string, commands: readonly string[]): readonly string[] =>
    commands.length === 0
      ? [`  # ${key}: npm test  # ${about}`]
      : // A JSON string is a YAML string, whatever is in it.
        [`  ${key}:  # ${about}`, ...commands.map((command) => `    - ${JSON.stringify(command)}`)];
  const testLines = [...list("fast", words.fast, tests.fast), ...list("full", words.full, tests.full)];
  const anyTests = tests.fast.length + tests.full.length > 0;
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# ${words.title}`,
    `# ${words.reference}`,
    "",
    agents.length === 0
      ? `# agents: [claude]  # ${words.noAgents}`
      : `agents: [${agents.join(", ")}]  # ${words.agents}`,
    "",
    anyTests ? "tests:" : "# tests:",
    ...testLines.map((line) => (anyTests ? line : line.replace("  # ", "#   "))),
    "",
    `# limits:  # ${words.limits}`,
    "#   max_loops: 6",
    "#   max_cost_usd: 5",
    "#   max_time: 2h",
    "",
    `# profiles:  # ${words.profiles}`,
    "#   local:",
    "#     extends: claude",
    "#     model: some-model",
    '#     env: { ANTHROPIC_API_KEY: "${env:LOCAL_KEY}" }',
    "",
  ].join("\n");
}

/** Values that the configuration lacks are part of the command. */
function nextCommand({ agents, tests }: Answers, { task, command }: InitTexts): string {
  if (agents.length === 0) return "agent-foreman doctor";
  const missing = (["fast", "full"] as const).filter((phase) => tests[phase].length === 0);
  const flags = missing.map((phase) => ` --test-${phase} "<${command}>"`).join("");
  return `agent-foreman supervise --task "<${task}>" --plan-file ${PLAN_FILE}${flags}`;
}
