import type { RoomKind } from "../../core/evidence/event.ts";
import type { Dated } from "../base/hidden-paths.ts";

/** A file that replaces an entry of the tree. */
export interface Laid {
  readonly path: string;
  /** For a link: its target. */
  readonly bytes: Buffer;
  readonly kind: "file" | "program" | "link";
  /** Its modification time since the epoch; default: now. */
  readonly seconds?: number;
}

/** A folder that replaces another one; writes to it stay in the room. */
export interface Placed {
  /** The full path at which it appears, in the tree or in the room's home. */
  readonly at: string;
  /** The path of its content. */
  readonly from: string;
}

/**
 * How to enter an overlay: mounted directly by a root with private mounts, after leaving the foreman's mount namespace, or by a user who is
 * root only in a namespace.
 */
export const ROOM_WAYS = ["here", "apart", "nested"] as const;
export type RoomWay = (typeof ROOM_WAYS)[number];

export interface RoomSpec {
  readonly kind: RoomKind;
  /** Depends on the container of the command. If unknown, the room determines it, which takes longer. */
  readonly way?: RoomWay | undefined;
  /** The real path of the work tree. */
  readonly root: string;
  /** The directory for the room's own files. It is created from scratch. */
  readonly dir: string;
  /** Another room will follow in the same directory, so parts that no command touched stay for it. */
  readonly isReused?: true;
  /** The directory for temporary files, if separate. It is created from scratch, too. */
  readonly tmp?: string;
  /** The working directory: the root, or below it. */
  readonly cwd: string;
  /** Relative paths to hide. */
  readonly hidden: readonly string[];
  readonly laid: readonly Laid[];
  readonly placed?: readonly Placed[];
  /** Files of the tree that appear as just written, so that earlier builds of them do not count as new. */
  readonly touched?: readonly string[];
  /** Files of the tree that appear with a different time. */
  readonly dated?: readonly Dated[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The parts of a copy, relative to the root; a folder includes all its content. */
  readonly files: readonly string[];
  /** Texts by their path below `probe`. */
  readonly probes: Readonly<Record<string, string>>;
}

/** A room as it is prepared on disk. */
export interface Built {
  /** The path of the tree inside the room. */
  readonly root: string;
  /** Shell text that enters the room and runs a command there. */
  readonly script: (command: string) => string;
  /** Folders with everything that the command wrote into the tree. */
  readonly written: readonly string[];
}
