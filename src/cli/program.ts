import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_MARKER, DEFAULT_WAITING_MARKER } from "../modes/chat/completed.ts";
import { PROMPT_NAMES, type PromptName } from "../text/prompt-template.ts";
import { DEFAULT_ON_STUCK, ON_STUCK, type Lang } from "../core/settings.ts";
import { programTexts } from "./words/program.ts";
import { TEST_CHANGES } from "../core/evidence/settings.ts";
import { roomFlagTexts } from "./words/program-room.ts";
import { chatTexts } from "./words/program-chat.ts";
import { VERSION } from "../version.ts";
import type { AnalyzeFlags } from "./analyze.ts";
import type { BoardAction } from "./board.ts";
import type { BoardFlags } from "./board-place.ts";
import type { ChatAction } from "./chat.ts";
import type { ChatFlags } from "./chat-settings.ts";
import { addCompletion } from "./completion.ts";
import type { ConfigAction, ConfigFlags } from "./config.ts";
import type { Demo } from "./demo.ts";
import type { InitFlags } from "./init.ts";
import type { Io } from "./io.ts";
import type { ViewFlags } from "./open-run.ts";
import { parseDuration } from "./config/duration.ts";
import { callFlags } from "./call-flags.ts";
import { unknownCommand } from "./usage.ts";
import type { OrchestrateFlags } from "./orchestrate-settings.ts";
import type { ResumeFlags } from "./resume.ts";
import type { StepsFlags } from "./run-settings.ts";
import type { SuperviseFlags } from "./settings.ts";
import type { VerifyFlags } from "./verify.ts";

/** Repeated here so that the help does not load the command. */
const CONFIG_ACTIONS: readonly ConfigAction[] = ["show", "check", "path", "prompt"];
const BOARD_ACTIONS: readonly BoardAction[] = ["show", "check", "init"];
const CHAT_ACTIONS: readonly ChatAction[] = ["init", "skip", "pause", "go-on", "stop"];
const DEMOS: readonly Demo[] = ["supervise", "run", "orchestrate", "chat"];

/** The longest delay of a Node timer, in seconds. */
const MAX_TIMEOUT_SEC = 2_147_483;

