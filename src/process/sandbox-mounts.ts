import fs from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface SandboxSpec {
  readonly workTree: string;
  /** What may be written besides. Of a file, its contents: another cannot be put in its place, for it is a mount of its own. */
  readonly writable: readonly string[];
  /** What is to be seen although it lies in a hidden place or in one that is empty inside, such as /tmp. */
  readonly readable?: readonly string[];
  readonly hidden: readonly string[];
}

/**
 * Writable and readable: as it is outside. Private: empty, to write in, gone at the end. Hidden: empty, and stays so.
 * What is in nobody's list is readable.
 */
export type MountKind = "readable" | "private" | "writable" | "hidden";

export interface Mount {
  readonly path: string;
  readonly kind: MountKind;
}

/** Where programs write by habit. What others have there, sockets to their servers among it, is not the agent's. */
const PRIVATE = ["/tmp", "/var/tmp", "/dev/shm", `/run/user/${process.getuid?.() ?? 0}`];

/**
 * A socket can be used on a file system that is read-only. Behind these are servers that start programs for whoever asks, outside
 * of any sandbox.
 */
const DOORS = [
  ...["/run/docker.sock", "/run/containerd", "/run/podman", "/run/crio", "/run/buildkit", "/run/libvirt"],
  ...["/run/dbus/system_bus_socket", "/run/systemd/private", "/run/snapd.sock", "/run/snapd-snap.socket"],
  ...["/var/lib/incus/unix.socket", "/var/lib/lxd/unix.socket", "/var/snap/lxd/common/lxd/unix.socket"],
  ...["/run/screen", "/run/initctl"],
];

/** In the order in which they have to be mounted: what lies inside another comes after it. The first one is the root. */
export function planMounts(spec: SandboxSpec | null): readonly Mount[] {
  const { readable = [], writable = [], hidden = [] } = spec ?? {};
  const workTree = spec && (follow(spec.workTree)?.real ?? resolve(spec.workTree));
  const trees = workTree === null ? [] : [{ real: workTree, links: [] }];
  const opened = places(writable);
  const owned = [...trees, ...opened];
  // Whoever can write where a link lies decides where it leads: at the next turn it would open another place.
  const isThePersons = ({ links }: Followed): boolean =>
    !links.some((link) => owned.some(({ real }) => isInside(link, real)));
  // Of several words on one place the last one stands.
  const said: readonly (readonly [MountKind, readonly Followed[]])[] = [
    ["readable", places(["/", ...readable]).filter(isThePersons)],
    ["private", places(PRIVATE)],
    ["writable", [...opened.filter(isThePersons), ...trees]],
    ["hidden", places([...DOORS, ...hidden])],
  ];
  const kinds = said.flatMap(([kind, found]) => found.map(({ real }) => [real, kind] as const));
  return pinned(necessary(new Map(kinds)));
}

function places(paths: readonly string[]): readonly Followed[] {
  return paths.flatMap((path) => follow(path) ?? []);
}

/** Without those that are as they should be already, by what they lie in. */
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
 * A place that is hidden in one that can be written could be moved away with the directory it is in, and another one be made
 * under its name, for the foreman to find. Nobody can move what something is mounted on: so each directory on the way is.
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

/** A path is longer than those it lies in. */
function byLength(one: Mount, other: Mount): number {
  return one.path.length - other.path.length;
}

function innermost(mounts: readonly Mount[], path: string): Mount | undefined {
  return mounts.findLast((mount) => isInside(path, mount.path));
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}

interface Followed {
  readonly real: string;
  /** Where the links lie that were followed, each by its real path. */
  readonly links: readonly string[];
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Where a path leads; nowhere, where something is missing or cannot be looked at. */
function follow(path: string): Followed | undefined {
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

/** The first one last. */
function namesOf(path: string): string[] {
  return path.split("/").toReversed();
}
