import type { OracleChange } from "../domain/oracle/change.ts";
import type { Oracle } from "../domain/oracle/oracle.ts";
import type { LostFile } from "../domain/room/changes.ts";
import type { Silenced } from "../domain/silencing.ts";
import type { RoomKind, SetUp } from "../domain/room/event.ts";
import type { Pack } from "../workspace/base/pack.ts";
import type { Dated } from "../workspace/base/hidden-paths.ts";
import type { ProgramStamps } from "../workspace/base/programs.ts";
import type { Stamps } from "../workspace/base/stamps.ts";
import type { Laid } from "../workspace/room/room.ts";

/** What is around the files that count and can have a say in tests. */
export interface Surroundings {
  /** Files that git ignores; null: too many to be looked at. */
  readonly ignored: Stamps | null;
  /** Folders, pipes and sockets that no file that counts tells of; null: nobody knows. */
  readonly unlisted: Stamps | null;
  /** Settings and dependencies in the folders above the tree, by full paths; null: nobody knows. */
  readonly above: Stamps | null;
  readonly programs: ProgramStamps;
}

/** The person's uncommitted files and git settings. Read once, before the first turn. */
export interface PersonsWork {
  /** Files that are not as in the last commit, with the id of their content there; empty: they are not in it. */
  readonly uncommitted: Stamps;
  /** By name: settings of git, hooks and attributes. */
  readonly git: Stamps;
}

/** As they were on the base. */
export interface BaseSurroundings extends Surroundings, PersonsWork {
  /** When each file of the tree was last written, in seconds since the epoch. */
  readonly written: ReadonlyMap<string, number>;
}

/** The tree that candidates are held against, as this process knows it. */
export interface KnownBase {
  readonly tree: string;
  /** By path: what kind of thing it is, and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  /** Those that it decides about. */
  readonly commands: readonly string[];
  readonly oracle: Oracle;
  readonly pack: Pack;
  readonly surroundings: BaseSurroundings;
}

/** The tree before the first turn. */
export type StartBase = Pick<KnownBase, "tree" | "files" | "pack" | "surroundings">;

/** How files of the tree are to be seen by build tools. */
export interface TimesInRoom {
  readonly touched: readonly string[];
  readonly dated: readonly Dated[];
}

/** A tree as checks are to see it. */
export interface View {
  readonly root: string;
  readonly tree: string;
  readonly files: ReadonlyMap<string, string>;
  readonly changes: readonly OracleChange[];
  readonly allowed: readonly string[];
  readonly newTests: readonly string[];
  /** Whether the base has tests at all. */
  readonly baseTested: boolean;
  /** Folders that hold something on the base. */
  readonly baseFolders: ReadonlySet<string>;
  /** Whether the base's tests decide. */
  readonly frozen: boolean;
  /** What the base's oracle puts in place of what the candidate has; where that is nothing, the path is hidden. */
  readonly laid: readonly Laid[];
  readonly unlaid: readonly string[];
  /** Files that git ignores, or ignored on the base, and that are not as they were there; and what is compiled of others. */
  readonly hidden: readonly string[];
  /** Of these, and of those that are gone, what stands in their place, as on the base. */
  readonly restored: readonly Laid[];
  /** Of these, what is no cache. */
  readonly worthTelling: readonly string[];
  /** Files that are to be seen with other times than they have. */
  readonly times: () => TimesInRoom;
  /** Files that git ignores and that are as on the base. */
  readonly besides: () => readonly string[];
  readonly programs: readonly string[];
  /** What the person lost so far. */
  readonly lost: readonly LostFile[];
  /** Comments that keep a checker among the test commands quiet, and were not there on the base. */
  readonly silenced: readonly Silenced[];
}

/** What a set-up left. */
export interface SetUpDone {
  readonly setUp: SetUp;
  /** Folders of what was installed, by their paths below the root. */
  readonly placed: ReadonlyMap<string, string>;
  /** What they looked like: tests must not be able to change what later ones see. */
  readonly stamps: string;
}

/** What this process knows of rooms. */
export interface Rooms {
  readonly kind: RoomKind;
  /** As it was last taken or read; null: not yet. */
  base: KnownBase | null;
  /** As it was last read; null: not yet. */
  start: StartBase | null;
  /** What was seen of the tree when a candidate was last taken, and how many events there were. */
  seen: { readonly view: View; readonly events: number } | null;
  /** What was installed for checks, by what decides about it. */
  readonly setUpsDone: Map<string, SetUpDone>;
  /** What the compilers' caches of the base looked like, by name. */
  readonly caches: Map<string, string>;
  /** What was installed for the check that runs. */
  setUps: readonly SetUp[];
}
