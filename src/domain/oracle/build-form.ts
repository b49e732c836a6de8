import { withoutChores } from "./make-chores.ts";
import { isTestPath } from "./names.ts";
import { joinedLines, nameOf } from "./paths.ts";
import type { OracleUses } from "./uses.ts";

/**
 * Who adds a source file or a dependency has to say so in the files that say how to build. That is the product's; what is left when
 * it is taken out is the oracle's. Null: all of such a file is.
 */
export function buildForm(path: string, text: string, uses: OracleUses): string | null {
  const name = nameOf(path);
  if (/^(?:GNU|BSD)?[Mm]akefile(?:\.am|\.in)?$|\.mk$/.test(name))
    return withoutChores(withoutNeeds(withoutSources(joinedLines(text), /^[ \t]*$/)), uses);
  if (/^CMakeLists\.txt$|\.cmake$|^meson\.build$|^BUILD(?:\.bazel)?$/.test(name))
    return withoutSources(text, /^\s*$/);
  if (/^(?:\.npmrc|\.?pytest\.ini|\.coveragerc.*)$/.test(name)) return linesWithout(text, REMARK);
  if (name === "pom.xml") return text.replace(DEPENDENCY, "").replace(/\s+/g, " ");
  if (/\.gradle(?:\.kts)?$/.test(name)) return linesWithout(text, GRADLE_DEPENDENCY);
  if (name === "mix.exs") return linesWithout(text, MIX_DEPENDENCY);
  return null;
}

const SOURCES = "\u0001";
/** Of a language that is compiled, so that naming one runs nothing; quotes and commas as some of these files have them. */
const SOURCE =
  /^["']?[\w./@+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|o|obj|lo|a|s|S|f90|y|proto|vala|mm|cu)["']?,?$/;
/** What checks the product is none of it, whatever it is written in. */
const CHECKING = /test|check|spec|verif|runner|harness|bench|main/i;
/** What others wrote is not what is worked on, and tests may be made with it. */
const OF_OTHERS = /^(?:vendor|third[-_]?party|extern|external|deps|tools?)\//;
const PART = /[^\s()[\]{}:;=]+|\s+|[()[\]{}:;=]/g;

/** Sources beside sources are as many as there have to be: one mark stands for them. */
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

/** Lines that say no more than which source an object is made of. */
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
