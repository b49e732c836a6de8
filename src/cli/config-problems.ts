import { isAbsolute, relative } from "node:path";
import stringWidth from "fast-string-width";
import type { ConfigProblem } from "../platform/config-problem.ts";
import { visible } from "../text/text.ts";
import { faultText } from "./words/config.ts";
import { failureWords } from "./words/failures.ts";
import type { Io } from "./io.ts";

const MAX_SOURCE = 100;
const BEFORE_CARET = 60;

/** Prints configuration problems, each with its source line and a caret. */
export function problemLines(problems: readonly ConfigProblem[], io: Pick<Io, "cwd" | "lang">): string[] {
  const { error } = failureWords[io.lang];
  return problems.flatMap((problem) => [
    `${error}${placeText(problem, io.cwd)}: ${faultText(problem.fault, io.lang)}`,
    ...sourceLines(problem.at),
  ]);
}

function placeText({ file, at }: ConfigProblem, cwd: string): string {
  const path = shortPath(file, cwd);
  return at ? `${path}:${at.line}:${at.column}` : path;
}

/** Relative if it is in or below the current directory. */
export function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

function sourceLines(at: ConfigProblem["at"]): string[] {
  if (!at) return [];
  const start = at.source.length > MAX_SOURCE ? Math.max(0, at.caret - BEFORE_CARET) : 0;
  const shown = (to: number): string => visible(at.source.slice(start, to)).replaceAll("\t", " ");
  const gutter = " ".repeat(String(at.line).length);
  return [
    `  ${at.line} | ${shown(start + MAX_SOURCE)}`,
    `  ${gutter} | ${" ".repeat(stringWidth(shown(at.caret)))}^`,
  ];
}
