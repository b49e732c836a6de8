import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
} from "yaml";
import type { ConfigFault, ConfigProblem, Expected } from "../../platform/config-problem.ts";
import { splitLines } from "../../text/text.ts";
import { closest } from "../../text/closest.ts";
import { configSchema, type WrittenConfig } from "./schema.ts";
import { isSecretName, withoutSecrets } from "./secrets.ts";

export type KeyPath = readonly (string | number)[];

export interface ParsedConfig {
  readonly path: string;
  /** The valid sections. */
  readonly written: WrittenConfig;
  /** Whether `written` holds all profiles. */
  readonly allProfiles: boolean;
  /** The whole file, valid or not. */
  readonly raw: unknown;
  readonly problems: readonly ConfigProblem[];
  readonly problem: (path: KeyPath, fault: ConfigFault, which?: Which) => ConfigProblem;
  readonly lineOf: (path: KeyPath) => number;
}

type Which = "key" | "value";

const MAX_ALIASES = 100;
/** Per file. Without this bound a file of 1 MiB could keep us busy for hours. */
export const MAX_PROBLEMS = 100;
const MAX_GIVEN = 40;
const MAX_LOOKED_AT = 1000;
/** Characters of a line kept on either side of a problem. */
const CONTEXT = 300;

/** Checks a configuration file against the schema and finds every problem, not only the first. */
export function parseConfig(text: string, path: string): ParsedConfig {
  const counter = new LineCounter();
  const lines = splitLines(text);
  const end = text.trimEnd().length;
  const problemAt = (offset: number, fault: ConfigFault): ConfigProblem => {
    // An error at the end is shown at the end of the text, not on the empty line after it.
    const { line, col } = counter.linePos(Math.min(offset, end));
    const start = Math.max(0, col - 1 - CONTEXT);
    const source = withoutSecrets((lines[line - 1] ?? "").slice(start, col + CONTEXT));
    return { file: path, fault, at: { line, column: col, source, caret: col - 1 - start } };
  };
  const { contents, raw, problems } = parseYaml(text, counter, problemAt);
  const problem = (at: KeyPath, fault: ConfigFault, which: Which = "value"): ConfigProblem =>
    problemAt(offsetOf(contents, at, which), fault);
  const lineOf = (at: KeyPath): number => counter.linePos(offsetOf(contents, at, "key")).line;
  const common = { path, raw, problem, lineOf };
  if (problems.length > 0) return { ...common, written: {}, allProfiles: false, problems };
  const given = (at: KeyPath): string => givenAt(text, contents, at);
  return { ...common, ...againstSchema(raw ?? {}, problem, given) };
}

interface Yaml {
  readonly contents: Node | null;
  readonly raw: unknown;
  readonly problems: readonly ConfigProblem[];
}

function parseYaml(
  text: string,
  lineCounter: LineCounter,
  problemAt: (offset: number, fault: ConfigFault) => ConfigProblem,
): Yaml {
  const none = { contents: null, raw: {} };
  try {
    // The parser's own duplicate search is quadratic.
    const doc = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      logLevel: "error",
      uniqueKeys: false,
    });
    const complaints = [...doc.errors, ...doc.warnings].slice(0, MAX_PROBLEMS);
    const problems = [
      ...complaints.map(({ pos, code, message }) => problemAt(pos[0], faultOf(code, message))),
      ...repeatedKeys(doc).map((key) => problemAt(key.range?.[0] ?? 0, { code: "duplicate_key" })),
      ...unknownAliases(doc).map((alias) =>
        problemAt(alias.range?.[0] ?? 0, { code: "unknown_alias", name: short(alias.source) }),
      ),
    ];
    if (problems.length > 0) return { ...none, problems };
    return { contents: doc.contents, raw: doc.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, problems };
  } catch (error) {
    // The parser throws these for aliases, and on a stack overflow for nested brackets.
    if (error instanceof ReferenceError)
      return { ...none, problems: [problemAt(0, { code: "too_many_aliases" })] };
    if (error instanceof RangeError)
      return { ...none, problems: [problemAt(0, { code: "syntax", why: "nested too deeply" })] };
    throw error;
  }
}

function repeatedKeys(doc: Document.Parsed): readonly Scalar[] {
  const repeated: Scalar[] = [];
  visit(doc, {
    Map: (_, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(String(key.value))) repeated.push(key);
        seen.add(String(key.value));
      }
    },
  });
  return repeated.slice(0, MAX_PROBLEMS);
}

function unknownAliases(doc: Document.Parsed): readonly Alias[] {
  const aliases: Alias[] = [];
  visit(doc, { Alias: (_, alias) => void aliases.push(alias) });
  if (aliases.length > MAX_ALIASES) throw new ReferenceError("too many aliases");
  return aliases.filter((alias) => !alias.resolve(doc));
}

