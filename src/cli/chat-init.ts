import { dirname, join } from "node:path";
import { isThere } from "./config/read.ts";
import { SUPERVISOR_FILE, userSupervisor } from "./config/supervisor-file.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { makeDirectories } from "../platform/files/directories.ts";
import { writeFileAtomic } from "../platform/files/write-file.ts";
import { initTexts } from "./words/init.ts";
import { STARTER_SUPERVISOR } from "../modes/prompts/supervisor.ts";
import { shortPath } from "./config-problems.ts";
import type { Io } from "./io.ts";
import { openPaper } from "./print.ts";
import type { FlagsOf } from "./settings/table.ts";
import { workDir } from "./run-flags.ts";

/** `chat init`: creates an initial SUPERVISOR.md. */
export function chatInit(flags: FlagsOf<"chat">, io: Io): number {
  const path =
    flags.global === true ? userSupervisor(io.env) : join(workDir(flags, "chat", io), SUPERVISOR_FILE);
  if (isThere(path) && flags.force !== true) throw new Failure("supervisor_exists", { path });
  try {
    makeDirectories(dirname(path));
    writeFileAtomic(path, STARTER_SUPERVISOR[io.lang]);
  } catch (error) {
    throw new Failure("supervisor_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
  const { wrote, next } = initTexts[io.lang];
  openPaper(io).print([
    { text: wrote(shortPath(path, io.cwd)), tone: "good" },
    { text: next("agent-foreman chat --supervisor") },
  ]);
  return ExitCode.accepted;
}
