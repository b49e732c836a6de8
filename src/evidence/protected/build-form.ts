import { isTestPath } from "./test-paths.ts";
import { joinedLines, nameOf } from "../../text/paths.ts";

/**
 * A new source file or dependency has to be listed in the build files. Such lines belong to the product, and the rest of the file is
 * protected. Null: all of the file is protected.
 */
export function buildForm(path: string, text: string): string | null {
  const name = nameOf(path);
  if (/^(?:GNU|BSD)?[Mm]akefile(?:\.am|\.in)?$|\.mk$/.test(name))
    return linesWithout(withoutNeeds(withoutSources(joinedLines(text), /^[ \t]*$/)), /^\s*(?:#.*)?$/);
  if (/^CMakeLists\.txt$|\.cmake$|^meson\.build$|^BUILD(?:\.bazel)?$/.test(name))
    return withoutSources(text, /^\s*$/);
  if (/^(?:\.npmrc|\.?pytest\.ini|\.coveragerc.*)$/.test(name)) return linesWithout(text, REMARK);
  if (name === "pom.xml") return text.replace(DEPENDENCY, "").replace(/\s+/g, " ");
  if (/\.gradle(?:\.kts)?$/.test(name)) return linesWithout(text, GRADLE_DEPENDENCY);
  if (name === "mix.exs") return linesWithout(text, MIX_DEPENDENCY);
  return null;
}

const SOURCES = "\u0001";
/** Compiled languages only, because naming such a file runs nothing. Some build files use quotes and commas. */
const SOURCE =
  /^["']?[\w./@+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|o|obj|lo|a|s|S|f90|y|proto|vala|mm|cu)["']?,?$/;
/** Files that check the product are excluded, in any language. */
const CHECKING = /test|check|spec|verif|runner|harness|bench|main/i;
/** Third-party code is not the work, and tests may be built with it. */
const OF_OTHERS = /^(?:vendor|third[-_]?party|extern|external|deps|tools?)\//;
const PART = /[^\s()[\]{}:;=]+|\s+|[()[\]{}:;=]/g;

/** Replaces any number of adjacent sources with one mark. */
function withoutSources(text: string, between: RegExp): string {
  const parts: string[] = [];
  let blank = "";
  for (const [part] of text.matchAll(PART)) {
    if (/^\s/.test(part)) {
      blank = part;
      continue;
    }
    const source = isSource(part);
    if (!source || parts.at(-1) !== SOURCES || !between.test(blank))
      parts.push(blank, source ? SOURCES : part);
    blank = "";
  }
  return [...parts, blank].join("");
}

function isSource(word: string): boolean {
  const path = word.replace(/["',]/g, "").replace(/^(?:\.{0,2}\/)+/, "");
  return SOURCE.test(word) && !CHECKING.test(nameOf(path)) && !OF_OTHERS.test(path) && !isTestPath(path);
}

/** Removes lines that only state which source an object is made from. */
function withoutNeeds(form: string): string {
  return form
    .split("\n")
    .filter(
      (line, at, all) => line.replace(/\s/g, "") !== `${SOURCES}:${SOURCES}` || all[at + 1]?.startsWith("\t"),
    )
    .join("\n");
}

const REMARK = /^\s*(?:[#;].*)?$/;
const DEPENDENCY =
  /<dependency>[^<]*(?:<(?:groupId|artifactId|version|scope|type|optional)>[^<$]*<\/\w+>[^<]*)*<\/dependency>/g;
const GRADLE_DEPENDENCY =
  /^\s*(?:implementation|api|compileOnly|runtimeOnly|annotationProcessor|kapt|ksp|test(?:Implementation|RuntimeOnly|CompileOnly))[\s(]+["'][^"'$\\]*["']\)?\s*$/;
const MIX_DEPENDENCY = /^\s*\{:\w+,\s*"[^"#\\]*"\},?\s*$/;

function linesWithout(text: string, left: RegExp): string {
  return text
    .split("\n")
    .filter((line) => !left.test(line))
    .join("\n");
}
