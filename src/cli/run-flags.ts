import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { Config } from "./config/config.ts";
import { loadConfig } from "./config/load.ts";
import { candidateFiles } from "./config/read.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import type { PromptName } from "../text/prompt-template.ts";
import type { Redactor } from "../text/redact.ts";
import type { RoomSettings } from "../core/evidence/settings.ts";
import type { PromptTemplate, Settings } from "../core/settings.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { usageTexts } from "./words/usage.ts";
import { BUILT_IN_PROMPTS } from "../modes/prompts/built-in.ts";
import { findDanger } from "../text/danger/danger.ts";
import { shellWord } from "../text/shell-quote.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import type { Io } from "./io.ts";
import { roomFrom } from "./room-flags.ts";
import { redactorFor } from "./redactor.ts";
import type { AnyFlags, Verb } from "./settings/table.ts";
import { limitsFrom, recordedValues, valuesOf } from "./settings/values.ts";
import { readPrompt } from "./read-prompt.ts";

/** Runs a command in the language of flag and configuration. Its failures use the same language. */
export async function inProject<V extends Verb, F extends AnyFlags>(
  verb: V,
  flags: F,
  io: Io,
  work: (call: Call<V, F>) => Promise<number>,
): Promise<number> {
  const cwd = workDir(flags, verb, io);
  const config = await loadConfig({ cwd, env: io.env });
  const lang = flags.lang ?? config.lang.value ?? io.lang;
  try {
    return await work({ verb, flags, cwd, config, values: valuesOf(flags, config), io: { ...io, lang } });
  } catch (error) {
    if (error instanceof Failure) error.lang ??= lang;
    throw error;
  }
}

/** The search for configuration starts here. */
export function workDir(flags: Pick<AnyFlags, "cwd">, command: string, io: Io): string {
  if (io.cwd === "") throw new Failure("here_is_gone");
  if (flags.cwd === "") throw usage(usageTexts[io.lang].empty("--cwd"), command);
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  if (!isDirectory(cwd)) throw new Failure("cwd_not_a_directory", { path: cwd });
  return fs.realpathSync(cwd);
}

/** Modes whose final message shows a command that starts a new run. */
const IS_REPEATED: Readonly<Record<Settings["mode"], boolean>> = {
  supervise: false,
  run: true,
  analyze: true,
  orchestrate: true,
  chat: false,
};

/** The settings that all modes record, and those of the mode that are recorded as given. */
export function commonSettings<M extends Settings["mode"]>(call: Call<M, AnyFlags>) {
  const { verb, flags, cwd, config, values, io } = call;
  return {
    ...recordedValues(values, verb),
    mode: verb,
    cwd,
    calledFrom: io.cwd,
    ...(flags.callFlags && IS_REPEATED[verb] && { callFlags: flags.callFlags }),
    secrets: secretsOf(config),
    limits: limitsFrom(values),
    room: roomFrom(call),
    lang: io.lang,
  };
}

export function secretsOf({ secrets }: Config): readonly string[] {
  return secrets.map(({ value }) => value);
}

/** The prompts of a mode: the project's own or the built-in ones. */
export function promptsFrom<N extends PromptName>(
  { config, io }: Pick<Call, "config" | "io">,
  ...names: readonly N[]
): Readonly<Record<N, PromptTemplate>> {
  const prompts = names.map((name) => {
    const path = config[`prompts.${name}`].value;
    const text = path === null ? BUILT_IN_PROMPTS[name][io.lang] : readPrompt(path, io.lang, name);
    return [name, { text, sha256: sha256(text), path }] as const;
  });
  return Object.fromEntries(prompts) as Record<N, PromptTemplate>;
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A text for the journal and its source on the command line. */
export type Named = readonly [flag: string, text: string];

/** The parts of a run that can hold secrets, besides the texts of its mode. */
interface Kept {
  readonly secrets: readonly string[];
  readonly agents: readonly AgentProfile[];
  readonly room?: RoomSettings | null;
  readonly prompts?: Readonly<Record<string, PromptTemplate>>;
}

/** Refuses a run that would keep a secret. */
export function refuseSecretsIn(run: Kept, texts: readonly Named[], { env }: Pick<Io, "env">): void {
  const { agents, room = null, prompts = {} } = run;
  const ofPrompts = Object.entries(prompts).map(([name, { text }]) => [`prompts.${name}`, text] as const);
  refuseSecrets([...ofPrompts, ...texts, ...profileTexts(agents), ...roomTexts(room)], redactorFor(run, env));
}

/** Redacting would change these texts, and a run keeps them for good. */
export function refuseSecrets(texts: readonly Named[], redactor: Redactor): void {
  for (const [flag, text] of texts)
    if (redactor.holds(text)) throw new Failure("secret_in_command", { flag });
}

/** All texts in profiles, without the variables they refer to. */
function profileTexts(agents: readonly AgentProfile[]): readonly Named[] {
  return agents.map(({ name, program, args, model, endpoint, env }) => {
    const texts = [program, ...args, model, endpoint, ...Object.values(env)];
    return [`profiles.${name}`, texts.filter((text) => text !== null).join("\n")] as const;
  });
}

function roomTexts(room: RoomSettings | null): readonly Named[] {
  if (!room) return [];
  return [
    ["--setup", room.setup ?? ""],
    ["--allow-oracle-change", room.allow.join("\n")],
    ["tests.protect", room.protect.join("\n")],
    ["tests.product", room.product.join("\n")],
  ];
}

/** Commands in profiles. */
export function agentCommands(agents: readonly AgentProfile[]): readonly Named[] {
  return agents.flatMap(({ name, command }) =>
    command === null ? [] : [[`profiles.${name}.command`, command] as const],
  );
}

export function refuseDanger(commands: readonly Named[]): void {
  for (const [flag, command] of commands) {
    const danger = findDanger(command);
    if (danger) throw new Failure("dangerous_command", { flag, command: danger.command, rule: danger.rule });
  }
}

/** The path of `--report`. It must not overwrite the run's inputs, its other outputs or git's files. */
export function reportPathFrom(
  { verb, flags: { report }, cwd, io }: Call<Settings["mode"], AnyFlags>,
  inputs: readonly string[],
): string | null {
  const wanted = report === undefined ? null : resolve(io.cwd, report);
  const dir = wanted === null ? io.cwd : dirname(wanted);
  const path = wanted ?? join(io.cwd, `goldagent-${verb}-report-….json`);
  if (!fs.existsSync(dir)) throw new Failure("report_dir_missing", { path, dir: shellWord(dir) });
  const { isNoFile, isTaken } = usageTexts[io.lang];
  const taken = [...inputs, ...candidateFiles(cwd, io.env)];
  try {
    const there = wanted === null ? undefined : fs.statSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile()) throw new Error(isNoFile);
    if (path.split(sep).includes(".git") || taken.includes(path)) throw new Error(isTaken);
    probe(dir);
  } catch (error) {
    throw new Failure("report_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
  return wanted;
}

/** Tries to create a file, because permission bits do not show read-only mounts or root. */
export function probe(dir: string): void {
  const path = join(dir, `.agent-foreman-${randomUUID()}.tmp`);
  fs.writeFileSync(path, "", { flag: "wx" });
  fs.rmSync(path);
}
