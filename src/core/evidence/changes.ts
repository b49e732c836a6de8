import { captured } from "../../platform/process/process-end.ts";
import { about, codes, count, flag, foreign, list, nullable, object, type TypeOf } from "../../text/shape.ts";

/** A lost file's state before the run. */
export const LOST_KINDS = ["modified", "untracked", "ignored"] as const;
export const lostFiles = about(
  list(
    object({
      path: foreign("filled"),
      was: about(
        codes(LOST_KINDS),
        "modified: changed since the last commit; untracked: never committed; ignored: by git",
      ),
      /** Very large files are not kept. */
      kept: about(flag, "agent-foreman restore can bring it back"),
    }),
  ),
  "files of the person that are gone, or back at their committed content; the first 200",
);
export type LostFile = TypeOf<typeof lostFiles>[number];

/** The first ones, so that a journal stays small. */
export const lost = object({ count, some: lostFiles });
export type LostFiles = TypeOf<typeof lost>;

export const changeCounts = object({
  files: count,
  added: about(count, "new files among them"),
  deleted: about(count, "deleted files among them"),
  insertions: count,
  deletions: count,
});
export type ChangeCounts = TypeOf<typeof changeCounts>;

const keptChanges = object({
  /** The files that the run changed or lost, and its copies of them. */
  listing: captured,
  /** Their versions before the run. */
  pack: captured,
  /** A unified diff. */
  diff: captured,
});
export type KeptChanges = TypeOf<typeof keptChanges>;

export const outside = about(
  list(foreign()),
  "git settings, hooks, programs on the PATH and settings above the tree that changed; the first 200",
);

export const runChanges = about(
  object({
    ...changeCounts.fields,
    lost,
    outside,
    /** Null while the run can go on: the whole base still exists. */
    kept: nullable(keptChanges),
  }),
  "the work tree compared with the tree before the first turn",
);
export type RunChanges = TypeOf<typeof runChanges>;

export const NO_LOST_FILES: LostFiles = { count: 0, some: [] };
