import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateDir } from "./run-store.ts";
import { isBestEffort, type Containment } from "../core/event.ts";
import { messageOf } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { nextStep } from "./words/doctor.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { makeDirectories, removeEmpty } from "../platform/files/directories.ts";
import { canRun, isRunnable } from "../platform/files/tools.ts";
import { begin } from "../modes/registry.ts";
import { RunStore } from "../core/journal/run-store.ts";
import { detectContainment, type Container } from "../platform/process/containment.ts";
import { sandboxProblem, whyNoSandbox } from "../platform/process/sandbox.ts";
import { byteSize } from "../ui/format.ts";
import { finding, findingLines, type Finding } from "./finding.ts";
import { ptyProblem } from "../platform/terminal/pty.ts";
import { gitVersion } from "../platform/git/git.ts";
import { wayIntoRooms } from "../evidence/room/room.ts";
import { agentFindings, configFindings } from "./doctor-agents.ts";
import { canAsk, type Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";

const NEEDED_NODE = [20, 19] as const;
const LOW_SPACE_BYTES = 1024 ** 3;

export interface DoctorFlags {
  readonly json?: boolean;
  readonly lang?: string;
}

/** `doctor`: tries what this machine offers. */
export async function doctor(flags: DoctorFlags, io: Io): Promise<number> {
  const findings = [
    ...examine(flags, io),
    ptyFinding(await ptyProblem()),
    ...(await agentFindings(io.env)),
    ...(await configFindings(io)),
  ];
  const ok = findings.every(({ level }) => level !== "failure");
  if (flags.json === true) printJson(io, { ok, findings });
  else {
    const { print } = openPaper(io);
    print(findingLines(findings, io.lang));
    if (ok) print([{ text: nextStep[io.lang] }]);
  }
  return ok ? ExitCode.accepted : ExitCode.state;
}

function examine(flags: DoctorFlags, io: Io): readonly Finding[] {
  const state = stateFinding(stateDir(io.env));
  const usable = state.level === "failure" ? tmpdir() : stateDir(io.env);
  const container = detectContainment();
  const { platform } = process;
  return [
    containmentFinding(container, {
      platform,
      has: (tool) => isRunnable(tool, io.env),
      setting: kernelSetting,
    }),
    tryRoom(container, usable),
    sandboxFinding(whyNoSandbox(container.wrap), { platform, setting: kernelSetting }),
    nodeFinding(process.versions.node),
    gitFinding(gitVersion()),
    pipesFinding(usable),
    shellFinding(io.env),
    orderFinding(),
    languageFinding(flags, io),
    terminalFinding(io),
    state,
  ];
}

export interface ContainmentMeans {
  readonly platform: string;
  readonly has: (tool: string) => boolean;
  readonly setting: Setting;
}

export function containmentFinding(container: Pick<Container, "level">, means: ContainmentMeans): Finding {
  const mechanism = terminalTexts.en.containment[container.level];
  const about = { level: container.level, mechanism };
  if (!isBestEffort(container.level)) return finding("ok", "contained", about);
  const { platform } = means;
  if (platform !== "linux") return finding("warning", "no_namespaces_on_platform", { ...about, platform });
  const tools = ["setpriv", "unshare", "bwrap"];
  const present = tools.filter((tool) => means.has(tool));
  const missing = tools.filter((tool) => !present.includes(tool));
  const couldTry = present.includes("bwrap") || missing.join() === "bwrap";
  if (!couldTry) return finding("warning", "tools_missing", { ...about, missing: missing.join(", ") });
  return finding("warning", "namespaces_forbidden", {
    ...about,
    present: present.join(", "),
    by: forbiddenBy(means.setting),
  });
}

/** Kernel settings that block sandboxes, each with the required value. */
const FORBIDDING = [
  ["kernel.apparmor_restrict_unprivileged_userns", "1"],
  ["kernel.unprivileged_userns_clone", "0"],
  ["user.max_user_namespaces", "0"],
] as const;

type Setting = (name: string) => string | undefined;

/** The kernel setting that forbids namespaces, if any. */
export function forbiddenBy(setting: Setting): string | null {
  const by = FORBIDDING.find(([name, value]) => setting(name) === value);
  return by ? by.join("=") : null;
}

function kernelSetting(name: string): string | undefined {
  try {
    return fs.readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

interface Surroundings {
  readonly platform: string;
  readonly level: Containment;
  /** The directory of the trial. */
  readonly where: string;
}

/** The kind of clean room that checks get. */
export function roomFinding(overlayWorks: boolean, { platform, level, where }: Surroundings): Finding {
  if (overlayWorks) return finding("ok", "room_overlay", { kind: "overlay", where });
  const about = { kind: "copy", where, platform, contained: !isBestEffort(level) };
  return finding("warning", "room_copy", about);
}

/** A missing sandbox is no problem for users who do not ask for one. */
export function sandboxFinding(
  why: string | null,
  { platform, setting }: { readonly platform: string; readonly setting: Setting },
): Finding {
  if (why === null) return finding("ok", "sandbox_works");
  switch (sandboxProblem(why)) {
    case "not_installed":
      return finding("info", "sandbox_not_installed", { why, platform });
    case "forbidden":
      return finding("info", "sandbox_forbidden", { why, by: forbiddenBy(setting) });
    case "other":
      return finding("info", "sandbox_fails", { why });
  }
}

/** Tries it in the same place as a run would. */
function tryRoom({ wrap, level }: Container, where: string): Finding {
  try {
    const works = inPassing(where, (dir) => wayIntoRooms(wrap, dir) !== null);
    return roomFinding(works, { platform: process.platform, level, where });
  } catch (error) {
    return finding("warning", "room_untried", { where, why: messageOf(error) });
  }
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = NEEDED_NODE;
  const supported = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  const about = { version, needed: NEEDED_NODE.join(".") };
  return supported ? finding("ok", "node_supported", about) : finding("failure", "node_too_old", about);
}

export function gitFinding(version: string | undefined): Finding {
  return version === undefined ? finding("warning", "git_missing") : finding("ok", "git_found", { version });
}

function ptyFinding(why: string | null): Finding {
  return why === null ? finding("ok", "pty_works") : finding("warning", "pty_missing", { why });
}

function pipesFinding(root: string): Finding {
  const { platform } = process;
  if (platform === "win32") return finding("info", "pipes_not_needed", { platform });
  const about = { where: root };
  try {
    inPassing(root, (dir) => {
      const made = spawnSync("mkfifo", ["-m", "600", join(dir, "pipe")], { encoding: "utf8" });
      if (made.status !== 0) throw made.error ?? new Error(made.stderr.trim());
    });
    return finding("ok", "pipes_work", about);
  } catch (error) {
    return finding("failure", "pipes_fail", { ...about, why: messageOf(error) });
  }
}

function shellFinding(env: NodeJS.ProcessEnv): Finding {
  const path = process.platform === "win32" ? (env["ComSpec"] ?? "cmd.exe") : "/bin/sh";
  return process.platform === "win32" || canRun(path)
    ? finding("ok", "shell_found", { path })
    : finding("failure", "shell_missing", { path });
}

function orderFinding(): Finding {
  if (process.platform !== "linux") return finding("info", "order_across_pauses", { why: null });
  try {
    fs.watch(tmpdir()).close();
    return finding("ok", "order_exact");
  } catch (error) {
    return finding("warning", "order_across_pauses", { why: messageOf(error) });
  }
}

export function languageFinding(flags: DoctorFlags, io: Pick<Io, "env" | "lang">): Finding {
  const { lang } = io;
  if (flags.lang !== undefined) return finding("ok", "language_by_flag", { lang });
  const variable = ["LC_ALL", "LC_MESSAGES", "LANG"].find((name) => (io.env[name] ?? "") !== "");
  if (variable === undefined) return finding("ok", "language_by_default", { lang });
  const value = io.env[variable] ?? "";
  return finding("ok", "language_by_locale", { lang, variable, value });
}

function terminalFinding(io: Io): Finding {
  const terminals = (["stdin", "stdout", "stderr"] as const).filter((name) => io[name].isTTY);
  const about = { terminals: terminals.join(", ") };
  if (canAsk(io)) return finding("ok", "person_can_be_asked", about);
  const missing = (["stdin", "stderr"] as const).filter((name) => !terminals.includes(name)).join(", ");
  return finding("info", "person_cannot_be_asked", { ...about, missing });
}

function stateFinding(path: string): Finding {
  try {
    const bytes = inPassing(path, (dir) => {
      fs.writeFileSync(join(dir, "file"), "x");
      const { bavail, bsize } = fs.statfsSync(dir);
      return bavail * bsize;
    });
    const about = {
      path,
      runs: new RunStore(path, begin).ids().length,
      free_bytes: bytes,
      free: byteSize(bytes),
    };
    return bytes < LOW_SPACE_BYTES
      ? finding("warning", "space_low", about)
      : finding("ok", "state_usable", about);
  } catch (error) {
    return finding("failure", "state_unusable", { path, why: messageOf(error) });
  }
}

/** Tries something in a temporary directory inside `root`. Removes all traces, also `root` if it was missing. */
function inPassing<T>(root: string, attempt: (dir: string) => T): T {
  const madeFirst = makeDirectories(root, 0o700);
  const dir = join(root, `doctor-${randomUUID()}`);
  try {
    fs.mkdirSync(dir);
    return attempt(dir);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
    if (madeFirst !== undefined) removeEmpty(root, madeFirst);
  }
}
