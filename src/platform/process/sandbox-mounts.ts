import fs from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface SandboxSpec {
  readonly workTree: string;
  /** Further writable paths. Of a file, only its contents: it is a mount, so it cannot be replaced. */
  readonly writable: readonly string[];
  /** Paths to show although they are in a hidden place or in an emptied one such as /tmp. */
  readonly readable?: readonly string[];
  readonly hidden: readonly string[];
}

/**
 * Writable and readable: as outside. Private: starts empty, writable, discarded at the end. Hidden: empty and read-only.
 * A path without an entry is readable.
 */
export type MountKind = "readable" | "private" | "writable" | "hidden";

export interface Mount {
  readonly path: string;
  readonly kind: MountKind;
}

/** Folders for temporary files. The agent has no access to the files of others there, including sockets to their servers. */
const PRIVATE = ["/tmp", "/var/tmp", "/dev/shm", `/run/user/${process.getuid?.() ?? 0}`];

/**
 * A socket works even on a read-only file system. Behind these are servers that start programs for any client, outside
 * of any sandbox.
 */
const DOORS = [
  ...["/run/docker.sock", "/run/containerd", "/run/podman", "/run/crio", "/run/buildkit", "/run/libvirt"],
  ...["/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.sock", "/run/snapd-snap.socket"],
  ...["/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"],
  ...["/run/screen", "/run/initctl"],
];

/** In mount order: a mount inside another comes after it. The first one is the root. */
export function planMounts(spec: SandboxSpec | null): readonly Mount[] {
  const { readable = [], writable = [], hidden = [] } = spec ?? {};
  const workTree = spec && (follow(spec.workTree)?.real ?? resolve(spec.workTree));
  const trees = workTree === null ? [] : [{ real: workTree, links: [] }];
  const opened = places(writable);
  const owned = [...trees, ...opened];
  // A link in a writable place can be redirected: at the next turn it would open another place.
  const isTrusted = ({ links }: ResolvedPath): boolean =>
    !links.some((link) => owned.some(({ real }) => isInside(link, real)));
  // The last entry for a place wins.
  const requested: readonly (readonly [MountKind, readonly ResolvedPath[]])[] = [
    ["readable", places(["/", ...readable]).filter(isTrusted)],
    ["private", places(PRIVATE)],
    ["writable", [...opened.filter(isTrusted), ...trees]],
    ["hidden", places([...DOORS, ...hidden])],
  ];
  const kinds = requested.flatMap(([kind, found]) => found.map(({ real }) => [real, kind] as const));
  return pinned(necessary(new Map(kinds)));
}

function places(paths: readonly string[]): readonly ResolvedPath[] {
  return paths.flatMap((path) => follow(path) ?? []);
}

/** Skips mounts that already have the right kind because of their parent. */
function necessary(kinds: ReadonlyMap<string, MountKind>): readonly Mount[] {
  const kept: Mount[] = [];
  const all = [...kinds].map(([path, kind]) => ({ path, kind }));
  for (const mount of all.toSorted(byLength)) {
    const around = innermost(kept, mount.path);
    if (around === undefined || !isAlready(mount.kind, around.kind)) kept.push(mount);
  }
  return kept;
}

function isAlready(kind: MountKind, around: MountKind): boolean {
  switch (kind) {
    case "readable":
      return around === "readable" || around === "writable";
    case "hidden":
      return around === "hidden" || around === "private";
    case "writable":
    case "private":
      return around === kind;
  }
}

/**
 * A directory that contains a hidden place could be renamed, and another one put under its name for the foreman to find. Nothing can
 * rename a mount point, so each directory on the way is mounted.
 */
function pinned(mounts: readonly Mount[]): readonly Mount[] {
  const paths = new Set(mounts.map(({ path }) => path));
  const pins = mounts.flatMap(({ path, kind }) => {
    const around = innermost(mounts, dirname(path));
    return kind === "hidden" && around?.kind === "writable" ? between(around.path, path) : [];
  });
  const missing = [...new Set(pins)].filter((path) => !paths.has(path));
  return [...mounts, ...missing.map((path) => ({ path, kind: "writable" }) as const)].toSorted(byLength);
}

function between(outer: string, inner: string): readonly string[] {
  const above = dirname(inner);
  return above === outer ? [] : [...between(outer, above), above];
}

/** A path is longer than the paths that contain it. */
function byLength(one: Mount, other: Mount): number {
  return one.path.length - other.path.length;
}

function innermost(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => isInside(path, mount.path));
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

interface ResolvedPath {
  readonly real: string;
  /** Real paths of the links that were followed. */
  readonly links: readonly string[];
}

/** The limit of Linux. */
const MOST_LINKS = 40;

/** The target of a path; undefined if something on it is missing or unreadable. */
function follow(path: string): ResolvedPath | undefined {
  const links: string[] = [];
  const names = namesOf(resolve(path));
  let real = "/";
  try {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const next = join(real, name);
      if (!fs.lstatSync(next).isSymbolicLink()) real = next;
      else if (links.push(next) > MOST_LINKS) return undefined;
      else {
        const target = fs.readlinkSync(next);
        names.push(...namesOf(target));
        if (target.startsWith("/")) real = "/";
      }
    }
  } catch {
    return undefined;
  }
  return { real, links };
}

/** In reverse order. */
function namesOf(path: string): string[] {
  return path.split("/").toReversed();
}
