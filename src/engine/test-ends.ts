import {
  isLinked,
  languageOf,
  markEnds,
  mayBeEnded,
  mayEndOthers,
  namesRead,
  type Language,
} from "../checks/ends/mark-ends.ts";
import { markCommand } from "../checks/ends/mark-make.ts";
import { isEndedByProduct, readEnds, type Ended } from "../checks/ends/read-ends.ts";
import { isFixture } from "../domain/oracle/names.ts";
import { nameOf } from "../domain/oracle/paths.ts";
import { readPacked } from "../workspace/base/pack.ts";
import { readEntry } from "../workspace/base/read-entry.ts";
import type { Laid } from "../workspace/room/room.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { LARGEST_TEXT, textOf } from "./compare-entry.ts";
import type { KnownBase, View } from "./rooms.ts";

/** Tests that tell themselves whether they came to their end, for no runner does. */
export interface MarkedTests {
  /** The command, told of as well where what it reads may end it. */
  readonly command: string;
  readonly laid: readonly Laid[];
  readonly programs: readonly Program[];
}

interface Program {
  /** Of a test; the command itself, in words. */
  readonly path: string;
  readonly id: string;
  /** It can be ended before it begins, which nobody tells of. */
  readonly isBuilt: boolean;
}

interface Text {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  readonly kind: Exclude<Laid["kind"], "link">;
}

const COMMAND = "command";

/** Null: nothing that was changed is read or linked into tests, so that it could end them as if all were well. */
export function markTests(view: View, base: KnownBase, command: string, file: string): MarkedTests | null {
  if (!view.frozen || !hasChanged(view, base)) return null;
  const tests = textsOf(view, base, (path) => base.oracle.kindOf(path) !== null && !isFixture(path));
  const markedCommand = markCommand(command, { file, id: COMMAND });
  if (markedCommand === null && !tests.some(({ language, text }) => mayBeEnded(language, text))) return null;
  const programs: Program[] = [];
  const laid: Laid[] = [];
  const mark = ({ path, text, language, kind }: Text, id: string): boolean => {
    const marked = markEnds(path, language, text, { file, id });
    if (marked !== null) laid.push({ path, kind, bytes: Buffer.from(marked) });
    return marked !== null;
  };
  const others = otherTexts(view, base, tests);
  const withoutC = [...tests, ...others].some(({ language, text }) => mayEndOthers(language, text));
  const isLeftRunning = leftRunning(tests);
  tests.forEach((test, at) => {
    const isBuilt = test.language === "c";
    if ((isBuilt && withoutC) || isLeftRunning(test.path) || !mark(test, String(at))) return;
    programs.push({ path: test.path, id: String(at), isBuilt });
  });
  // Of these only the ends that they give to tests count.
  for (const [at, other] of others.entries()) if (other.language === "shell") mark(other, `other-${at}`);
  if (markedCommand !== null) programs.push({ path: command, id: COMMAND, isBuilt: false });
  return { command: markedCommand ?? command, laid, programs };
}

/** Whether the work changed anything of the product that can be read or linked into tests, or that builds them. */
function hasChanged({ root, files }: View, base: KnownBase): boolean {
  return [...files].some(([path, file]) => {
    if (base.files.get(path) === file || base.oracle.kindOf(path) !== null) return false;
    const entry = readEntry(placeOf(root, path), LARGEST_TEXT);
    const text = entry === null || entry.kind === "link" ? null : textOf(entry.bytes);
    return text !== null && languageOf(path, text, !/\.[^/]*$/.test(path)) !== null;
  });
}

/** As they are in the room, where they are so on the base as well. */
function textsOf(
  { files, laid }: View,
  base: KnownBase,
  isWanted: (path: string) => boolean,
  isRead = false,
): readonly Text[] {
  const inPlace = new Map(laid.map((one) => [one.path, one]));
  return [...base.files.keys()].flatMap((path): Text[] => {
    if (!isWanted(path)) return [];
    const isSame = files.get(path) === base.files.get(path);
    const entry = inPlace.get(path) ?? (isSame ? readPacked(base.pack, path) : null);
    if (entry === null || entry.kind === "link") return [];
    const text = textOf(entry.bytes);
    const language = text === null ? null : languageOf(path, text, isRead);
    return text === null || language === null ? [] : [{ path, text, language, kind: entry.kind }];
  });
}

/** Parts of the product, and of what it came with, that tests read or are linked with, and that nobody changed. */
function otherTexts(view: View, base: KnownBase, tests: readonly Text[]): readonly Text[] {
  const known = new Set(tests.map(({ path }) => path));
  const read = new Set(tests.flatMap(({ text }) => namesRead(text)));
  return [
    ...textsOf(view, base, (path) => !known.has(path) && read.has(nameOf(path)), true),
    ...textsOf(view, base, (path) => !known.has(path) && isLinked(path)),
  ];
}

/** Started to be there while tests run, and ended by them. */
function leftRunning(tests: readonly Text[]): (path: string) => boolean {
  const lines = tests.flatMap(({ text }) =>
    text.split("\n").filter((line) => /(?:^|[^&>])&(?![&>\d])|nohup|setsid/.test(line)),
  );
  return (path) => lines.some((line) => line.includes(nameOf(path)));
}

/** What is worth a look at the base: one that did not end well, or that may not even have begun. */
export function needsBase({ programs }: MarkedTests, told: string): boolean {
  const ended = readEnds(told);
  const isFine = (state: Ended, { isBuilt }: Program): boolean =>
    state === "whole" || state === "failing" || (state === "absent" && !isBuilt);
  return !programs.every((program) => isFine(ended(program.id), program));
}

export function endedByProduct(
  { programs }: MarkedTests,
  told: { readonly now: string; readonly base: string },
  basePassed: boolean,
): readonly string[] {
  const [now, base] = [readEnds(told.now), readEnds(told.base)];
  return programs
    .filter(({ id, isBuilt }) => isEndedByProduct(now(id), base(id), { isBuilt, basePassed }))
    .map(({ path }) => path);
}
