import { nameOf } from "../../text/paths.ts";
import { markC, mayExitWell } from "./mark-c.ts";
import { isReading, markMake } from "./mark-make.ts";
import { markShell } from "./mark-shell.ts";
import type { Place } from "./report.ts";

const SHELL = /\.(?:sh|bash|dash|ksh)$/;
const SHEBANG = /^#!.*\b(?:sh|bash|dash|ksh)\b/;
const C = /\.(?:c|cc|cpp|cxx)$/;
const HEADER = /\.(?:h|hh|hpp|inc)$/;
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$|\.mk$/;
const MAIN = /\bmain\s*\(/;

/** Languages in which the product can be part of the test program, and which load no probe. */
export type Language = "shell" | "c" | "make";

/** Files that are linked into other programs. */
export function isLinked(path: string): boolean {
  return C.test(path) || HEADER.test(path);
}

/** The names of files that a shell text sources. */
export function namesRead(text: string): string[] {
  return [...text.matchAll(/(?:^|[;&|({\s])(?:\.|source)\s+["']?([^\s"';&|)]+)/gm)].map(([, path = ""]) =>
    path.slice(path.lastIndexOf("/") + 1),
  );
}

/** Null: none of these. `isRead`: a shell sources it. */
export function languageOf(path: string, text: string, isRead: boolean): Language | null {
  if (MAKEFILE.test(path)) return "make";
  if (C.test(path) || HEADER.test(path)) return "c";
  return SHELL.test(path) || SHEBANG.test(text) || isRead ? "shell" : null;
}

/** The test's text with marks that report whether it reached its end; null: marking is impossible. */
export function markEnds(path: string, language: Language, text: string, place: Place): string | null {
  if (language === "make") return markMake(text, place);
  if (language === "c") return HEADER.test(path) ? null : markC(text, place);
  return markShell(text, nameOf(path), place);
}

/** Whether files that it sources or links could end a test. */
export function mayBeEnded(language: Language, text: string): boolean {
  return language === "c" ? MAIN.test(text) : isReading(text);
}

/** Whether it is linked into programs and may end them successfully, in a place that cannot be marked. */
export function mayEndOthers(language: Language, text: string): boolean {
  return language === "c" && !MAIN.test(text) && mayExitWell(text);
}