/** Builds the command line. Each command's code is loaded only when it is called. */
export function buildProgram(
  io: Io,
  exitWith: (code: number) => void,
  agentArgs: readonly string[] = [],
): Command {
  const words = programTexts[io.lang];
  /** Collects a repeatable flag. `<command...>` would split an unquoted `npm test` into two commands. */
  const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [
    ...earlier,
    value,
  ];
  const integer = (min: number, max: number) => (value: string) => {
    const n = Number(value);
    if (!/^\d+$/.test(value) || n < min || n > max)
      throw new InvalidArgumentError(words.notInRange(value, min, max));
    return n;
  };
  const langOption = (): Option => new Option("--lang <lang>", words.lang).choices(["zh", "en"]);
  const program = new Command("agent-foreman")
    .description(words.about)
    .version(VERSION, "-v, --version", words.version)
    .helpOption("-h, --help", words.help)
    .helpCommand(false)
    .enablePositionalOptions()
    .addOption(langOption())
    .hook("preAction", (_, called) => {
      const { lang } = program.opts<{ lang?: Lang }>();
      if (lang !== undefined && called.getOptionValue("lang") === undefined)
        called.setOptionValue("lang", lang);
      called.setOptionValue("callFlags", callFlags(called, io.args));
    })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText("after", words.footer);
  const command = (name: string, about: string): Command =>
    program.command(name).description(about).helpOption("-h, --help", words.help).addOption(langOption());
  const withView = (made: Command): Command =>
    made
      .addOption(new Option("--json", words.json).conflicts("quiet"))
      .option("--quiet", words.quiet)
      .option("--verbose", words.verbose);

  const amount = (value: string): number => {
    const n = Number(value);
    if (!/^\d*\.?\d+$/.test(value) || !Number.isFinite(n))
      throw new InvalidArgumentError(words.notAnAmount(value));
    return n;
  };
  const time = (value: string): number => {
    const ms = parseDuration(value);
    if (ms === undefined) throw new InvalidArgumentError(words.notADuration(value));
    return ms;
  };
  const withLimits = (made: Command): Command =>
    made
      .option("--max-cost-usd <n>", words.maxCost, amount)
      .option("--max-tokens <n>", words.maxTokens, integer(0, Number.MAX_SAFE_INTEGER))
      .option("--max-time <time>", words.maxTime, time)
      .option("--max-wait <time>", words.maxWait, time);

  const eachTime = (value: string, earlier: readonly string[] | undefined): readonly string[] | undefined => [
    ...(earlier ?? []),
    value,
  ];
  const timeout = integer(0, MAX_TIMEOUT_SEC);
  /** Adds the flags shared by all commands that start a run. */
  const starting = (made: Command, report: string): Command =>
    withView(
      withLimits(
        made
          .option("--model <name>", words.model, eachTime)
          .option("--cwd <dir>", words.cwd)
          .option("--report <path>", words.report(report))
          .option("--force", words.force)
          .option("--agent-timeout-sec <s>", `${words.agentTimeout} ${words.byDefault("3600")}`, timeout)
          .option("--stall-sec <s>", `${words.stall} ${words.byDefault("900")}`, timeout)
          .option("--max-output-mb <n>", words.maxOutput, integer(1, 1_000_000), 4096),
      ),
    );
  const roomWords = roomFlagTexts[io.lang];
  const withTests = (made: Command): Command =>
    made
      .option("--test-timeout-sec <s>", `${words.testTimeout} ${words.byDefault("1800")}`, timeout)
      .option("--no-clean-room", roomWords.noCleanRoom)
      .option("--setup <command>", roomWords.setup)
      .option("--allow-oracle-change <glob...>", roomWords.allow)
      .option("--prove-tests", roomWords.proveTests)
      .option("--pass-env <name...>", roomWords.passEnv)
      .option("--sandbox", roomWords.sandbox);
  const withProtectedTests = (made: Command): Command =>
    withTests(made)
      .addOption(
        new Option("--test-changes <how>", `${roomWords.testChanges} ${words.byDefault("judge")}`).choices(
          TEST_CHANGES,
        ),
      )
      .option("--accept-tree", roomWords.acceptTree);
  const withWork = (made: Command): Command =>
    withProtectedTests(made).option("--allow-no-change", roomWords.allowNoChange);

  const onStuck = (mode: keyof typeof DEFAULT_ON_STUCK): Option =>
    new Option("--on-stuck <what>", `${words.onStuck} ${words.byDefault(DEFAULT_ON_STUCK[mode])}`).choices(
      ON_STUCK,
    );

  const supervised = command("supervise", words.supervise)
    .option("--task <text>", words.task)
    .option("--plan-file <path>", words.planFile)
    .addOption(new Option("--agent-cmd <command>", words.agentCmd).conflicts("agent"))
    .option("--agent <names>", words.agent)
    .option("--test-fast <command>", words.testFast, collected)
    .option("--test-full <command>", words.testFull, collected)
    .option("--max-loops <n>", `${words.maxLoops} ${words.byDefault("6")}`, integer(1, 100_000))
    .addOption(
      new Option("--session <use>", `${words.session} ${words.byDefault("fresh")}`).choices([
        "fresh",
        "continue",
      ]),
    )
    .addOption(onStuck("supervise"))
    .addOption(new Option("--nonce", words.nonce).conflicts("agent"));
  starting(withWork(supervised), "supervise").action(async (flags: SuperviseFlags & ViewFlags) => {
    const { supervise } = await import("./supervise.ts");
    exitWith(await supervise(flags, io));
  });

  const analyzed = command("analyze <requirements-file>", words.analyze)
    .option("--out <dir>", words.out)
    .option("--agents <names>", words.agents)
    .option("--dry-run", words.dryRunAnalyze);
  starting(analyzed, "analyze").action(async (file: string, flags: AnalyzeFlags & ViewFlags) => {
    const { analyze } = await import("./analyze.ts");
    exitWith(await analyze(file, flags, io));
  });

  const stepped = command("run <steps-dir>", words.run)
    .option("--agents <names>", words.agents)
    .option("--verifier <names>", words.verifier)
    .option("--full-verify", words.fullVerify)
    .option("--no-reverify", words.noReverify)
    .option("--only <NNN...>", words.only)
    .option("--from <NNN>", words.from)
    .addOption(onStuck("run"))
    .option("--dry-run", words.dryRun);
  starting(withWork(stepped), "run").action(async (dir: string, flags: StepsFlags & ViewFlags) => {
    const { run } = await import("./run.ts");
    exitWith(await run(dir, flags, io));
  });

  const orchestrated = command("orchestrate", words.orchestrate)
    .option("--board <dir>", words.boardDir)
    .option("--max-iterations <n>", `${words.maxIterations} ${words.byDefault("60")}`, integer(1, 100_000))
    .option("--roles <role=agents...>", words.roles);
  starting(withProtectedTests(orchestrated), "orchestrate").action(
    async (flags: OrchestrateFlags & ViewFlags) => {
      const { orchestrate } = await import("./orchestrate.ts");
      exitWith(await orchestrate(flags, io));
    },
  );

  const chatWords = chatTexts[io.lang];
  const chatted = command("chat", chatWords.about)
    .usage("[options] [action] [run-id] [-- agent args...]")
    .addArgument(new Argument("[action]", chatWords.action).choices(CHAT_ACTIONS))
    .argument("[run-id]", chatWords.runId)
    .option("--supervisor", chatWords.supervisor)
    .option("--print <prompt>", chatWords.print)
    .option("--agent <name>", chatWords.agent)
    .option("--reviewer <name>", chatWords.reviewer)
    .option("--check <command>", chatWords.check, collected)
    .option("--marker <line>", `${chatWords.marker} ${words.byDefault(DEFAULT_MARKER)}`)
    .option(
      "--waiting-marker <line>",
      `${chatWords.waitingMarker} ${words.byDefault(DEFAULT_WAITING_MARKER)}`,
    )
    .option("--max-reviews <n>", `${chatWords.maxReviews} ${words.byDefault("5")}`, integer(1, 100))
    .option("--global", chatWords.global)
    .addHelpText("after", chatWords.footer);
  starting(withTests(chatted), "chat").action(
    async (action: ChatAction | undefined, runId: string | undefined, flags: ChatFlags & ViewFlags) => {
      const { chat } = await import("./chat.ts");
      exitWith(await chat({ action, runId, agentArgs }, flags, io));
    },
  );

  command("board", words.board)
    .addArgument(new Argument("[action]", words.boardAction).choices(BOARD_ACTIONS).default("show"))
    .option("--board <dir>", words.boardDir)
    .option("--cwd <dir>", words.cwd)
    .option("--goal <text>", words.boardGoal)
    .option("--test <command>", words.boardTest, collected)
    .option("--yes", words.boardYes)
    .option("--json", words.jsonOnce)
    .action(async (action: BoardAction, flags: BoardFlags) => {
      const { board } = await import("./board.ts");
      exitWith(await board(action, flags, io));
    });

  const resumed = command("resume [run-id]", words.resume)
    .option("--now", words.now)
    .option("--max-iterations <n>", words.moreIterations, integer(1, 100_000))
    .option("--verifier <names>", words.otherVerifiers);
  withView(withLimits(resumed)).action(async (runId: string | undefined, flags: ResumeFlags) => {
    const { resume } = await import("./resume.ts");
    exitWith(await resume(runId, flags, io));
  });

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

  withView(
    command("demo", words.demo).addArgument(
      new Argument("[what]", words.demoWhat).choices(DEMOS).default("supervise"),
    ),
  ).action(async (what: Demo, view: ViewFlags) => {
    const { demo } = await import("./demo.ts");
    exitWith(await demo(what, view, io));
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
