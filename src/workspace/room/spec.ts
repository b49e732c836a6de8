import type { RoomKind } from "../../domain/room/event.ts";
import type { Dated } from "../base/hidden-paths.ts";

/** A file that stands in place of what the tree has. */
export interface Laid {
  readonly path: string;
  /** Of a link: where it leads. */
  readonly bytes: Buffer;
  readonly kind: "file" | "program" | "link";
  /** When it is to have been written, since the epoch; now, if not said. */
  readonly seconds?: number;
}

/** A folder that is seen in place of what is there: writes to it stay in the room. */
export interface Placed {
  /** Where it is seen: the full path of a folder of the tree, or of the room's home. */
  readonly at: string;
  /** Where its content is. */
  readonly from: string;
}

export interface RoomSpec {
  readonly kind: RoomKind;
  /** Of the work tree, as its real path. */
  readonly root: string;
  /** Where the room's own files lie. It is made anew. */
  readonly dir: string;
  /** Where temporary files lie, if not there. It is made anew, too. */
  readonly tmp?: string;
  /** Where commands run: the root, or below it. */
  readonly cwd: string;
  /** Relative paths that are not to be seen. */
  readonly hidden: readonly string[];
  readonly laid: readonly Laid[];
  readonly placed?: readonly Placed[];
  /** Files of the tree that are seen as if they had been written just now: what was built of them before is not to be taken for new. */
  readonly touched?: readonly string[];
  /** Files of the tree that are seen with another time than they have. */
  readonly dated?: readonly Dated[];
  /** Nothing else is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** What a copy consists of, relative to the root; a folder stands for all that is in it. */
  readonly files: readonly string[];
  /** Texts by their path below `probe`. */
  readonly probes: Readonly<Record<string, string>>;
}

/** A room as it is prepared on disk. */
export interface Built {
  /** Where the tree is, for whoever is in the room. */
  readonly root: string;
  /** What the shell has to do to enter the room and run a command there. */
  readonly script: (command: string) => string;
  /** Folders that hold, when the command is over, what it wrote into the tree. */
  readonly written: readonly string[];
}
