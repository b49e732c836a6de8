import { DEFAULT_TEST_PATHS } from "../../../evidence/protected/test-paths.ts";
import { repeatedKeys } from "../../../text/json/json-keys.ts";
import {
  memberOf,
  placeOf,
  scanJson,
  scanValue,
  type JsonChild,
  type JsonValue,
} from "../../../text/json/json-text.ts";
import { shown } from "../../../text/json/problem.ts";
import { isText } from "../../../text/json/values.ts";
import type { BoardProblem, BoardProblemKind } from "../../../core/board/problem.ts";
import type { ProjectEnv } from "../../../core/board/project-env.ts";

/** Paths that both tests and product have to change: dependencies, scripts, ignore files. */
export const DEFAULT_SHARED_PATHS: readonly string[] = [
  "package.json",
  "{package-lock,npm-shrinkwrap}.json",
  "{pnpm-lock,pnpm-workspace}.yaml",
  "{yarn,bun,deno,poetry,uv,pdm}.lock",
  "bun.lockb",
  "deno.json*",
  "tsconfig*.json",
  "pyproject.toml",
  "setup.{py,cfg}",
  "requirements*.{txt,in}",
  "Pipfile{,.lock}",
  "go.{mod,sum,work,work.sum}",
  "Cargo.{toml,lock}",
  "pom.xml",
  "{build,settings}.gradle{,.kts}",
  "gradle.{properties,lockfile}",
  "libs.versions.toml",
  "Gemfile{,.lock}",
  "*.gemspec",
  "composer.{json,lock}",
  "mix.{exs,lock}",
  "*.{csproj,sln}",
  "Directory.Packages.props",
  "pubspec.{yaml,lock}",
  ".gitignore",
];

const MAX_CHARS = 64_000;
const MAX_PATTERNS = 200;
const MAX_PATTERN = 500;
const MAX_VARIABLES = 100;
const MAX_VALUE = 8000;
const MAX_PROBLEMS = 50;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CONTROL = /[\u0000-\u001f\u007f]/;

type Note = (kind: BoardProblemKind, offset: number | null, about: string) => void;

/** The settings, with defaults for missing ones; or all problems. */
export function readProjectEnv(
  text: string,
): { readonly env: ProjectEnv } | { readonly problems: readonly BoardProblem[] } {
  const problems: BoardProblem[] = [];
  const note: Note = (kind, offset, about) => {
    if (problems.length === MAX_PROBLEMS) return;
    problems.push({ kind, line: offset === null ? null : placeOf(text, offset).line, about: shown(about) });
  };
  const top = topOf(text, note);
  if (top === null) return { problems };
  for (const { name, start } of repeatedKeys(top)) note("key_repeated", start, name);
  const env: ProjectEnv = {
    testPaths: readPatterns(text, top, "test_paths", note) ?? DEFAULT_TEST_PATHS,
    sharedPaths: readPatterns(text, top, "shared_paths", note) ?? DEFAULT_SHARED_PATHS,
    env: readVariables(text, top, note),
  };
  return problems.length > 0 ? { problems } : { env };
}

function topOf(text: string, note: Note): JsonValue | null {
  if (text.length > MAX_CHARS) note("too_large", null, `${text.length} > ${MAX_CHARS}`);
  else if (text.trim() === "") note("empty", null, "");
  else {
    const top = scanJson(text, text.startsWith("\ufeff") ? 1 : 0);
    if ("fault" in top) {
      const { line, column } = placeOf(text, top.offset);
      note("not_json", top.offset, `${line}:${column} ${top.fault}`);
    } else if (top.kind === "object") return top;
    else note("not_an_object", top.start, text.slice(top.start, top.end));
  }
  return null;
}

/** Null: the key is missing. */
function readPatterns(text: string, top: JsonValue, key: string, note: Note): readonly string[] | null {
  const member = memberOf(top, key);
  if (member === undefined) return null;
  const list = childrenOf(text, member, "array");
  if (list === null || list.length > MAX_PATTERNS) {
    note("value_wrong", member.start, key);
    return null;
  }
  return list.flatMap((child, index) => {
    const value = valueOf(text, child);
    const fault = patternFault(value, text.slice(child.start, child.end));
    if (isText(value) && fault === null) return [value];
    note("value_wrong", child.start, `${key}[${index}]: ${fault ?? ""}`);
    return [];
  });
}

/**
 * Why a text is not a usable pattern, without words of any language. A pattern that leaves the directory or negates another would silently match
 * nothing.
 */
function patternFault(value: unknown, source: string): string | null {
  if (!isText(value) || value.trim() === "") return source;
  if (value.length > MAX_PATTERN) return `${value.length} > ${MAX_PATTERN}`;
  if (CONTROL.test(value)) return source;
  if (value.startsWith("!")) return "!";
  return value.split("/").includes("..") ? ".." : null;
}

function readVariables(text: string, top: JsonValue, note: Note): Readonly<Record<string, string>> {
  const member = memberOf(top, "env");
  if (member === undefined) return {};
  const list = childrenOf(text, member, "object");
  if (list === null || list.length > MAX_VARIABLES) {
    note("value_wrong", member.start, "env");
    return {};
  }
  const seen = new Set<string>();
  const pairs = list.flatMap((child) => {
    const name = child.key?.name ?? "";
    const value = valueOf(text, child);
    if (seen.has(name)) note("key_repeated", child.key?.start ?? child.start, `env.${name}`);
    seen.add(name);
    if (VARIABLE.test(name) && isText(value) && value.length <= MAX_VALUE && !value.includes("\0"))
      return [[name, value] as const];
    note("value_wrong", child.start, `env.${name}`);
    return [];
  });
  return Object.fromEntries(pairs);
}

function childrenOf(text: string, member: JsonChild, kind: "array" | "object"): readonly JsonChild[] | null {
  const value = scanValue(text, member.start);
  return "kind" in value && value.kind === kind ? value.children : null;
}

function valueOf(text: string, { start, end }: JsonChild): unknown {
  return JSON.parse(text.slice(start, end));
}
