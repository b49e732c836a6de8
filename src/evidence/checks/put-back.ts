import { inlineTests } from "../protected/inline-tests.ts";
import { readPacked } from "../../platform/git/pack.ts";
import type { Laid } from "../room/room.ts";
import type { RunState } from "../../core/state.ts";
import { knownBase } from "../base/base.ts";
import { isTest, textNow } from "./candidate.ts";
import { textOf } from "../base/compare-entry.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import type { KnownBase, View } from "./rooms.ts";

/** Files to put the base's product in place of the candidate's, but keep the candidate's tests. */
export function withoutWork(
  view: View,
  state: RunState,
  context: EvidenceContext,
): Pick<View, "laid" | "hidden"> {
  const base = knownBase(state, context);
  const { laid, hidden } = putBack(view, base, (path) =>
    base.files.has(path)
      ? base.protectedFiles.kindOf(path) === null
      : !isTest(path) && base.protectedFiles.kindOfNew(path) === null,
  );
  return { laid: laid.map((entry) => withOwnInlineTests(entry, view)), hidden };
}

/** The original production code with the tests that the agent left in the same file. */
function withOwnInlineTests(entry: Laid, view: View): Laid {
  const [before, after] = [textOf(entry.bytes), textNow(entry.path, view)];
  const text = before === null ? null : inlineTests(entry.path, before)?.laidOver(before, after);
  return text ? { ...entry, bytes: Buffer.from(text) } : entry;
}

/** Files to restore the whole base; null: not all of them were kept. */
export function wholeBase(
  view: View,
  state: RunState,
  context: EvidenceContext,
): Pick<View, "laid" | "hidden"> | null {
  const base = knownBase(state, context);
  const { laid, hidden } = putBack(view, base, () => true);
  const isWhole = differing(view, base).length === laid.length + hidden.length;
  return isWhole ? { laid, hidden } : null;
}

export function putBack(
  view: Pick<View, "files">,
  base: KnownBase,
  isWanted: (path: string) => boolean,
): Pick<View, "laid" | "hidden"> {
  const changed = differing(view, base).filter(isWanted);
  const laid = changed.flatMap((path) => {
    const packed = base.files.has(path) ? readPacked(base.pack, path) : null;
    return packed ? [{ path, ...packed }] : [];
  });
  return { laid, hidden: changed.filter((path) => !base.files.has(path)) };
}

function differing({ files }: Pick<View, "files">, base: KnownBase): readonly string[] {
  const paths = new Set([...base.files.keys(), ...files.keys()]);
  return [...paths].filter((path) => base.files.get(path) !== files.get(path));
}
