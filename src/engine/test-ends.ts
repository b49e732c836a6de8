import { markEnds, mayEndItsTest, readEnds } from "../checks/ends/ends.ts";
import { isFixture } from "../domain/oracle/names.ts";
import { readPacked } from "../workspace/base/pack.ts";
import { readEntry } from "../workspace/base/read-entry.ts";
import type { Laid } from "../workspace/room/room.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { LARGEST_TEXT, textOf } from "./compare-entry.ts";
import type { KnownBase, View } from "./rooms.ts";

/** Tests that tell themselves whether they came to their end, for no runner does. */
export interface MarkedTests {
  /** Paths; their places in the list are what they call themselves. */
  readonly programs: readonly string[];
  readonly laid: readonly Laid[];
}

/** Of a product that is read or linked into its tests, so that it can end them as if all were well. */
export function markTests(view: View, base: KnownBase, file: string): MarkedTests {
  if (!view.frozen || !productMayEndTests(view, base)) return { programs: [], laid: [] };
  const texts = testTexts(view, base);
  const programs: string[] = [];
  const laid: Laid[] = [];
  for (const [path, text, kind] of texts) {
    const id = programs.length;
    const marked = isLeftRunning(path, texts) ? null : markEnds(path, text, { file, id });
    if (marked === null) continue;
    programs.push(path);
    laid.push({ path, kind, bytes: Buffer.from(marked) });
  }
  return { programs, laid };
}

function productMayEndTests({ root, files }: View, base: KnownBase): boolean {
  return [...files].some(([path, file]) => {
    if (base.files.get(path) === file || base.oracle.kindOf(path) !== null) return false;
    const entry = readEntry(placeOf(root, path), LARGEST_TEXT);
    return entry !== null && entry.kind !== "link" && mayEndItsTest(path, textOf(entry.bytes) ?? "");
  });
}

type TestText = readonly [path: string, text: string, kind: Exclude<Laid["kind"], "link">];

/** As they are in the room. */
function testTexts({ files, laid }: View, base: KnownBase): readonly TestText[] {
  const inPlace = new Map(laid.map((one) => [one.path, one]));
  return [...base.files.keys()].flatMap((path): TestText[] => {
    if (base.oracle.kindOf(path) === null || isFixture(path) || !isOwnProgram(path)) return [];
    const isSame = files.get(path) === base.files.get(path);
    const entry = inPlace.get(path) ?? (isSame ? readPacked(base.pack, path) : null);
    if (entry === null || entry.kind === "link") return [];
    const text = textOf(entry.bytes);
    return text === null ? [] : [[path, text, entry.kind]];
  });
}

/** Whether it may be read as a program that no runner runs, by its name. */
function isOwnProgram(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !name.includes(".") || /\.(?:sh|bash|dash|ksh|c|cc|cpp|cxx|mk)$/.test(name);
}

/** Started to be there while tests run, and ended by them. */
function isLeftRunning(path: string, texts: readonly TestText[]): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return texts.some(([, text]) =>
    text.split("\n").some((line) => line.includes(name) && /(?:^|[^&>])&(?![&>\d])|nohup|setsid/.test(line)),
  );
}

/**
 * Which of them the product ended. One that did not run is not missed if it does not run on the base either; one that says itself
 * that it failed, and is not believed, need not be where that is so on a base that passes.
 */
export function endedByProduct(
  { programs }: MarkedTests,
  now: string,
  base: { readonly told: string; readonly passed: boolean },
): readonly string[] {
  const [ended, before] = [readEnds(now), readEnds(base.told)];
  return programs.filter((_, id) => {
    if (ended(id) === "whole") return false;
    return ended(id) !== before(id) || (ended(id) === "cut" && !base.passed);
  });
}

export function allEnded({ programs }: MarkedTests, now: string): boolean {
  const ended = readEnds(now);
  return programs.every((_, id) => ended(id) === "whole");
}
