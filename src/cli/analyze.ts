import fs from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { TextDecoder } from "node:util";
import { errorCode, Failure, messageOf } from "../platform/failure.ts";
import { readPlainFile } from "../platform/files/read-file.ts";
import { findAgents, modelsFor, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import type { Io } from "./io.ts";
import {
  agentCommands,
  commonSettings,
  inProject,
  promptsFrom,
  refuseDanger,
  refuseSecretsIn,
  reportPathFrom,
  sha256,
} from "./run-flags.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";
import { usageTexts } from "./words/usage.ts";

type AnalyzeFlags = FlagsOf<"analyze">;

const ANALYZE = "analyze";

/** One answer, and one retry if it is unusable. */
const MAX_ANSWERS = 2;

/** An agent cannot read more in one go. */
const MAX_REQUIREMENTS_BYTES = 1024 * 1024;

/** `analyze`: lets an agent divide a requirements document into steps and writes the step files. */
export function analyze(file: string, flags: AnalyzeFlags, io: Io): Promise<number> {
  return inProject(ANALYZE, flags, io, (call) => start(file, call));
}

async function start(file: string, call: Call<"analyze">): Promise<number> {
  const { flags, cwd, config, values, io } = call;
  const path = resolve(io.cwd, file);
  const text = readRequirements(path);
  const outDir = outDirFrom(flags, io);
  const found = findAgents(call, "--agents", flags.agents, config.agents.value);
  const agents = found.agents.map(modelsFor(call, found.known));
  if (!values.force) refuseDanger(agentCommands(agents));
  // The only check is that the work tree stays unchanged.
  const common = { ...commonSettings(call), room: null };
  const prompts = promptsFrom(call, ANALYZE);
  refuseSecretsIn({ ...common, agents, prompts }, [[file, text.toString("utf8")]], io);
  const reportPath = reportPathFrom(call, [path]);
  refuseUncounted(agents, common.limits);
  refuseNotInstalled(agents, cwd, io.env);
  return startRun(call, {
    settings: {
      ...common,
      task: basename(path),
      requirements: { path, sha256: sha256(text) },
      outDir,
      agents,
      session: "fresh",
      prompts,
      maxLoops: MAX_ANSWERS,
      reportPath,
    },
    missing: found.missing,
    kept: text,
  });
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
