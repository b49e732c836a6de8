import { joinedLines } from "../../../text/paths.ts";
import { UNKNOWN } from "./shell.ts";

/** Facts about a makefile, read without running make. */
export interface Makefile {
  /** Shell lines: the recipes of the goals, and commands that run while make reads the makefile. */
  readonly commands: readonly string[];
  /** The files it includes, as patterns. */
  readonly includes: readonly string[];
  /** Files whose text becomes part of a recipe. */
  readonly reads: readonly string[];
  /** Patterns of files that are built from others. */
  readonly made: readonly string[];
  /** Targets that only run commands: a file of that name would switch them off. */
  readonly done: readonly string[];
  /** Prerequisites without a rule: make may know how to build them. */
  readonly unmade: readonly string[];
  /** Folders in which compilers look for headers, and make for sources. */
  readonly headerFolders: readonly string[];
  readonly sourceFolders: readonly string[];
  readonly path: string | null;
}

const MAX_STEPS = 200;
const MAX_GOALS = 5000;
/** Pattern rules may require each other with ever longer names. */
const LONGEST_STEM = 100;
const LONGEST = 10_000;
const DEFINE = /^\s*(?:(?:export|override)\s+)*define\s+([\w.-]+)\s*[:?+]*=?\s*$/;
const INCLUDE = /^\s*-?s?include\s+(.*)$/;
const VARIABLE = /^\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*(:{1,3}|\?|\+|!)?=\s*([^\r\n]*)$/;
const RULE = /^([^\s:#=][^:#=]*)&?::?(?!=)([^=]*)$/;
const VPATH = /^vpath\s+\S+\s+(.*)$/;
const SHELL_CALL = /\$[({]shell\s+((?:[^()\n]|\([^()\n]*\))*)/g;
const READS_FILE = /\$\((?:shell\s+cat|file\s*<)\s*([\w./-]+)\s*\)/g;
const HEADER_FOLDER = /(?:^|\s)-(?:I|isystem|iquote)\s*([^\s-]\S*)/g;
/** The innermost reference, or a one-letter name. */
const REFERENCE = /\$(?:\(([^$(){}]*)\)|\{([^$(){}]*)\}|([^$(){}\s]))/;
/** How a recipe runs a file that it does not build. */
const RUNS = /(?:^|[\s;&|({])(?:(?:\S*\/)?(?:(?:ba|da)?sh|node|python[\d.]*|perl|ruby)\s|\.\/)/;
/** A product program, or a request for a version. */
const OF_PRODUCT = /(?:^|[\s/])bin\/|\s(?:--version|-V)\b/;
const FOREACH = /\$\(foreach\s+(\w+),([^,]*),((?:[^()]|\([^()]*\))*)\)/;
/** References to a recipe's target, and commands that write a file. */
const TARGET = /\$(?:@|\(@\)|\{@\})|\bbuild\b/;

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: string[];
  /** The common patterns of several target names. */
  readonly patterns: readonly string[];
}

/** Reads the effect of making these goals; without a goal, of the first target. */
export function readMakefile(text: string, goals: readonly string[]): Makefile {
  const variables = new Map<string, string>();
  const found = { includes: [] as string[], sources: [] as string[] };
  const rules: Rule[] = [];
  let recipe: string[] | null = null;
  let defined: string | null = null;
  for (const line of joinedLines(text).split(/\r?\n/)) {
    const variable = VARIABLE.exec(line);
    const [head = "", ...inline] = line.split(";");
    const rule = variable === null ? RULE.exec(expanded(head, variables)) : null;
    if (defined !== null) {
      if (/^\s*endef\b/.test(line)) defined = null;
      else variables.set(defined, `${variables.get(defined) ?? ""}${line.trim()}\n`);
    } else if (DEFINE.test(line)) defined = DEFINE.exec(line)?.[1] ?? null;
    else if (/^\s*#/.test(line)) continue;
    // A justfile indents recipes with blanks, a makefile with a tab.
    else if (/^[\t ]/.test(line) && recipe !== null) recipe.push(line.trim());
    else if (INCLUDE.test(line)) found.includes.push(INCLUDE.exec(line)?.[1] ?? "");
    else if (VPATH.test(line)) found.sources.push(VPATH.exec(line)?.[1] ?? "");
    else if (variable !== null) {
      const [, name = "", how, value = ""] = variable;
      const plain = value.replace(/\s#.*$/, "");
      if (name === "VPATH") found.sources.push(plain);
      variables.set(name, how === "+" ? `${variables.get(name) ?? ""} ${plain}` : plain);
    } else if (rule !== null) {
      recipe = inline.length === 0 ? [] : [inline.join(";").trim()];
      const [targets = [], second = [], third] = [rule[1] ?? "", ...(rule[2] ?? "").split(":")].map((part) =>
        wordsOf(part),
      );
      const patterns = (third === undefined ? targets : second).filter((word) => word.includes("%"));
      rules.push({ targets, needs: third ?? second, recipe, patterns });
    }
  }
  const reached = reachedFrom(goals, rules);
  const inText = (pattern: RegExp): string[] =>
    [...joinedLines(text).matchAll(pattern)].map(([, part = ""]) => expanded(part, variables));
  const phony = new Set(rules.flatMap(({ targets, needs }) => (targets.includes(".PHONY") ? needs : [])));
  const path = variables.get("PATH");
  return {
    commands: [
      ...inText(SHELL_CALL).filter((call) => !OF_PRODUCT.test(call)),
      ...reached.flatMap((one) => linesOf(one, variables)),
    ],
    includes: found.includes.flatMap((include) => includesIn(include, variables)),
    reads: reached.flatMap(({ rule: { recipe: lines } }) =>
      lines
        .filter((line) => RUNS.test(line))
        .flatMap((line) => [...fully(line, variables).matchAll(READS_FILE)].map(([, file = ""]) => file)),
    ),
    ...targetsOf(rules, phony),
    headerFolders: inText(HEADER_FOLDER),
    sourceFolders: found.sources.flatMap((folders) => expanded(folders, variables).split(/[\s:]+/)),
    path: path === undefined ? null : expanded(path, variables),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function targetsOf(
  rules: readonly Rule[],
  phony: ReadonlySet<string>,
): Pick<Makefile, "made" | "done" | "unmade"> {
  const made: string[] = [];
  const done: string[] = [];
  for (const { targets, recipe } of rules)
    for (const target of targets) {
      if (recipe.length === 0 || phony.has(target) || /^\.[A-Z_]+$/.test(target)) continue;
      const pattern = target.replaceAll(UNKNOWN, "*").replace("%", "{*,**/*}");
      const isWritten = recipe.some(
        (line) =>
          TARGET.test(line) ||
          wordsOf(line).some(
            (word, at, all) => word === target && /^(?:-o|>>?|touch)$/.test(all[at - 1] ?? ""),
          ),
      );
      if (pattern === target && !isWritten) done.push(target);
      else if (/\w/.test(pattern.replace("{*,**/*}", ""))) made.push(pattern);
    }
  const targets = new Set(rules.flatMap((rule) => rule.targets));
  return { made, done, unmade: rules.flatMap(({ needs }) => needs).filter((need) => !targets.has(need)) };
}

interface Reached {
  readonly rule: Rule;
  readonly target: string;
  /** The value of `%`; null: none. */
  readonly stem: string | null;
}

/** A goal without a rule may come from anywhere, so then all rules count. */
function reachedFrom(goals: readonly string[], rules: readonly Rule[]): Reached[] {
  const targets = rules.flatMap((rule) => rule.targets);
  const first = targets.filter((target) => !/^\.|%/.test(target)).slice(0, 1);
  const asked = goals.filter((goal) => !/=|^\d+$/.test(goal));
  const wanted = new Set(asked.length > 0 ? asked : first);
  const otherwise = rules.filter((rule) => rule.targets.includes(".DEFAULT"));
  const isKnown = otherwise.length > 0 || [...wanted].every((goal) => targets.includes(goal));
  const found: Reached[] = isKnown
    ? otherwise.flatMap((rule) =>
        [...wanted].filter((goal) => !targets.includes(goal)).map((target) => ({ rule, target, stem: null })),
      )
    : rules.map((rule) => ({
        rule,
        target: rule.targets[0] ?? "",
        stem: rule.patterns.length > 0 ? "*" : null,
      }));
  for (const target of wanted) {
    if (wanted.size > MAX_GOALS || found.length > MAX_GOALS) break;
    for (const rule of rules) {
      const stem =
        rule.patterns.map((pattern) => stemIn(pattern, target)).find((one) => one !== null) ?? null;
      if (stem === null && !rule.targets.includes(target)) continue;
      found.push({ rule, target, stem });
      for (const need of rule.needs)
        if (stem === null || stem.length < LONGEST_STEM) wanted.add(put(need, stem));
    }
  }
  return found;
}

/** In a folder any stem may match, but not in the root. */
function put(word: string, stem: string | null): string {
  return word.replace("%", () => (stem === "*" && !word.includes("/") ? UNKNOWN : (stem ?? "%")));
}

/** Fills in the target and its prerequisites. */
function linesOf({ rule, target, stem }: Reached, variables: ReadonlyMap<string, string>): string[] {
  const needs = rule.needs.map((need) => put(need, stem));
  const own = new Map([
    ...variables,
    ["@", target],
    ["<", needs[0] ?? ""],
    ...["^", "+", "?"].map((name) => [name, needs.join(" ")] as const),
    ["*", stem ?? UNKNOWN],
  ]);
  const lines = rule.recipe.flatMap((line) => expanded(line, own).split("\n"));
  return lines.map((line) => line.replace(/^[\s@+-]+/, ""));
}

/** The value of `%` in a name; null: the pattern does not match. */
function stemIn(pattern: string, name: string): string | null {
  const [start = "", end = ""] = pattern.split("%");
  if (name.includes(UNKNOWN)) return name === UNKNOWN || name.startsWith(start) ? "*" : null;
  if (name.length < start.length + end.length) return null;
  return name.startsWith(start) && name.endsWith(end)
    ? name.slice(start.length, name.length - end.length)
    : null;
}

/** Replace unknown parts with `*`. If the whole name is unknown, use the usual names of makefiles. */
function includesIn(text: string, variables: ReadonlyMap<string, string>): string[] {
  const patterns = wordsOf(expanded(text, variables)).map((word) => word.replaceAll(UNKNOWN, "*"));
  const shown = [...text.matchAll(SHELL_CALL)].flatMap(([, call = ""]) => call.split(/[\s()|;&'"]+/));
  return [
    ...patterns.map((pattern) => (/\w/.test(pattern) ? pattern : "**/*.{mk,make}")),
    ...shown.filter((word) => /^\w[^<>$]*[/*.]/.test(word)),
  ];
}

/** Fills in known variables, and `UNKNOWN` for everything else. */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let now = text.replaceAll("$$", "\u0002");
  for (let steps = 0; steps < MAX_STEPS && now.length < LONGEST; steps += 1) {
    const each = FOREACH.exec(now);
    const found = each ?? REFERENCE.exec(now);
    if (found === null) break;
    const [, one = "", list = "", body = ""] = found;
    const value =
      each === null
        ? valueOf(found.slice(1).join(""), variables)
        : wordsOf(expanded(list, variables))
            .map((word) => body.replace(new RegExp(`\\$[({]${one}[)}]`, "g"), () => word))
            .join(" ");
    now = now.slice(0, found.index) + value + now.slice(found.index + found[0].length);
  }
  return now.replaceAll("\u0002", "$");
}

/** Fills in variables but keeps functions. */
function fully(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => variables.get(name) ?? whole);
}

function valueOf(inner: string, variables: ReadonlyMap<string, string>): string {
  const known = variables.get(inner);
  if (known !== undefined) return known;
  if (inner === "MAKE") return "make";
  const [, name = "", from = "", to = ""] = /^([\w.-]+):([^=]*)=([^]*)$/.exec(inner) ?? [];
  if (variables.has(name)) return substituted(from, to, expanded(variables.get(name) ?? "", variables));
  const [, call = "", rest = ""] = /^([a-z-]+)\s+([^]*)$/.exec(inner) ?? [];
  const [first = "", second = "", third = ""] = rest.split(",");
  switch (call) {
    case "wildcard":
    case "sort":
    case "strip":
    case "basename":
    case "notdir":
      return rest;
    case "addprefix":
      return wordsOf(second)
        .map((word) => first + word)
        .join(" ");
    case "addsuffix":
      return wordsOf(second)
        .map((word) => word + first)
        .join(" ");
    case "patsubst":
      return substituted(first, second.trim(), third);
    case "filter":
    case "filter-out":
      return second;
    case "call":
      return (variables.get(first) ?? UNKNOWN).replace(
        /\$\(?(\d)\)?/g,
        (_, at: string) => rest.split(",")[Number(at)] ?? "",
      );
    default:
      return UNKNOWN;
  }
}

function substituted(from: string, to: string, words: string): string {
  const [start = "", end = from] = from.includes("%") ? from.split("%") : [""];
  return wordsOf(words)
    .map((word) =>
      word.startsWith(start) && word.endsWith(end)
        ? (from.includes("%") ? to : `%${to}`).replace(
            "%",
            word.slice(start.length, word.length - end.length),
          )
        : word,
    )
    .join(" ");
}
