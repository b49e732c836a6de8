import { shellQuoted } from "../../text/shell-quote.ts";
import { findTool } from "../../platform/files/tools.ts";

export const NOT_ENTERED = "the room cannot be entered";

/**
 * Until the command starts, the file `failed` says so and collects tool output, and the exit code is 125: a room that cannot be entered is
 * not a failed test. Meanwhile the command's standard error is descriptor 7.
 */
export const BEGINNING = `exec 7>&2 2>>failed\necho ${shellQuoted(NOT_ENTERED)} >&2\n`;

export interface Running {
  readonly dir: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
}

/** `through`: words of a program that starts the command. It must have been tried before, because its output counts as the command's own. */
export function running({ dir, cwd, env, command }: Running, through = ""): string {
  // `env` would take other names for options.
  const settings = Object.entries(env).filter(([name]) => /^[^-=][^=]*$/.test(name));
  const words = settings.map(([name, value]) => shellQuoted(`${name}=${value}`));
  return `cd -- ${shellQuoted(cwd)} || exit 125
: >${shellQuoted(`${dir}/failed`)} || exit 125
exec 2>&7 7>&-
exec ${through} ${shellQuoted(findTool("env"))} -i ${words.join(" ")} /bin/sh -c ${shellQuoted(command)}
`;
}

/** A copied tree needs no mounts. */
export function runningScript(what: Running): string {
  return `cd -- ${shellQuoted(what.dir)} || exit 125\n${BEGINNING}${running(what)}`;
}
