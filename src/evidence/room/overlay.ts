import fs from "node:fs";
import { join, relative, sep } from "node:path";
import { shellQuoted } from "../../text/shell-quote.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { findTool } from "../../platform/files/tools.ts";
import { realPath } from "../../platform/git/tree-repository.ts";
import { BEGINNING, running, type Running } from "./enter-script.ts";
import { gitDirectoryOver } from "./git-directory.ts";
import { emptyWorkFolders, inputsOf, makeLayers, WORK, type Layer } from "./layers.ts";
import type { RoomParts } from "./parts.ts";
import { ROOM_WAYS, type Built, type RoomSpec, type RoomWay } from "./spec.ts";

/**
 * Root's remaining capabilities. None of them lets it remove the overlay, or access a process that can or that has our environment (even
 * `perfmon` can read that).
 */
const KEPT = [
  ...["chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "setfcap", "mknod"],
  ...["net_bind_service", "net_broadcast", "net_admin", "net_raw", "ipc_lock", "ipc_owner", "lease"],
  ...["sys_chroot", "sys_nice", "sys_resource", "audit_write"],
];
const CAPABILITIES = `--bounding-set ${["-all", ...KEPT.map((name) => `+${name}`)].join()} --inh-caps -all`;

/** The tree at its own path, below our overlays. Only the command sees it this way. */
export function overlaid(spec: RoomSpec, parts: RoomParts): Built {
  const { root, dir } = spec;
  const git = gitDirectoryOver(root, join(dir, "git"));
  const whole = {
    ...spec,
    hidden: [...spec.hidden, ...git.hidden],
    laid: [...spec.laid, ...git.laid],
    folders: git.folders,
  };
  const { layers, pretended } = parts.provide("layers", inputsOf(whole), () => makeLayers(whole), WORK);
  emptyWorkFolders(dir, layers.length);
  const inTree = layers.filter(({ from }) => from === null);
  const placed = layers.filter(({ from }) => from !== null);
  const mounting = [
    mountingLayers(root, inTree, pretended),
    // If our own directory is in the tree, writes to it would go into the overlay.
    isBelow(root, dir) ? bind("/proc/self/fd/9", dir) : "",
    mountingPlaced(root, placed, inTree.length),
  ].join("");
  const cwd = join(root, relative(root, realPath(spec.cwd)));
  return {
    root,
    script: (command) => entering(spec, mounting, { ...spec, cwd, command }),
    written: inTree.flatMap(({ upper }) => upper ?? []),
  };
}

/**
 * The kernel gets the layers as descriptors (8: the tree, 9: our directory). So a path may contain option separators, and a mount over a
 * folder does not hide the original below it. Some file systems cannot hold an upper folder (overlays themselves, as in containers), so it has
 * to be in memory. Extended attributes are `user.` ones unless we are the machine's root, which alone can rename folders outside the upper.
 * Without its own id the overlay does not change the upper folder when mounted, so a later room can reuse it.
 */
function functions(): string {
  const find = shellQuoted(findTool("find"));
  return `overlay() {
  exec 6<"$3"
  for more in ,volatile,uuid=off ,volatile ''; do
    ${mount()} -t overlay -o "lowerdir=/proc/self/fd/6,upperdir=$layers/$1/upper,workdir=$layers/$1/work,$way$more" agent-foreman "$2" && return
  done
  return 1
}
in_memory() {
  ${shellQuoted(findTool("mkdir"))} space && ${mount()} -t tmpfs -o mode=700 agent-foreman space && ${shellQuoted(findTool("cp"))} -a layers space/ && layers=/proc/self/fd/9/space/layers
}
hide() {
  ${shellQuoted(findTool("mknod"))} space/whiteout c 0 0 || return
  for each in space/layers/whiteout-*; do
    ${find} space/layers/*/ -samefile "$each" -exec ${shellQuoted(findTool("ln"))} -f space/whiteout {} \\;
    [ -z "$(${find} space/layers/*/ -samefile "$each")" ] || return
  done
}
`;
}

/**
 * Root mounts and then drops the capability. Others mount as root of a namespace, which they leave for one without privileges. No mount is
 * ever visible to the foreman itself. Each extra program costs a check about a millisecond, so the script searches for a way only if the
 * caller does not know it, and records it.
 */
function entering({ dir, root, way }: RoomSpec, mounting: string, what: Running): string {
  const unshare = shellQuoted(findTool("unshare"));
  const again = `/bin/sh ${shellQuoted(join(dir, "enter"))}`;
  const ids = `--map-user=${process.getuid?.() ?? 0} --map-group=${process.getgid?.() ?? 0}`;
  const capabilities = `${shellQuoted(findTool("setpriv"))} ${CAPABILITIES} --`;
  return `cd -- ${shellQuoted(dir)} || exit 125
${functions()}mounts() {
  exec 8<${shellQuoted(root)} 9<.
  read -r inside outside count </proc/self/uid_map
  if [ "$count" = 4294967295 ]; then way=redirect_dir=on; else way=userxattr; fi
  layers=/proc/self/fd/9/layers
${mounting}  exec 6<&- 8<&- 9<&-
}
enter() {
  case "$1" in
  here)
    mounts
    ${running(what, capabilities)} ;;
  apart) exec ${unshare} --mount -- ${again} here ;;
  nested) exec ${unshare} --user --map-root-user --mount -- ${again} nested_mounts ;;
  nested_mounts)
    mounts
    exec ${unshare} --user ${ids} -- ${again} run ;;
  run)
    ${running(what)} ;;
  esac
}
if [ $# = 0 ]; then
${BEGINNING}${
    way === undefined
      ? findingWay()
      : `set -- ${way}
`
  }fi
enter "$1"
`;
}

function findingWay(): string {
  const mounts = `"$(${shellQuoted(findTool("readlink"))} ${MOUNTS})"`;
  return `while read -r name value; do [ "$name" = CapEff: ] && break; done </proc/self/status
if [ $((0x$value >> 21 & 1)) = 0 ]; then set -- nested
elif [ ${mounts} = ${shellQuoted(ownMounts())} ]; then set -- apart
else set -- here; fi
echo "$1" >way || exit 125
`;
}

/** The way that a room found and recorded. */
export function wayInto(dir: string): RoomWay | undefined {
  const found = tryReadPlainFile(join(dir, "way"))?.toString().trim();
  return ROOM_WAYS.find((way) => way === found);
}

const MOUNTS = "/proc/self/ns/mnt";

/** The namespace of our own mounts. */
function ownMounts(): string {
  try {
    return fs.readlinkSync(MOUNTS);
  } catch {
    return "";
  }
}

function mountingLayers(root: string, [, ...others]: readonly Layer[], pretended: boolean): string {
  const further = others.map(({ at, upper }, index) => {
    const below = `/proc/self/fd/8/${relative(root, at)}`;
    return upper === null ? bind(below, at) : `  ${overlay(index + 1, at, below)} || exit 125\n`;
  });
  const lowest = overlay(0, root, "/proc/self/fd/8");
  const first = pretended
    ? `in_memory && hide && ${lowest} || exit 125`
    : `${lowest} || { in_memory && ${lowest}; } || exit 125`;
  return `  ${first}\n${further.join("")}`;
}

function mountingPlaced(root: string, placed: readonly Layer[], first: number): string {
  return placed
    .map(({ at, from }, index) => {
      const content = from ?? at;
      const below = isBelow(root, content) ? `/proc/self/fd/8/${relative(root, content)}` : content;
      return `  ${overlay(first + index, at, below)} || exit 125\n`;
    })
    .join("");
}

function overlay(layer: number, at: string, below: string): string {
  return `overlay ${layer} ${shellQuoted(at)} ${shellQuoted(below)}`;
}

/** Leaves paths unresolved (-c): otherwise the program resolves a descriptor to its name, and finds the mount over it. */
function bind(from: string, to: string): string {
  return `  ${mount()} -c --bind ${shellQuoted(from)} ${shellQuoted(to)} || exit 125\n`;
}

function mount(): string {
  return shellQuoted(findTool("mount"));
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, realPath(path));
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}
