import { Argument, Command } from "commander";
import { PROMPT_NAMES, type PromptName } from "../text/prompt-template.ts";
import type { Lang } from "../core/settings.ts";
import { programTexts } from "./words/program.ts";
import { chatTexts } from "./words/program-chat.ts";
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
  const withFlags = (verb: Verb, made: Command): Command => addFlags(made, verb, io.lang);

  withFlags("supervise", command("supervise", words.supervise)).action(
    async (flags: FlagsOf<"supervise">) => {
      const { supervise } = await import("./supervise.ts");
      exitWith(await supervise(flags, io));
    },
  );

  withFlags("analyze", command("analyze <requirements-file>", words.analyze)).action(
    async (file: string, flags: FlagsOf<"analyze">) => {
      const { analyze } = await import("./analyze.ts");
      exitWith(await analyze(file, flags, io));
    },
  );

  withFlags("run", command("run <steps-dir>", words.run)).action(
    async (dir: string, flags: FlagsOf<"run">) => {
      const { run } = await import("./run.ts");
      exitWith(await run(dir, flags, io));
    },
  );

  withFlags("orchestrate", command("orchestrate", words.orchestrate)).action(
    async (flags: FlagsOf<"orchestrate">) => {
      const { orchestrate } = await import("./orchestrate.ts");
      exitWith(await orchestrate(flags, io));
    },
  );

  const chatWords = chatTexts[io.lang];
  const chatted = command("chat", chatWords.about)
    .usage("[options] [action] [run-id] [-- agent args...]")
    .addArgument(new Argument("[action]", chatWords.action).choices(CHAT_ACTIONS))
    .argument("[run-id]", chatWords.runId)
    .addHelpText("after", chatWords.footer);
  withFlags("chat", chatted).action(
    async (action: ChatAction | undefined, runId: string | undefined, flags: FlagsOf<"chat">) => {
      const { chat } = await import("./chat.ts");
      exitWith(await chat({ action, runId, agentArgs }, flags, io));
    },
  );

  withFlags("board", command("board", words.board))
    .addArgument(new Argument("[action]", words.boardAction).choices(BOARD_ACTIONS).default("show"))
    .option("--goal <text>", words.boardGoal)
    .option("--test <command>", words.boardTest, collected)
    .option("--yes", words.boardYes)
    .option("--json", words.jsonOnce)
    .action(async (action: BoardAction, flags: BoardFlags) => {
      const { board } = await import("./board.ts");
      exitWith(await board(action, flags, io));
    });

  withFlags("resume", command("resume [run-id]", words.resume)).action(
    async (runId: string | undefined, flags: FlagsOf<"resume">) => {
      const { resume } = await import("./resume.ts");
      exitWith(await resume(runId, flags, io));
    },
  );

  command("decide [run-id] [answer] [n]", words.decide)
    .option("--note <text>", words.note)
    .action(async (runId?: string, answer?: string, n?: string, flags: { note?: string } = {}) => {
      const { decide } = await import("./decide.ts");
      exitWith(await decide(runId, { answer, n, note: flags.note }, io));
    });

  command("cancel <run-id>", words.cancel).action(async (runId: string) => {
    const { cancel } = await import("./cancel.ts");
    exitWith(await cancel(runId, io));
  });

  command("runs", words.runs)
    .option("--json", words.jsonOnce)
    .action(async (flags: { json?: boolean }) => {
      const { runs } = await import("./runs.ts");
      exitWith(await runs(flags, io));
    });

  command("show [run-id]", words.show)
    .option("--json", words.jsonOnce)
    .action(async (runId: string | undefined, flags: { json?: boolean }) => {
      const { show } = await import("./show.ts");
      exitWith(await show(runId, flags, io));
    });

  command("diff [run-id]", words.diff)
    .option("--stat", words.diffStat)
    .action(async (runId: string | undefined, flags: { stat?: boolean }) => {
      const { diff } = await import("./diff.ts");
      exitWith(await diff(runId, flags, io));
    });

  command("restore <run-id>", words.restore)
    .argument("[path...]", words.restorePath)
    .option("--force", words.restoreForce)
    .action(async (runId: string, paths: readonly string[], flags: { force?: boolean }) => {
      const { restore } = await import("./restore.ts");
      exitWith(await restore(runId, paths, flags, io));
    });

  command("verify <receipt>", words.verify)
    .option("--rerun", words.verifyRerun)
    .option("--cwd <dir>", words.verifyCwd)
    .option("--json", words.jsonOnce)
    .action(async (file: string, flags: VerifyFlags) => {
      const { verify } = await import("./verify.ts");
      exitWith(await verify(file, flags, io));
    });

  command("doctor", words.doctor)
    .option("--json", words.jsonOnce)
    .action(async (flags: { json?: boolean }) => {
      const { doctor } = await import("./doctor.ts");
      exitWith(await doctor(flags, io));
    });

  command("config", words.config)
    .addArgument(new Argument("[action]", words.configAction).choices(CONFIG_ACTIONS).default("show"))
    .addArgument(new Argument("[prompt]", words.configPrompt).choices(PROMPT_NAMES))
    .option("--json", words.jsonOnce)
    .option("--cwd <dir>", words.configCwd)
    .action(async (action: ConfigAction, name: PromptName | undefined, flags: ConfigFlags) => {
      const { config } = await import("./config.ts");
      exitWith(await config(action, { ...flags, ...(name && { name }) }, io));
    });

  command("init", words.init)
    .option("--yes", words.yes)
    .option("--plan", words.initPlan)
    .option("--force", words.initForce)
    .action(async (flags: InitFlags) => {
      const { init } = await import("./init.ts");
      exitWith(await init(flags, io));
    });

  const shown = command("demo", words.demo).addArgument(
    new Argument("[what]", words.demoWhat).choices(DEMOS).default("supervise"),
  );
  withFlags("demo", shown).action(async (what: Demo, flags: FlagsOf<"demo">) => {
    const { demo } = await import("./demo.ts");
    exitWith(await demo(what, flags, io));
  });
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
