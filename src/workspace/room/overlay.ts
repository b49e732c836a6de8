import fs from "node:fs";
import { join, relative, sep } from "node:path";
import { shellQuoted } from "../../domain/shell-quote.ts";
import { findTool } from "../../files/tools.ts";
import { realPath } from "../tree-repository.ts";
import { BEGINNING, running } from "./enter-script.ts";
import { makeGitDirectory } from "./git-directory.ts";
import { makeLayers, type Layer } from "./layers.ts";
import type { Built, RoomSpec } from "./spec.ts";
import { lookAt } from "./surface.ts";

/**
 * What root may still do: nothing by which it could take the overlay away, or get at a process that can or that has our environment
 * (`perfmon`, of all things, lets one read it).
 */
const KEPT = [
  ...["chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap", "setfcap", "mknod"],
  ...["net_bind_service", "net_broadcast", "net_admin", "net_raw", "ipc_lock", "ipc_owner", "lease"],
  ...["sys_chroot", "sys_nice", "sys_resource", "audit_write"],
];
const CAPABILITIES = `--bounding-set ${["-all", ...KEPT.map((name) => `+${name}`)].join()} --inh-caps -all`;

/** The tree at its own path, with folders of ours laid over it. The command alone sees it so. */
export function overlaid(spec: RoomSpec): Built {
  const { root, dir } = spec;
  const { layers, pretended } = makeLayers(spec);
  const inTree = layers.filter(({ from }) => from === null);
  const placed = layers.filter(({ from }) => from !== null);
  for (const name of ["space", "objects"]) fs.mkdirSync(join(dir, name));
  const git = makeGitDirectory(root, join(dir, "git"), join(dir, "objects"));
  // A file, in linked work trees; and a link would have us mount something over another's repository.
  if (git && lookAt(join(root, ".git"))?.isDirectory() !== true)
    fs.mkdirSync(join(dir, "layers", "0", "upper", ".git"));
  const mounting = [
    mountingLayers(root, inTree, pretended),
    // Our own directory may lie in the tree, and then in the overlay as well: what is written to it would go there.
    isBelow(root, dir) ? bind("/proc/self/fd/9", dir) : "",
    mountingPlaced(root, placed, inTree.length),
    git ? mountingGit(root, dir, git.objects) : "",
  ].join("");
  const cwd = join(root, relative(root, realPath(spec.cwd)));
  return {
    root,
    script: (command) => entering(dir, root, mounting) + running({ ...spec, cwd, command }) + ";;\nesac\n",
    written: inTree.flatMap(({ upper }) => upper ?? []),
  };
}

/**
 * What is laid over what is told to the kernel by descriptors (8: the tree, 9: our directory). So a path may hold what would end an
 * option, and what has been mounted over a folder is not in the way of what lies under it.
 *
 * Some file systems take no upper folder (one that is an overlay itself, as in containers): then it has to be in memory. Extended
 * attributes are `user.` ones where we are not the machine's own root, who alone can have folders renamed that are not in the upper.
 */
function functions(): string {
  const find = shellQuoted(findTool("find"));
  return `overlay() {
  exec 6<"$3"
  for more in ,volatile ''; do
    ${mount()} -t overlay -o "lowerdir=/proc/self/fd/6,upperdir=$layers/$1/upper,workdir=$layers/$1/work,$way$more" agent-foreman "$2" && return
  done
  return 1
}
in_memory() {
  ${mount()} -t tmpfs -o mode=700 agent-foreman space && ${shellQuoted(findTool("cp"))} -a layers space/ && layers=/proc/self/fd/9/space/layers
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
 * Root mounts and then gives up that it could. Others do so as the root of a namespace, which they leave for one in which they are
 * nobody but themselves. Nothing is ever mounted where the foreman itself would see it.
 */
function entering(dir: string, root: string, mounting: string): string {
  const unshare = shellQuoted(findTool("unshare"));
  const ids = `--map-user=${process.getuid?.() ?? 0} --map-group=${process.getgid?.() ?? 0}`;
  return `cd -- ${shellQuoted(dir)} || exit 125
${functions()}mounts() {
  exec 8<${shellQuoted(root)} 9<.
  read -r inside outside count </proc/self/uid_map
  if [ "$count" = 4294967295 ]; then way=redirect_dir=on; else way=userxattr; fi
  layers=/proc/self/fd/9/layers
${mounting}  exec 6<&- 8<&- 9<&-
}
as_root() {
  mounts
  exec ${shellQuoted(findTool("setpriv"))} ${CAPABILITIES} -- /bin/sh "$0" run
}
case "$1" in
'')
${BEGINNING}while read -r name value; do [ "$name" = CapEff: ] && break; done </proc/self/status
[ $((0x$value >> 21 & 1)) = 1 ] || exec ${unshare} --user --map-root-user --mount -- /bin/sh "$0" nested
[ "$(${shellQuoted(findTool("readlink"))} ${MOUNTS})" != ${shellQuoted(ownMounts())} ] || exec ${unshare} --mount -- /bin/sh "$0" apart
as_root
;;
apart)
as_root
;;
nested)
mounts
exec ${unshare} --user ${ids} -- /bin/sh "$0" run
;;
run)
`;
}

const MOUNTS = "/proc/self/ns/mnt";

/** The namespace that our own mounts are in. */
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

/** The objects can be had from where they are, but nothing can be put there. */
function mountingGit(root: string, dir: string, objects: string): string {
  const from = isBelow(root, objects) ? `/proc/self/fd/8/${relative(root, objects)}` : objects;
  return [
    bind("/proc/self/fd/9/git", join(root, ".git")),
    bind(from, join(dir, "objects")),
    `  ${mount()} -o remount,bind,ro ${shellQuoted(join(dir, "objects"))} || :\n`,
  ].join("");
}

/** Paths are left alone (-c), or the program would look for what a descriptor leads to by its name, and find what is mounted over it. */
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
