import { inlineTests } from "../domain/oracle/inline-tests.ts";
import { readPacked } from "../workspace/base/pack.ts";
import type { Laid } from "../workspace/room/room.ts";
import type { RunState } from "../domain/state.ts";
import { knownBase } from "./base.ts";
import { isTest, textNow } from "./candidate.ts";
import { textOf } from "./compare-entry.ts";
import type { RunContext } from "./ports.ts";
import type { KnownBase, View } from "./rooms.ts";

/** What puts the base's product in the place of the candidate's, and leaves the tests as the candidate has them. */
export function withoutWork(view: View, state: RunState, context: RunContext): Pick<View, "laid" | "hidden"> {
  const base = knownBase(state, context);
  const { laid, hidden } = putBack(view, base, (path) =>
    base.files.has(path)
      ? base.oracle.kindOf(path) === null
      : !isTest(path) && base.oracle.kindOfNew(path) === null,
  );
  return { laid: laid.map((entry) => withOwnInlineTests(entry, view)), hidden };
}

/** The original production code with the tests that the agent left in the same file. */
function withOwnInlineTests(entry: Laid, view: View): Laid {
  const [before, after] = [textOf(entry.bytes), textNow(entry.path, view)];
  const text = before === null ? null : inlineTests(entry.path, before)?.laidOver(before, after);
  return text ? { ...entry, bytes: Buffer.from(text) } : entry;
}

/** What puts all files back as they were on the base; null: not all of them were kept. */
export function asOnBase(
  view: View,
  state: RunState,
  context: RunContext,
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
