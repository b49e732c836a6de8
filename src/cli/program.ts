import { Argument, Command } from "commander";
import { PROMPT_NAMES, type PromptName } from "../text/prompt-template.ts";
import type { Lang } from "../core/settings.ts";
import { programTexts } from "./words/program.ts";
import { VERSION } from "../version.ts";
import type { BoardAction } from "./board.ts";
import type { BoardFlags } from "./read-board.ts";
import type { ChatAction } from "./chat.ts";
import { addCompletion } from "./completion.ts";
import type { ConfigAction, ConfigFlags } from "./config.ts";
import type { Demo } from "./demo.ts";
import type { InitFlags } from "./init.ts";
import type { Io } from "./io.ts";
import { callFlags } from "./call-flags.ts";
import { addFlag, addFlags } from "./settings/flags.ts";
import { SETTINGS, type FlagsOf, type Verb } from "./settings/table.ts";
import { unknownCommand } from "./usage.ts";
import type { VerifyFlags } from "./verify.ts";

/** Repeated here so that the help does not load the command. */
const CONFIG_ACTIONS: readonly ConfigAction[] = ["show", "check", "path", "prompt"];
const BOARD_ACTIONS: readonly BoardAction[] = ["show", "check", "init"];
const CHAT_ACTIONS: readonly ChatAction[] = ["init", "skip", "pause", "go-on", "stop"];
const DEMOS: readonly Demo[] = ["supervise", "run", "orchestrate", "chat"];

