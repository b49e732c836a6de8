import type { Oracle } from "../domain/oracle/oracle.ts";
import type { RoomKind } from "../domain/room/event.ts";
import type { Pack } from "../workspace/base/pack.ts";
import type { ProgramStamps } from "../workspace/base/programs.ts";
import type { Stamps } from "../workspace/base/stamps.ts";

/** What is around the files that count and can have a say in tests. */
export interface Surroundings {
  /** Files that git ignores; null: too many to be looked at. */
  readonly ignored: Stamps | null;
  readonly programs: ProgramStamps;
}

/** As they were on the base. */
export interface BaseSurroundings extends Surroundings {
  /** When each file of the tree was last written, in seconds since the epoch. */
  readonly written: ReadonlyMap<string, number>;
}

/** The tree that candidates are held against, as this process knows it. */
export interface KnownBase {
  readonly tree: string;
  /** By path: what kind of thing it is, and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  readonly oracle: Oracle;
  readonly pack: Pack;
  readonly surroundings: BaseSurroundings;
}

/** What this process knows of rooms. */
export interface Rooms {
  readonly kind: RoomKind;
  /** As it was last taken or read; null: not yet. */
  base: KnownBase | null;
}
