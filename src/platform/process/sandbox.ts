import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { shellQuoted } from "../../text/shell-quote.ts";
import { canRun, findTool } from "../files/tools.ts";
import { planMounts, type Mount, type SandboxSpec } from "./sandbox-mounts.ts";

export type { SandboxSpec } from "./sandbox-mounts.ts";

/**
 * Capabilities that root keeps: those for files and processes of several users, and SETFCAP to create namespaces, because agents
 * have sandboxes too. Excluded: anything that could undo a mount, reach a file past the mounts (by its inode number), or make a device.
 */
const CAPABILITIES = "CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETFCAP NET_BIND_SERVICE"
  .split(" ")
  .flatMap((name) => ["--cap-add", `CAP_${name}`]);

/**
 * Files through which root configures the kernel. Bubblewrap protects these only if the directory itself is writable, which is never so.
 * The kernel runs a program named in core_pattern as root, outside.
 */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "scsi", "acpi", "asound", "mtrr"].map(
  (name) => `/proc/${name}`,
);

/** Programs use these before /tmp, but the sandbox cannot write the places they name. */
const PLACES_FOR_TEMPORARY_FILES = ["TMPDIR", "TMP", "TEMP", "CLAUDE_CODE_TMPDIR"].flatMap((name) => [
  "--unsetenv",
  name,
]);

const TRY_MS = 5000;

export type SandboxProblem = "not_installed" | "forbidden" | "other";

/** Bubblewrap's errors when the system refuses namespaces: the kernel, AppArmor, or the container around us. */
const FORBIDDEN = /namespace|uid map|not permitted|permission denied|unshare failed/i;

/** The user's fix for a reason that `whyNoSandbox` gave. */
export function sandboxProblem(why: string): SandboxProblem {
  if (!canRun(findTool("bwrap"))) return "not_installed";
  return FORBIDDEN.test(why) ? "forbidden" : "other";
}

/** Why no sandbox works here, or null. */
export function whyNoSandbox(
  wrap: (command: string) => { readonly file: string; readonly args: readonly string[] },
): string | null {
  if (!canRun(findTool("bwrap"))) return "bubblewrap (bwrap) is not installed";
  const { file, args } = wrap(inside("[ -w / ] || exit 7", planMounts(null)));
  const { status, error, stderr } = spawnSync(file, args, {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TRY_MS,
    encoding: "utf8",
  });
  if (status === 7) return null;
  return error?.message ?? (stderr.trim() || `bwrap: exit code ${status}`);
}

/**
 * A shell command that runs `command` in a sandbox: it can write the work tree and the places in `spec`, and read all but the hidden
 * ones. It keeps the descriptors, environment, directory and exit codes.
 */
export function sandboxed(command: string, spec: SandboxSpec): string {
  return inside(command, planMounts(spec));
}

/**
 * No `--die-with-parent`: a TERM to the group ends the outer bwrap at once, which would then KILL processes that still clean up.
 * Nothing survives anyway, because the surrounding containment ends.
 */
function inside(command: string, mounts: readonly Mount[]): string {
  const [root, ...others] = mounts.map(mountWords);
  const isRoot = process.getuid?.() === 0;
  const words = [
    findTool("bwrap"),
    ...["--unshare-pid", "--unshare-ipc"],
    ...(isRoot ? ["--cap-drop", "ALL", ...CAPABILITIES] : []),
    ...PLACES_FOR_TEMPORARY_FILES,
    ...(root ?? []),
    // Its own /dev: an owner may write to a device, and root owns the disks.
    ...["--dev", "/dev", "--proc", "/proc"],
    ...(isRoot ? KERNEL.filter((path) => fs.existsSync(path)) : []).flatMap((path) => [
      "--ro-bind",
      path,
      path,
    ]),
    ...others.flat(),
    ...mounts.filter(isEmptyDirectory).flatMap(({ path }) => ["--remount-ro", path]),
    ...["--", "/bin/sh", "-c", command],
  ];
  return `exec ${words.map(quoted).join(" ")}`;
}

function mountWords(mount: Mount): readonly string[] {
  const { path, kind } = mount;
  switch (kind) {
    case "writable":
      return ["--bind", path, path];
    case "readable":
      return ["--ro-bind", path, path];
    case "private":
      return ["--perms", "1777", "--tmpfs", path];
    case "hidden":
      return isEmptyDirectory(mount) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
  }
}

/** Becomes read-only at the end, after the mounts inside it. */
function isEmptyDirectory({ path, kind }: Mount): boolean {
  return kind === "hidden" && fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : shellQuoted(word);
}
