import {
  isLinked,
  languageOf,
  markEnds,
  mayBeEnded,
  mayEndOthers,
  namesRead,
  type Language,
} from "../ends/mark-ends.ts";
import { markCommand } from "../ends/mark-make.ts";
import { isEndedByProduct, readEnds, type Ended } from "../ends/read-ends.ts";
import { isFixture } from "../protected/test-paths.ts";
import { nameOf } from "../../text/paths.ts";
import { readPacked } from "../../platform/git/pack.ts";
import { readEntry } from "../../platform/git/read-entry.ts";
import type { Laid } from "../room/room.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { LARGEST_TEXT, textOf } from "../base/compare-entry.ts";
import type { KnownBase, View } from "./rooms.ts";

/** Tests with marks that report whether they reached their end, because no runner does. */
export interface MarkedTests {
  /** The command, with marks of its own if a sourced file could end it. */
  readonly command: string;
  readonly laid: readonly Laid[];
  readonly programs: readonly Program[];
}

interface Program {
  /** Of a test, or the command itself as text. */
  readonly path: string;
  readonly id: string;
  /** It can end before it begins, which leaves no mark. */
  readonly isBuilt: boolean;
}

interface Text {
  readonly path: string;
  readonly text: string;
  readonly language: Language;
  readonly kind: Exclude<Laid["kind"], "link">;
}

const COMMAND = "command";

/** Null: no changed file is sourced or linked into tests, so none could end them early with success. */
export function markTests(view: View, base: KnownBase, command: string, file: string): MarkedTests | null {
  if (!view.frozen || !hasChanged(view, base)) return null;
  const tests = textsOf(view, base, (path) => base.protectedFiles.kindOf(path) !== null && !isFixture(path));
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
  // Of these only the ends that they cause in tests count.
  for (const [at, other] of others.entries()) if (other.language === "shell") mark(other, `other-${at}`);
  if (markedCommand !== null) programs.push({ path: command, id: COMMAND, isBuilt: false });
  return { command: markedCommand ?? command, laid, programs };
}

/** Whether the work changed product files that can be sourced or linked into tests, or that build them. */
function hasChanged({ root, files }: View, base: KnownBase): boolean {
  return [...files].some(([path, file]) => {
    if (base.files.get(path) === file || base.protectedFiles.kindOf(path) !== null) return false;
    const entry = readEntry(placeOf(root, path), LARGEST_TEXT);
    const text = entry === null || entry.kind === "link" ? null : textOf(entry.bytes);
    return text !== null && languageOf(path, text, !/\.[^/]*$/.test(path)) !== null;
  });
}

/** The texts of files that are the same in the room and on the base. */
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

/** Unchanged parts of the product and its dependencies that tests source or are linked with. */
function otherTexts(view: View, base: KnownBase, tests: readonly Text[]): readonly Text[] {
  const known = new Set(tests.map(({ path }) => path));
  const read = new Set(tests.flatMap(({ text }) => namesRead(text)));
  return [
    ...textsOf(view, base, (path) => !known.has(path) && read.has(nameOf(path)), true),
    ...textsOf(view, base, (path) => !known.has(path) && isLinked(path)),
  ];
}

/** Programs that tests start in the background and end themselves. */
function leftRunning(tests: readonly Text[]): (path: string) => boolean {
  const lines = tests.flatMap(({ text }) =>
    text.split("\n").filter((line) => /(?:^|[^&>])&(?![&>\d])|nohup|setsid/.test(line)),
  );
  return (path) => lines.some((line) => line.includes(nameOf(path)));
}

/** A run on the base is needed if a test did not end well, or may not have begun. */
export function needsBase({ programs }: MarkedTests, log: string): boolean {
  const ended = readEnds(log);
  const isFine = (state: Ended, { isBuilt }: Program): boolean =>
    state === "whole" || state === "failing" || (state === "absent" && !isBuilt);
  return !programs.every((program) => isFine(ended(program.id), program));
}

export function endedByProduct(
  { programs }: MarkedTests,
  logs: { readonly now: string; readonly base: string },
  basePassed: boolean,
): readonly string[] {
  const [now, base] = [readEnds(logs.now), readEnds(logs.base)];
  return programs
    .filter(({ id, isBuilt }) => isEndedByProduct(now(id), base(id), { isBuilt, basePassed }))
    .map(({ path }) => path);
}
