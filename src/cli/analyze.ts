import fs from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { TextDecoder } from "node:util";
import type { Config } from "./config/config.ts";
import { candidateFiles } from "./config/read.ts";
import { loadConfig } from "./config/load.ts";
import { errorCode, Failure, messageOf } from "../platform/failure.ts";
import { readPlainFile } from "../platform/files/read-file.ts";
import { usageTexts } from "./words/usage.ts";
import { findAgents, readyAgents, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { runToCompletion } from "./open-run.ts";
import { modelsFor } from "./models.ts";
import { redactorFor } from "./redactor.ts";
import {
  commonSettings,
  profileTexts,
  promptFrom,
  refuseSecrets,
  reportPathFrom,
  sha256,
  usage,
  workDir,
} from "./run-flags.ts";
import { agentCommands, refuseDanger } from "./supervise-settings.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";

type AnalyzeFlags = FlagsOf<"analyze">;

const ANALYZE = "analyze";

/** One answer, and one retry if it is unusable. */
const MAX_ANSWERS = 2;

/** An agent cannot read more in one go. */
const MAX_REQUIREMENTS_BYTES = 1024 * 1024;

/** `analyze`: lets an agent divide a requirements document into steps and writes the step files. */
export async function analyze(file: string, flags: AnalyzeFlags, io: Io): Promise<number> {
  const cwd = workDir(flags, ANALYZE, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(file, flags, cwd, config, inLang));
}

async function start(
  file: string,
  flags: AnalyzeFlags,
  cwd: string,
  config: Config,
  io: Io,
): Promise<number> {
  const path = resolve(io.cwd, file);
  const text = readRequirements(path);
  const outDir = outDirFrom(flags, io);
  const asked = { flag: "--agents", given: flags.agents };
  const found = findAgents(asked, config.agents.value, config, { command: ANALYZE, cwd }, io);
  const agents = found.agents.map(modelsFor(found.known, flags.model, ANALYZE, io));
  if (flags.force !== true) refuseDanger(agentCommands(agents));
  // The only check is that the work tree stays unchanged.
  const common = { ...commonSettings(flags, cwd, config, ANALYZE, io), room: null };
  const prompt = promptFrom("analyze", config, io);
  refuseSecrets(
    [["prompts.analyze", prompt.text], [file, text.toString("utf8")], ...profileTexts(agents)],
    redactorFor({ secrets: common.secrets, agents }, io.env),
  );
  const reportPath = reportPathFrom(
    flags,
    { mode: ANALYZE, taken: [path, ...candidateFiles(cwd, io.env)] },
    io,
  );
  refuseUncounted(agents, common.limits, null);
  refuseNotInstalled(agents, cwd, io.env);
  const { context, lock } = await startRun(
    {
      settings: {
        ...common,
        mode: ANALYZE,
        task: basename(path),
        requirements: { path, sha256: sha256(text) },
        outDir,
        agents,
        session: "fresh",
        prompts: { analyze: prompt },
        maxLoops: MAX_ANSWERS,
        reportPath,
      },
      agents: await readyAgents(agents, io.env),
      missingAgents: found.missing,
      config,
      kept: text,
    },
    flags,
    io,
  );
  return runToCompletion(context, lock);
}

function readRequirements(path: string): Buffer {
  const text = readBounded(path);
  if (text.length > MAX_REQUIREMENTS_BYTES)
    throw new Failure("requirements_too_large", { path, limit: String(MAX_REQUIREMENTS_BYTES) });
  let words: string;
  try {
    words = new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch (error) {
    throw new Failure("requirements_binary", { path }, { cause: error });
  }
  if (words.includes("\0")) throw new Failure("requirements_binary", { path });
  if (words.trim() === "") throw new Failure("requirements_empty", { path });
  return text;
}

function readBounded(path: string): Buffer {
  try {
    return readPlainFile(path, MAX_REQUIREMENTS_BYTES + 1);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new Failure("requirements_missing", { path }, { cause: error });
    throw new Failure("requirements_unreadable", { path, why: messageOf(error) }, { cause: error });
  }
}

/** Checks the output directory before any agent costs money. */
function outDirFrom({ out }: AnalyzeFlags, io: Io): string | null {
  if (out === "") throw usage(usageTexts[io.lang].empty("--out"), ANALYZE);
  const path = out === undefined ? null : resolve(io.cwd, out);
  const parent = path === null ? io.cwd : dirname(path);
  if (path !== null && fs.lstatSync(path, { throwIfNoEntry: false }))
    throw new Failure("out_exists", { path });
  try {
    fs.accessSync(parent, fs.constants.W_OK);
  } catch (error) {
    const why = messageOf(error);
    throw new Failure("out_not_writable", { path: path ?? parent, why }, { cause: error });
  }
  return path;
}
