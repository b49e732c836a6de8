import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** An empty or relative HOME would resolve to the current directory, where anyone may have put files. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  const home = env["HOME"] ?? homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
