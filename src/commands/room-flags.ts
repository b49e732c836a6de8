import fs from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { findDanger } from "../checks/danger.ts";
import type { Config } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import type { RoomSettings, TestChanges } from "../domain/room/settings.ts";
import { roomFlagTexts, type RoomFlagTexts } from "../i18n/program-room.ts";
import { usageTexts } from "../i18n/usage.ts";
import { rootOf } from "../workspace/tree-repository.ts";
import type { Io } from "./io.ts";

/** How checks are kept apart from what the agent left, and the agent from the rest. */
export interface RoomFlags {
  readonly force?: boolean;
  /** False: the person wants checks to run in the work tree. Commander says true where the flag is not given. */
  readonly cleanRoom?: boolean;
  readonly setup?: string;
  readonly allowOracleChange?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly proveTests?: boolean;
  readonly testChanges?: TestChanges;
  readonly allowNoChange?: boolean;
  readonly acceptTree?: boolean;
  readonly sandbox?: boolean;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Null: checks run in the work tree. */
export function roomFrom(
  flags: RoomFlags,
  cwd: string,
  { cleanRoom, tests }: Config,
  command: string,
  io: Io,
): RoomSettings | null {
  const usage = (problem: string): Failure => new Failure("usage", { problem, command });
  const off = switchedOffBy(flags, cleanRoom.enabled.value);
  if (off !== null) {
    const idle = idleFlags(flags);
    if (idle.length > 0) throw usage(roomFlagTexts[io.lang].noEffect(idle.join(", "), off));
    return null;
  }
  const setup = flags.setup ?? cleanRoom.setup.value;
  const allow = flags.allowOracleChange ?? cleanRoom.allow.value;
  const proveTests = flags.proveTests ?? cleanRoom.proveTests.value;
  const passEnv = flags.passEnv ?? cleanRoom.passEnv.value;
  if (setup?.trim() === "") throw usage(usageTexts[io.lang].empty("--setup"));
  if (allow.some((glob) => glob.trim() === ""))
    throw usage(usageTexts[io.lang].empty("--allow-oracle-change"));
  const problem = allow.length === 0 ? null : patternProblem(allow, cwd);
  if (problem) {
    const where = flags.allowOracleChange ? "--allow-oracle-change" : "clean_room.allow_oracle_change";
    throw usage(roomFlagTexts[io.lang].pattern[problem.code](where, problem.given, problem.write));
  }
  const wrong = passEnv.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined) throw usage(roomFlagTexts[io.lang].noVariable(wrong));
  const danger = setup === null || flags.force === true ? undefined : findDanger(setup);
  if (danger)
    throw new Failure("dangerous_command", { flag: "--setup", command: danger.command, rule: danger.rule });
  return {
    setup,
    allow,
    passEnv,
    proveTests,
    testChanges: flags.testChanges ?? tests.changes.value,
    allowNoChange: flags.allowNoChange ?? tests.allowNoChange.value,
    // A flag alone: an agent can write configuration.
    acceptTree: flags.acceptTree ?? false,
  };
}

function switchedOffBy({ cleanRoom }: RoomFlags, enabled: boolean): string | null {
  if (cleanRoom === false) return "--no-clean-room";
  return enabled ? null : "clean_room.enabled: false";
}

/** Whoever gives one of these believes in a protection that is not there without the room. */
function idleFlags(flags: RoomFlags): readonly string[] {
  const { setup, allowOracleChange, testChanges, allowNoChange, proveTests, acceptTree, passEnv } = flags;
  return [
    ...(setup === undefined ? [] : ["--setup"]),
    ...(allowOracleChange === undefined ? [] : ["--allow-oracle-change"]),
    ...(testChanges === undefined ? [] : ["--test-changes"]),
    ...(allowNoChange === undefined ? [] : ["--allow-no-change"]),
    ...(proveTests === undefined ? [] : ["--prove-tests"]),
    ...(acceptTree === undefined ? [] : ["--accept-tree"]),
    ...(passEnv === undefined ? [] : ["--pass-env"]),
  ];
}

interface PatternProblem {
  readonly code: keyof RoomFlagTexts["pattern"];
  readonly given: string;
  /** What may have been meant. */
  readonly write: string;
}

const EXAMPLE = "test/**";

/** The first pattern that could match nothing: better told before the work than when it is held. */
function patternProblem(patterns: readonly string[], cwd: string): PatternProblem | null {
  const root = rootOf(cwd);
  for (const given of patterns) {
    if (given.startsWith("!")) return { code: "exception", given, write: given.slice(1) || EXAMPLE };
    if (isAbsolute(given)) return { code: "absolute", given, write: insideTree(given, root) ?? EXAMPLE };
    if (given.split("/").includes("..")) return { code: "outside", given, write: EXAMPLE };
    if (!isBalanced(given)) return { code: "unbalanced", given, write: EXAMPLE };
    const folder = folderNamed(given, root, cwd);
    if (folder !== null) return { code: "folder", given, write: `${folder}/**` };
  }
  return null;
}

/** An absolute pattern as one of the tree, whether `/` was meant to be the machine's or the tree's. */
function insideTree(given: string, root: string): string | null {
  const below = given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given.replace(/^\/+/, "");
  const [first = ""] = below.split("/");
  if (first === "" || (!given.startsWith(`${root}/`) && !fs.existsSync(join(root, first)))) return null;
  // A name alone would be looked for at any depth.
  return below.includes("/") ? below : `./${below}`;
}

function isBalanced(pattern: string): boolean {
  const closers: string[] = [];
  for (const char of pattern)
    if (char === "[") closers.push("]");
    else if (char === "{") closers.push("}");
    else if ((char === "]" || char === "}") && closers.pop() !== char) return false;
  return closers.length === 0;
}

/** The folder of the tree that a pattern is the plain name of; seen from its top, or from where the person works. */
function folderNamed(pattern: string, root: string, cwd: string): string | null {
  if (pattern.endsWith("/")) return null;
  const path = [root, cwd].map((from) => join(from, pattern)).find((each) => isFolder(each));
  return path === undefined ? null : relative(root, path) || ".";
}

/** A link to one is an entry of the tree like a file. */
function isFolder(path: string): boolean {
  try {
    return fs.lstatSync(path).isDirectory();
  } catch {
    // A pattern need not be a possible name.
    return false;
  }
}