/** Builds the command line. Each command's code is loaded only when it is called. */
export function buildProgram(
  io: Io,
  exitWith: (code: number) => void,
  agentArgs: readonly string[] = [],
): Command {
  const words = programTexts[io.lang];
  const withLang = (made: Command): Command => addFlag(made, "lang", SETTINGS.lang, io.lang);
  const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [
    ...earlier,
    value,
  ];
  const program = new Command("agent-foreman")
    .description(words.about)
    .version(VERSION, "-v, --version", words.version)
    .helpOption("-h, --help", words.help)
    .helpCommand(false)
    .enablePositionalOptions()
    .hook("preAction", (_, called) => {
      const { lang } = program.opts<{ lang?: Lang }>();
      if (lang !== undefined && called.getOptionValue("lang") === undefined)
        called.setOptionValue("lang", lang);
      called.setOptionValue("callFlags", callFlags(called, io.args));
    })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText("after", words.footer);
  withLang(program);
  const command = (name: string, about: string): Command =>
    withLang(program.command(name).description(about).helpOption("-h, --help", words.help));
  const withFlags = (name: Verb, made: Command): Command => addFlags(made, name, io.lang);
  const verb =
    <A extends readonly unknown[]>(called: (...args: A) => Promise<number>) =>
    async (...args: A): Promise<void> =>
      exitWith(await called(...args));

  withFlags("supervise", command("supervise", words.supervise)).action(
    verb(async (flags: FlagsOf<"supervise">) => (await import("./supervise.ts")).supervise(flags, io)),
  );

  withFlags("analyze", command("analyze <requirements-file>", words.analyze)).action(
    verb(async (file: string, flags: FlagsOf<"analyze">) =>
      (await import("./analyze.ts")).analyze(file, flags, io),
    ),
  );

  withFlags("run", command("run <steps-dir>", words.run)).action(
    verb(async (dir: string, flags: FlagsOf<"run">) => (await import("./run.ts")).run(dir, flags, io)),
  );

  withFlags("orchestrate", command("orchestrate", words.orchestrate)).action(
    verb(async (flags: FlagsOf<"orchestrate">) => (await import("./orchestrate.ts")).orchestrate(flags, io)),
  );

  const chatted = command("chat", words.chat)
    .usage("[options] [action] [run-id] [-- agent args...]")
    .addArgument(new Argument("[action]", words.chatAction).choices(CHAT_ACTIONS))
    .argument("[run-id]", words.chatRunId)
    .addHelpText("after", words.chatFooter);
  withFlags("chat", chatted).action(
    verb(async (action: ChatAction | undefined, runId: string | undefined, flags: FlagsOf<"chat">) =>
      (await import("./chat.ts")).chat({ action, runId, agentArgs }, flags, io),
    ),
  );

  withFlags("board", command("board", words.board))
    .addArgument(new Argument("[action]", words.boardAction).choices(BOARD_ACTIONS).default("show"))
    .option("--goal <text>", words.boardGoal)
    .option("--test <command>", words.boardTest, collected)
    .option("--yes", words.boardYes)
    .option("--json", words.jsonOnce)
    .action(
      verb(async (action: BoardAction, flags: BoardFlags) =>
        (await import("./board.ts")).board(action, flags, io),
      ),
    );

  withFlags("resume", command("resume [run-id]", words.resume)).action(
    verb(async (runId: string | undefined, flags: FlagsOf<"resume">) =>
      (await import("./resume.ts")).resume(runId, flags, io),
    ),
  );

  command("decide [run-id] [answer] [n]", words.decide)
    .option("--note <text>", words.note)
    .action(
      verb(async (runId?: string, answer?: string, n?: string, flags: { note?: string } = {}) =>
        (await import("./decide.ts")).decide(runId, { answer, n, note: flags.note }, io),
      ),
    );

  command("cancel <run-id>", words.cancel).action(
    verb(async (runId: string) => (await import("./cancel.ts")).cancel(runId, io)),
  );

  command("runs", words.runs)
    .option("--json", words.jsonOnce)
    .action(verb(async (flags: { json?: boolean }) => (await import("./runs.ts")).runs(flags, io)));

  command("show [run-id]", words.show)
    .option("--json", words.jsonOnce)
    .action(
      verb(async (runId: string | undefined, flags: { json?: boolean }) =>
        (await import("./show.ts")).show(runId, flags, io),
      ),
    );

  command("diff [run-id]", words.diff)
    .option("--stat", words.diffStat)
    .action(
      verb(async (runId: string | undefined, flags: { stat?: boolean }) =>
        (await import("./diff.ts")).diff(runId, flags, io),
      ),
    );

  command("restore <run-id>", words.restore)
    .argument("[path...]", words.restorePath)
    .option("--force", words.restoreForce)
    .action(
      verb(async (runId: string, paths: readonly string[], flags: { force?: boolean }) =>
        (await import("./restore.ts")).restore(runId, paths, flags, io),
      ),
    );

  command("verify <receipt>", words.verify)
    .option("--rerun", words.verifyRerun)
    .option("--cwd <dir>", words.verifyCwd)
    .option("--json", words.jsonOnce)
    .action(
      verb(async (file: string, flags: VerifyFlags) => (await import("./verify.ts")).verify(file, flags, io)),
    );

  command("doctor", words.doctor)
    .option("--json", words.jsonOnce)
    .action(verb(async (flags: { json?: boolean }) => (await import("./doctor.ts")).doctor(flags, io)));

  command("config", words.config)
    .addArgument(new Argument("[action]", words.configAction).choices(CONFIG_ACTIONS).default("show"))
    .addArgument(new Argument("[prompt]", words.configPrompt).choices(PROMPT_NAMES))
    .option("--json", words.jsonOnce)
    .option("--cwd <dir>", words.configCwd)
    .action(
      verb(async (action: ConfigAction, name: PromptName | undefined, flags: ConfigFlags) =>
        (await import("./config.ts")).config(action, { ...flags, ...(name && { name }) }, io),
      ),
    );

  command("init", words.init)
    .option("--yes", words.yes)
    .option("--plan", words.initPlan)
    .option("--force", words.initForce)
    .action(verb(async (flags: InitFlags) => (await import("./init.ts")).init(flags, io)));

  const shown = command("demo", words.demo).addArgument(
    new Argument("[what]", words.demoWhat).choices(DEMOS).default("supervise"),
  );
  withFlags("demo", shown).action(
    verb(async (what: Demo, flags: FlagsOf<"demo">) => (await import("./demo.ts")).demo(what, flags, io)),
  );
  addCompletion(program, io);

  command("help [command]", words.helpCommand).action((name: string | undefined) => {
    const about = name === undefined ? program : program.commands.find((known) => known.name() === name);
    if (!about) throw unknownCommand(name ?? "", program, io.lang);
    about.outputHelp();
  });
  command("version", words.version).action(() => {
    io.stdout.write(`${VERSION}\n`);
  });
  return program;
}
