import type { ProtectedChange } from "../../core/evidence/change.ts";
import type { ProtectedFiles } from "../protected/protected-files.ts";
import type { LostFile } from "../../core/evidence/changes.ts";
import type { Silenced } from "./silencing.ts";
import type { RoomKind, SetUp } from "../../core/evidence/event.ts";
import type { Pack } from "../../platform/git/pack.ts";
import type { Dated } from "../base/hidden-paths.ts";
import type { ProgramStamps } from "../base/programs.ts";
import type { Stamps } from "../../platform/git/stamps.ts";
import type { Laid, RoomWay } from "../room/room.ts";

/** Everything around the counted files that can affect tests. */
export interface Surroundings {
  /** Files that git ignores; null: too many to look at. */
  readonly ignored: Stamps | null;
  /** Folders, pipes and sockets without any counted file in them; null: unknown. */
  readonly unlisted: Stamps | null;
  /** Settings and dependencies in the parent folders of the tree, by full path; null: unknown. */
  readonly above: Stamps | null;
  readonly programs: ProgramStamps;
}

/** The person's uncommitted files and git settings. Read once, before the first turn. */
export interface PersonsWork {
  /** Files that differ from the last commit, with the id of their committed content; empty: not in it. */
  readonly uncommitted: Stamps;
  /** By name: settings of git, hooks and attributes. */
  readonly git: Stamps;
}

export interface BaseSurroundings extends Surroundings, PersonsWork {
  /** When each file of the tree was last written, in seconds since the epoch. */
  readonly written: ReadonlyMap<string, number>;
}

/** The tree that candidates are compared with, as this process knows it. */
export interface KnownBase {
  readonly tree: string;
  /** By path: the kind of entry and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  /** The commands whose results it protects. */
  readonly commands: readonly string[];
  readonly protectedFiles: ProtectedFiles;
  readonly pack: Pack;
  readonly surroundings: BaseSurroundings;
}

/** The tree before the first turn. */
export type StartBase = Pick<KnownBase, "tree" | "files" | "pack" | "surroundings">;

/** File times for build tools. */
export interface TimesInRoom {
  readonly touched: readonly string[];
  readonly dated: readonly Dated[];
}

/** A tree as its checks see it. */
export interface View {
  readonly root: string;
  readonly tree: string;
  readonly files: ReadonlyMap<string, string>;
  readonly changes: readonly ProtectedChange[];
  readonly allowed: readonly string[];
  readonly newTests: readonly string[];
  /** Whether the base has any tests. */
  readonly baseTested: boolean;
  /** Non-empty folders of the base. */
  readonly baseFolders: ReadonlySet<string>;
  /** Whether the base's tests decide. */
  readonly frozen: boolean;
  /** Entries of the base's protected files that replace the candidate's; where the base has none, the path is hidden. */
  readonly laid: readonly Laid[];
  readonly unlaid: readonly string[];
  /** Files that git ignores or ignored on the base and that have changed since, and compiled code of other files. */
  readonly hidden: readonly string[];
  /** The base's versions of hidden and deleted files. */
  readonly restored: readonly Laid[];
  /** The hidden paths without caches. */
  readonly shownHidden: readonly string[];
  /** Files to show with different times. */
  readonly times: () => TimesInRoom;
  /** Ignored files that match the base. */
  readonly besides: () => readonly string[];
  readonly programs: readonly string[];
  /** The person's losses so far. */
  readonly lost: readonly LostFile[];
  /** Comments that silence a checker among the test commands and are new since the base. */
  readonly silenced: readonly Silenced[];
}

/** The result of an installation. */
export interface SetUpDone {
  readonly setUp: SetUp;
  /** Installed folders, by their paths below the root. */
  readonly placed: ReadonlyMap<string, string>;
  /** Their stamps, because tests must not change what later ones see. */
  readonly stamps: string;
}

/** This process's knowledge about rooms. */
export interface Rooms {
  readonly kind: RoomKind;
  /** How to enter an overlay. */
  readonly way?: RoomWay;
  /** As last taken or read; null: not yet. */
  base: KnownBase | null;
  /** As last read; null: not yet. */
  start: StartBase | null;
  /** The view of the last candidate, and the number of events at that time. */
  seen: { readonly view: View; readonly events: number } | null;
  /** Installations for checks, by a key of their inputs. */
  readonly setUpsDone: Map<string, SetUpDone>;
  /** Stamps of the base's compiler caches, by name. */
  readonly caches: Map<string, string>;
  /** The number of events when a check's run last ended here. */
  ranAt?: number;
}
