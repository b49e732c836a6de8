import { isAbsolute, join, resolve } from "node:path";
import { homeDirectory } from "../files/home.ts";

/** Where journals live: outside every work tree, by the XDG rules, or where AGENT_FOREMAN_HOME says. */
export function stateDir(env: NodeJS.ProcessEnv): string {
  const own = env["AGENT_FOREMAN_HOME"];
  if (own) return resolve(own);
  const xdg = env["XDG_STATE_HOME"];
  // The XDG specification has relative paths ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, "agent-foreman");
  if (process.platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "agent-foreman");
  return join(homeDirectory(env), ".local", "state", "agent-foreman");
}
