import { isAbsolute, join, resolve } from "node:path";
import { homeDirectory } from "../../platform/files/home.ts";

/** The directory of journals: AGENT_FOREMAN_HOME, otherwise by the XDG rules. It is outside every work tree. */
export function stateDir(env: NodeJS.ProcessEnv): string {
  const own = env["AGENT_FOREMAN_HOME"];
  if (own) return resolve(own);
  const xdg = env["XDG_STATE_HOME"];
  // The XDG specification says that relative paths are ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, "agent-foreman");
  if (process.platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "agent-foreman");
  return join(homeDirectory(env), ".local", "state", "agent-foreman");
}
