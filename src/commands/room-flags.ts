import { findDanger } from "../checks/danger.ts";
import type { Config } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import type { RoomSettings } from "../domain/room/settings.ts";
import { roomFlagTexts } from "../i18n/program-room.ts";
import { usageTexts } from "../i18n/usage.ts";
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
  readonly sandbox?: boolean;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Null: checks run in the work tree. */
export function roomFrom(
  flags: RoomFlags,
  { cleanRoom }: Config,
  command: string,
  io: Io,
): RoomSettings | null {
  const usage = (problem: string): Failure => new Failure("usage", { problem, command });
  const setup = flags.setup ?? cleanRoom.setup.value;
  const allow = flags.allowOracleChange ?? cleanRoom.allow.value;
  const proveTests = flags.proveTests ?? cleanRoom.proveTests.value;
  const passEnv = flags.passEnv ?? cleanRoom.passEnv.value;
  if (setup?.trim() === "") throw usage(usageTexts[io.lang].empty("--setup"));
  if (allow.some((glob) => glob.trim() === ""))
    throw usage(usageTexts[io.lang].empty("--allow-oracle-change"));
  const wrong = passEnv.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined) throw usage(roomFlagTexts[io.lang].noVariable(wrong));
  const danger = setup === null || flags.force === true ? undefined : findDanger(setup);
  if (danger)
    throw new Failure("dangerous_command", { flag: "--setup", command: danger.command, rule: danger.rule });
  return flags.cleanRoom === false || !cleanRoom.enabled.value ? null : { setup, allow, passEnv, proveTests };
}
