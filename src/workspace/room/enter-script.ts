import { shellQuoted } from "../../domain/shell-quote.ts";
import { findTool } from "../../files/tools.ts";

/**
 * Until the command itself is started, the file `failed` holds what tools have said, and the exit code is 125: a room that cannot be
 * entered is no failed test. The command's standard error is descriptor 7 meanwhile.
 */
export const BEGINNING = "exec 7>&2 2>>failed\n";

export interface Running {
  readonly dir: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
}

export function running({ dir, cwd, env, command }: Running): string {
  // What else it is given for a name, `env` takes for something else.
  const settings = Object.entries(env).filter(([name]) => /^[^-=][^=]*$/.test(name));
  const words = settings.map(([name, value]) => shellQuoted(`${name}=${value}`));
  return `cd -- ${shellQuoted(cwd)} || exit 125
: >${shellQuoted(`${dir}/failed`)} || exit 125
exec 2>&7 7>&-
exec ${shellQuoted(findTool("env"))} -i ${words.join(" ")} /bin/sh -c ${shellQuoted(command)}
`;
}

/** Where the tree is a copy there is nothing to enter. */
export function runningScript(what: Running): string {
  return `cd -- ${shellQuoted(what.dir)} || exit 125\n${BEGINNING}${running(what)}`;
}
