import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { Config } from "./config/config.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import type { PromptName } from "../text/prompt-template.ts";
import type { Redactor } from "../text/redact.ts";
import type { RoomSettings } from "../core/evidence/settings.ts";
import type { CallFlag, Lang, PromptTemplate, Settings } from "../core/settings.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { usageTexts } from "./words/usage.ts";
import { BUILT_IN_PROMPTS } from "../modes/prompts/built-in.ts";
import { shellWord } from "../text/shell-quote.ts";
import type { Io } from "./io.ts";
import { limitsFrom, type LimitFlags } from "./limits.ts";
import { roomFrom, type RoomFlags } from "./room-flags.ts";
import { readPrompt } from "./read-prompt.ts";

/** Flags of every command that starts a run. Absent values come from the configuration. */
export interface RunFlags extends LimitFlags, RoomFlags {
  /** All flags as typed. */
  readonly callFlags?: readonly CallFlag[];
  readonly cwd?: string;
  readonly model?: readonly string[];
  readonly report?: string;
  readonly agentTimeoutSec?: number;
  readonly testTimeoutSec?: number;
  readonly stallSec?: number;
  readonly maxOutputMb: number;
  readonly lang?: Lang;
}

/** The work directory; the search for configuration starts here. */
export function workDir(flags: Pick<RunFlags, "cwd">, command: string, io: Io): string {
  if (io.cwd === "") throw new Failure("here_is_gone");
  if (flags.cwd === "") throw usage(usageTexts[io.lang].empty("--cwd"), command);
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  if (!isDirectory(cwd)) throw new Failure("cwd_not_a_directory", { path: cwd });
  return fs.realpathSync(cwd);
}

type Common = Pick<
  Settings,
  | "cwd"
  | "calledFrom"
  | "callFlags"
  | "secrets"
  | "agentTimeoutMs"
  | "stallMs"
  | "limits"
  | "testTimeoutMs"
  | "maxOutputBytes"
  | "room"
  | "sandbox"
  | "lang"
>;

/** Modes whose final message shows a command that starts a new run. */
const IS_REPEATED: Readonly<Record<Settings["mode"], boolean>> = {
  supervise: false,
  run: true,
  analyze: true,
  orchestrate: true,
  chat: false,
};

export function commonSettings(
  flags: RunFlags,
  cwd: string,
  config: Config,
  command: Settings["mode"],
  io: Io,
): Common {
  const { limits } = config;
  return {
    cwd,
    calledFrom: io.cwd,
    ...(flags.callFlags && IS_REPEATED[command] && { callFlags: flags.callFlags }),
    secrets: config.secrets.map(({ value }) => value),
    agentTimeoutMs: inMs(flags.agentTimeoutSec) ?? limits.agentTimeoutMs.value,
    stallMs: inMs(flags.stallSec) ?? limits.stallMs.value,
    limits: limitsFrom(flags, config),
    testTimeoutMs: inMs(flags.testTimeoutSec) ?? limits.testTimeoutMs.value,
    maxOutputBytes: flags.maxOutputMb * 1024 * 1024,
    room: roomFrom(flags, cwd, config, command, io),
    sandbox: flags.sandbox ?? config.sandbox.value,
    lang: io.lang,
  };
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

export function promptFrom(name: PromptName, config: Config, io: Io): PromptTemplate {
  const path = config.prompts[name].value;
  const text = path === null ? BUILT_IN_PROMPTS[name][io.lang] : readPrompt(path, io.lang, name);
  return { text, sha256: sha256(text), path };
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

export function usage(problem: string, command: string): Failure {
  return new Failure("usage", { problem, command });
}

/** A text for the journal and its source on the command line. */
export type Named = readonly [flag: string, text: string];

/** Redacting would change these texts, and a run keeps them for good. */
export function refuseSecrets(texts: readonly Named[], redactor: Redactor): void {
  for (const [flag, text] of texts)
    if (redactor.holds(text)) throw new Failure("secret_in_command", { flag });
}

/** All texts in profiles, without the variables they refer to. */
export function profileTexts(agents: readonly AgentProfile[]): readonly Named[] {
  return agents.map(({ name, program, args, model, endpoint, env }) => {
    const said = [program, ...args, model, endpoint, ...Object.values(env)];
    return [`profiles.${name}`, said.filter((text) => text !== null).join("\n")] as const;
  });
}

export function roomTexts(room: RoomSettings | null): readonly Named[] {
  return [
    ["--setup", room?.setup ?? ""],
    ["--allow-oracle-change", room?.allow.join("\n") ?? ""],
    ["tests.protect", room?.protect.join("\n") ?? ""],
    ["tests.product", room?.product.join("\n") ?? ""],
  ];
}

/** The path of `--report`. It must not overwrite the run's inputs, its other outputs or git's files. */
export function reportPathFrom(
  { report }: RunFlags,
  { mode, taken }: { readonly mode: Settings["mode"]; readonly taken: readonly string[] },
  io: Io,
): string | null {
  const wanted = report === undefined ? null : resolve(io.cwd, report);
  const dir = wanted === null ? io.cwd : dirname(wanted);
  const path = wanted ?? join(io.cwd, `goldagent-${mode}-report-….json`);
  if (!fs.existsSync(dir)) throw new Failure("report_dir_missing", { path, dir: shellWord(dir) });
  const { isNoFile, isTaken } = usageTexts[io.lang];
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
