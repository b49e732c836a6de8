import { join } from "node:path";
import { heldChanges } from "../domain/room/held.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { openPack, PackChanged, readPacked, type Pack } from "../workspace/base/pack.ts";
import { textDiff } from "../workspace/text-diff.ts";
import { rootOf } from "../workspace/tree-repository.ts";

/** More than a person looks at in a question. */
const MAX_FILES = 20;
const LARGEST = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** What was changed in the files that the open question is about, as they were on the base and as they are now. */
export function oracleDiff(state: RunState): readonly string[] {
  const attempt = lastAttempt(state);
  const pack = state.base && openPack(state.base.taken.pack);
  if (!attempt || !pack) return [];
  const root = rootOf(state.settings.cwd);
  return heldChanges(state, attempt)
    .slice(0, MAX_FILES)
    .flatMap(({ path }) => {
      const before = packed(pack, path);
      const after = tryReadPlainFile(join(root, path), LARGEST);
      const lines = before === null ? null : textDiff(before ?? NOTHING, after ?? NOTHING);
      return lines === null || lines.length === 0 ? [] : [`--- ${path}`, ...lines];
    });
}

/** Undefined: there was none; null: somebody changed what was kept. */
function packed(pack: Pack, path: string): Buffer | undefined | null {
  try {
    return readPacked(pack, path)?.bytes;
  } catch (error) {
    if (error instanceof PackChanged) return null;
    throw error;
  }
}