function faultOf(code: string, message: string): ConfigFault {
  switch (code) {
    case "TAB_AS_INDENT":
      return { code: "tab" };
    case "MULTIPLE_DOCS":
      return { code: "several_documents" };
    default:
      return { code: "syntax", why: short(message) };
  }
}

function againstSchema(
  raw: unknown,
  problem: ParsedConfig["problem"],
  given: (path: KeyPath) => string,
): Pick<ParsedConfig, "written" | "allProfiles" | "problems"> {
  const checked = configSchema.safeParse(raw);
  if (checked.success) return { written: checked.data, allProfiles: true, problems: [] };
  const { issues } = checked.error;
  const problems = distinct(issues.slice(0, MAX_PROBLEMS)).flatMap((issue): ConfigProblem[] => {
    const path = issue.path.filter((key) => typeof key !== "symbol");
    switch (issue.code) {
      case "unrecognized_keys":
        return issue.keys
          .slice(0, MAX_PROBLEMS)
          .map((key) =>
            problem([...path, key], { code: "unknown_key", ...suggestion(key, issue.message) }, "key"),
          );
      case "invalid_key": {
        const expected = expectedIn(issue.issues[0]?.message ?? JSON.stringify("name" satisfies Expected));
        const key = short(String(path.at(-1)));
        return [problem(path, { code: "wrong_value", key, expected, given: key }, "key")];
      }
      default: {
        const expected = expectedIn(issue.message);
        return [problem(path, { code: "wrong_value", key: keyText(path), expected, given: given(path) })];
      }
    }
  });
  const bad = new Set(
    issues.flatMap((issue) =>
      issue.path.length === 0 && issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])],
    ),
  );
  const sound = Object.entries(raw as object).filter(([key]) => !bad.has(key));
  const written = configSchema.safeParse(Object.fromEntries(sound)).data ?? {};
  return { written, allProfiles: !bad.has("profiles"), problems };
}

function expectedIn(message: string): Expected {
  return JSON.parse(message) as Expected;
}

/** The value of a key such as `limits.max_loops`. */
export function writtenAt({ written }: ParsedConfig, key: string): unknown {
  const [first = "", inSection] = key.split(".");
  const value = (written as Record<string, unknown>)[first];
  return inSection === undefined ? value : (value as Record<string, unknown> | undefined)?.[inSection];
}

/** A union reports a problem again after its members did. */
function distinct<T extends { readonly path: readonly PropertyKey[]; readonly message: string }>(
  issues: readonly T[],
): readonly T[] {
  return [...new Map(issues.map((issue) => [JSON.stringify([issue.path, issue.message]), issue])).values()];
}

/** Suggests a known word for an unknown one. */
export function suggestion(
  word: string,
  known: string,
): { readonly key: string; readonly meant: string | null; readonly known: string } {
  return { key: short(word), meant: closest(word, known.split(", ")), known };
}

function short(text: string): string {
  return text.length <= 2 * MAX_GIVEN ? text : `${text.slice(0, 2 * MAX_GIVEN)}...`;
}

/** `max_loops`, `args[1]`; empty for the whole file. */
function keyText(path: KeyPath): string {
  const last = path.at(-1) ?? "";
  return typeof last === "number" ? `${path.at(-2)}[${last}]` : short(last);
}

function givenAt(text: string, contents: Node | null, path: KeyPath): string {
  const range = nodesAlong(contents, path, "value").at(path.length)?.range;
  if (!range) return "";
  if (path.some((key) => isSecretName(String(key)))) return "***";
  const whole = text.slice(range[0], Math.min(range[1], range[0] + MAX_LOOKED_AT));
  const given = withoutSecrets(whole.replace(/\s+/g, " ").trim());
  return given.length <= MAX_GIVEN ? given : `${given.slice(0, MAX_GIVEN)}...`;
}

/** Position of the deepest existing node on the way to `path`. */
function offsetOf(contents: Node | null, path: KeyPath, which: Which): number {
  return nodesAlong(contents, path, which).at(-1)?.range?.[0] ?? 0;
}

/** The root and one node per key, as far as they exist. `which` selects the last key or its value. */
function nodesAlong(contents: Node | null, path: KeyPath, which: Which): Node[] {
  const along: Node[] = contents ? [contents] : [];
  for (const [depth, key] of path.entries()) {
    const next = child(along.at(-1), key, depth === path.length - 1 ? which : "value");
    if (!next) break;
    along.push(next);
  }
  return along;
}

function child(node: Node | undefined, key: string | number, which: Which): Node | undefined {
  if (isSeq<Node>(node)) return typeof key === "number" ? node.items[key] : undefined;
  if (!isMap<Node, Node | null>(node)) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
  return which === "key" ? pair?.key : (pair?.value ?? pair?.key);
}
