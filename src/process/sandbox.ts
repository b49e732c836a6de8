import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { shellQuoted } from "../domain/shell-quote.ts";
import { canRun, findTool } from "../files/tools.ts";
import { planMounts, type Mount, type SandboxSpec } from "./sandbox-mounts.ts";

export type { SandboxSpec } from "./sandbox-mounts.ts";

/**
 * What root may still do: the things that files and processes of several users ask for, and what it takes to make namespaces of
 * one's own (SETFCAP), for agents have sandboxes too. Not what could undo a mount, reach a file past the mounts (by its
 * number on the disk), or make a device.
 */
const CAPABILITIES = "CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETFCAP NET_BIND_SERVICE"
  .split(" ")
  .flatMap((name) => ["--cap-add", `CAP_${name}`]);

/**
 * Where the kernel takes orders from root: bubblewrap shuts these only where the directory itself could be written, which none
 * can. What is named in core_pattern is run as root, outside.
 */
const KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs", "scsi", "acpi", "asound", "mtrr"].map(
  (name) => `/proc/${name}`,
);

/** Programs go by these before they take /tmp; the places they name are not to be written in. */
const PLACES_FOR_TEMPORARY_FILES = ["TMPDIR", "TMP", "TEMP", "CLAUDE_CODE_TMPDIR"].flatMap((name) => [
  "--unsetenv",
  name,
]);

const TRY_MS = 5000;

export type SandboxProblem = "not_installed" | "forbidden" | "other";

/** What bubblewrap says where the system refuses namespaces: the kernel, AppArmor, or the container around us. */
const FORBIDDEN = /namespace|uid map|not permitted|permission denied|unshare failed/i;

/** What would have to be mended, for somebody to whom `whyNoSandbox` gave a reason. */
export function sandboxProblem(why: string): SandboxProblem {
  if (!canRun(findTool("bwrap"))) return "not_installed";
  return FORBIDDEN.test(why) ? "forbidden" : "other";
}

/** Why there can be none here, or null. */
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
 * A shell command that runs `command` in a sandbox: it writes in the work tree and where else `spec` says, reads all but what
 * is hidden. Its descriptors, environment and directory are those it is started with, and so are its exit codes.
 */
export function sandboxed(command: string, spec: SandboxSpec): string {
  return inside(command, planMounts(spec));
}

/**
 * Without `--die-with-parent`: a TERM to the group ends the bwrap that waits outside at once, and would take along, with a KILL,
 * whatever is tidying up. Nothing is left behind even so, for the containment around it ends.
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
    // Of its own: an owner may write to a device, and root is the owner of the disks.
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

/** Made read-only at the end, when all that is to be seen in it is there. */
function isEmptyDirectory({ path, kind }: Mount): boolean {
  return kind === "hidden" && fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : shellQuoted(word);
}
