import { spawnSync } from "node:child_process";
import type { Containment } from "./containment-level.ts";
import { findTool } from "../files/tools.ts";
import type { LauncherParts } from "./launcher.ts";

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** One way to run a shell command so that no process of it survives. */
export interface Container {
  readonly level: Containment;
  /** `wrap` writes a line to descriptor 3, if open, before the command runs; see `ALIVE`. */
  readonly asksForeman?: true;
  readonly wrap: (command: string) => Program;
  /**
   * Runs one of our scripts as `/bin/sh -c script sh ...args`, in the caller's session and with its descriptors. Where commands die
   * with the foreman, the script first writes an empty line to descriptor 3.
   */
  readonly contain: (script: string, args: readonly string[]) => Program;
  /** Set where a launcher can start commands faster than one process each. */
  readonly launcher?: LauncherParts;
}

/**
 * Ends a shell whose foreman is gone. A foreman that dies before its child has set its parent-death signal leaves that child alive;
 * so does `unshare` with the first process of its namespace. That process cannot detect it by its parent's id, because the parent is
 * outside the namespace. But then descriptor 3 has no reader. A foreman that reads the line was alive when the last of them was set up.
 */
const ALIVE = "echo >&3 || exit 126";
/** The same for a command, which does not inherit the descriptor. A mere test of the containment has no descriptor 3. */
const ALIVE_IF_ASKED = `if true >&3; then ${ALIVE}; exec 3>&-; fi 2>/dev/null`;

/**
 * The first process of a pid namespace, which must outlive and reap the command. The command cannot be that process,
 * because the kernel shields it from signals (even its own `kill -9 $$`). The shell's messages ("Killed") are discarded, so that
 * the transcript holds only the command's output. After a TERM it waits for processes that clean up, because its exit ends them all.
 */
const INIT = `
stop=; trap stop=1 TERM
exec 3>&2 2>/dev/null
/bin/sh -c "$1" 2>&3 3>&-
code=$?
left=60
while [ "$stop" ] && [ $left -gt 0 ] && set -- /proc/[0-9]* && [ $# -gt 1 ]; do sleep 0.05; left=$((left - 1)); done
exit $code`;

/** util-linux: the namespace dies with `unshare`, and `unshare` dies with the foreman. */
const DIES_WITH_US = ["--pdeathsig", "KILL"];
const PID_NAMESPACE = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const AS_MYSELF = ["--user", "--map-current-user"];

function byUnshare(level: Containment, extra: readonly string[]): Container {
  const setpriv = findTool("setpriv");
  const namespace = [findTool("unshare"), ...PID_NAMESPACE, ...extra, "--", "/bin/sh", "-c"];
  return {
    level,
    wrap: (command) => ({ file: setpriv, args: [...DIES_WITH_US, ...namespace, INIT, "sh", command] }),
    contain: (script, args) => ({
      file: setpriv,
      args: [...DIES_WITH_US, ...namespace, alive(script), "sh", ...args],
    }),
    launcher: {
      outer: (script) => ({ file: setpriv, args: [...DIES_WITH_US, ...namespace, alive(script)] }),
      inner: [...namespace, INIT, "sh"],
    },
  };
}

function alive(script: string): string {
  return `${ALIVE}\n${script}`;
}

function inBubblewrap(words: readonly string[]): Program {
  return {
    file: findTool("bwrap"),
    args: [
      ...["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent"],
      ...(process.getuid?.() === 0 ? ["--cap-drop", "ALL"] : []),
      ...["--", "/bin/sh", "-c", ...words],
    ],
  };
}

const byBubblewrap: Container = {
  level: "bubblewrap",
  asksForeman: true,
  wrap: (command) => inBubblewrap([`${ALIVE_IF_ASKED}\n${command}`]),
  contain: (script, args) => inBubblewrap([alive(script), "sh", ...args]),
};

const byProcessGroup: Container = {
  level: "process_group",
  wrap: (command) => ({ file: "/bin/sh", args: ["-c", command] }),
  contain: (script, args) => ({ file: "/bin/sh", args: ["-c", script, "sh", ...args] }),
};

const byProcessTree: Container = {
  level: "process_tree",
  wrap: (command) => ({
    file: process.env["ComSpec"] ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${command}"`],
  }),
  contain: (script, args) => ({ file: "sh", args: ["-c", script, "sh", ...args] }),
};

/** The strongest containment that works on this machine, found by trying. */
export function detectContainment(): Container {
  return candidates().find((container) => works(container)) ?? weakest();
}

function candidates(): readonly Container[] {
  if (process.platform !== "linux") return [];
  const asRoot = byUnshare("pid_namespace", []);
  const asUser = byUnshare("user_pid_namespace", AS_MYSELF);
  return process.getuid?.() === 0 ? [asRoot, asUser, byBubblewrap] : [asUser, byBubblewrap];
}

function weakest(): Container {
  return process.platform === "win32" ? byProcessTree : byProcessGroup;
}

function works(container: Container): boolean {
  const { file, args } = container.wrap("exit 7");
  return spawnSync(file, args, { stdio: "ignore", timeout: 5000 }).status === 7;
}
