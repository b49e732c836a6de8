import { joinedLines } from "../../../text/paths.ts";
import { UNKNOWN } from "./shell.ts";

/** Facts about a makefile, read without running make. */
export interface Makefile {
  /** Shell lines: the recipes of the goals, and commands that run while make reads the makefile. */
  readonly commands: readonly string[];
  /** The files it includes, as patterns. */
  readonly includes: readonly string[];
  /** Patterns of files that are built from others. */
  readonly made: readonly string[];
  /** Targets that only run commands: a file of that name would switch them off. */
  readonly done: readonly string[];
  /** Prerequisites without a rule: make may know how to build them. */
  readonly unmade: readonly string[];
  readonly path: string | null;
}

const MAX_STEPS = 200;
const MAX_GOALS = 5000;
/** Pattern rules may require each other with ever longer names. */
const LONGEST_STEM = 100;
const LONGEST = 10_000;
const INCLUDE = /^\s*-?s?include\s+(.*)$/;
const DEFINE = /^\s*(?:(?:export|override)\s+)*define\s+([\w.-]+)\s*[:?+!]*=?\s*$/;
const VARIABLE = /^\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?::{1,3}|\?|(\+)|!)?=\s*([^\r\n]*)$/;
const RULE = /^([^\s:#=][^:#=]*)&?::?(?!=)([^=]*)$/;
const SHELL_CALL = /\$[({]shell\s+((?:[^()\n]|\([^()\n]*\))*)/g;
/** The innermost reference, or a one-letter name. */
const REFERENCE = /\$(?:\(([^$(){}]*)\)|\{([^$(){}]*)\}|([^$(){}\s]))/;
/** A product program, or a request for a version. */
const OF_PRODUCT = /(?:^|[\s/])bin\/|\s(?:--version|-V)\b/;
/** References to a recipe's target, and commands that write a file. */
const WRITES = /\$(?:@|\(@\)|\{@\})|\bbuild\b|(?:\s-o|>|\btouch)\s/;

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: string[];
  /** The common patterns of several target names. */
  readonly patterns: readonly string[];
}

/** Reads the effect of making these goals; without a goal, of the first target. */
export function readMakefile(text: string, goals: readonly string[]): Makefile {
  const whole = joinedLines(text);
  const variables = new Map<string, string>();
  const includes: string[] = [];
  const rules: Rule[] = [];
  let recipe: string[] | null = null;
  let defined: string | null = null;
  for (const line of whole.split(/\r?\n/)) {
    const [, name, more, value = ""] = VARIABLE.exec(line) ?? [];
    const [head = "", ...inline] = line.split(";");
    const rule = name === undefined ? RULE.exec(expanded(head, variables)) : null;
    if (defined !== null) {
      if (/^\s*endef\b/.test(line)) defined = null;
      else variables.set(defined, `${variables.get(defined) ?? ""}${line.trim()}\n`);
      continue;
    }
    defined = DEFINE.exec(line)?.[1] ?? null;
    if (defined !== null || /^\s*#/.test(line)) continue;
    // A justfile indents recipes with blanks, a makefile with a tab.
    if (/^[\t ]/.test(line) && recipe !== null) recipe.push(line.trim());
    else if (INCLUDE.test(line)) includes.push(INCLUDE.exec(line)?.[1] ?? "");
    else if (name !== undefined) {
      const plain = value.replace(/\s#.*$/, "");
      variables.set(name, more === undefined ? plain : `${variables.get(name) ?? ""} ${plain}`);
    } else if (rule !== null) {
      recipe = inline.length === 0 ? [] : [inline.join(";").trim()];
      const targets = wordsOf(rule[1] ?? "");
      const [second = "", third] = (rule[2] ?? "").split(":");
      const patterns = (third === undefined ? targets : wordsOf(second)).filter((word) => word.includes("%"));
      rules.push({ targets, needs: wordsOf(third ?? second), recipe, patterns });
    }
  }
  const reached = reachedFrom(goals, rules);
  const inText = (pattern: RegExp): string[] =>
    [...whole.matchAll(pattern)].map(([, part = ""]) => expanded(part, variables));
  const path = variables.get("PATH");
  return {
    commands: [
      ...inText(SHELL_CALL).filter((call) => !OF_PRODUCT.test(call)),
      ...reached.flatMap((one) => linesOf(one, variables)),
    ],
    includes: includes.flatMap((include) => includesIn(include, variables)),
    ...targetsOf(rules),
    path: path === undefined ? null : expanded(path, variables),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function targetsOf(rules: readonly Rule[]): Pick<Makefile, "made" | "done" | "unmade"> {
  const phony = new Set(rules.flatMap(({ targets, needs }) => (targets.includes(".PHONY") ? needs : [])));
  const made: string[] = [];
  const done: string[] = [];
  for (const { targets, recipe } of rules)
    for (const target of targets) {
      if (recipe.length === 0 || phony.has(target) || /^\.[A-Z_]+$/.test(target)) continue;
      const pattern = target.replaceAll(UNKNOWN, "*").replace("%", "{*,**/*}");
      if (pattern === target && !recipe.some((line) => WRITES.test(line))) done.push(target);
      else if (/\w/.test(pattern.replace("{*,**/*}", ""))) made.push(pattern);
    }
  const targets = new Set(rules.flatMap((rule) => rule.targets));
  return { made, done, unmade: rules.flatMap(({ needs }) => needs).filter((need) => !targets.has(need)) };
}

interface Reached {
  readonly rule: Rule;
  readonly target: string;
  /** The value of `%`. */
  readonly stem: string;
}

/** A goal without a rule may come from anywhere, so then all rules count. */
function reachedFrom(goals: readonly string[], rules: readonly Rule[]): readonly Reached[] {
  const targets = new Set(rules.flatMap((rule) => rule.targets));
  const first = [...targets].filter((target) => !/^\.|%/.test(target)).slice(0, 1);
  const asked = goals.filter((goal) => !/=|^\d+$/.test(goal));
  const wanted = new Set(asked.length > 0 ? asked : first);
  const isKnown = [...wanted].every((goal) => targets.has(goal));
  const found = isKnown ? [] : rules.map((rule) => ({ rule, target: rule.targets[0] ?? "", stem: "*" }));
  for (const target of wanted) {
    if (wanted.size > MAX_GOALS || found.length > MAX_GOALS) break;
    for (const rule of rules) {
      const stem = rule.patterns.flatMap((pattern) => stemIn(pattern, target) ?? [])[0];
      if (stem === undefined && !rule.targets.includes(target)) continue;
      found.push({ rule, target, stem: stem ?? UNKNOWN });
      for (const need of rule.needs)
        if (stem === undefined || stem.length < LONGEST_STEM)
          wanted.add(need.replace("%", () => stem ?? "%"));
    }
  }
  return found;
}

/** The value of `%` in a name; null: the pattern does not match. */
function stemIn(pattern: string, name: string): string | null {
  const [start = "", end = ""] = pattern.split("%");
  const isMatch = name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
  return isMatch ? name.slice(start.length, name.length - end.length) : null;
}

/** Fills in the target and its prerequisites. */
function linesOf({ rule, target, stem }: Reached, variables: ReadonlyMap<string, string>): string[] {
  const needs = rule.needs.map((need) => need.replace("%", () => stem));
  const all = needs.join(" ");
  const own = new Map([
    ...variables,
    ["@", target],
    ["<", needs[0] ?? ""],
    ["^", all],
    ["?", all],
    ["*", stem],
  ]);
  const lines = rule.recipe.flatMap((line) => expanded(line, own).split("\n"));
  return lines.map((line) => line.replace(/^[\s@+-]+/, ""));
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

/** Fills in known variables. Of a function its last argument is taken, and everything else is `UNKNOWN`. */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let now = text.replaceAll("$$", "\u0002");
  for (let steps = 0; steps < MAX_STEPS && now.length < LONGEST; steps += 1) {
    const found = REFERENCE.exec(now);
    if (found === null) break;
    const value = valueOf(found.slice(1).join(""), variables);
    now = now.slice(0, found.index) + value + now.slice(found.index + found[0].length);
  }
  return now.replaceAll("\u0002", "$");
}

function valueOf(inner: string, variables: ReadonlyMap<string, string>): string {
  const known = variables.get(inner);
  if (known !== undefined) return known;
  if (inner === "MAKE") return "make";
  const [, name = "", from = "", to = ""] = /^([\w.-]+):([^=]*)=([^]*)$/.exec(inner) ?? [];
  if (variables.has(name)) return substituted(from, to, expanded(variables.get(name) ?? "", variables));
  const [, call = "", rest = ""] = /^([a-z-]+)\s+([^]*)$/.exec(inner) ?? [];
  const args = rest.split(",");
  const [first = "", second = ""] = args;
  const last = args.at(-1) ?? "";
  switch (call) {
    case "wildcard":
    case "sort":
    case "strip":
    case "filter":
    case "filter-out":
    case "foreach":
      return last;
    case "patsubst":
      return substituted(first, second, last);
    case "addprefix":
    case "addsuffix":
      return wordsOf(last)
        .map((word) => (call === "addprefix" ? `${first}${word}` : `${word}${first}`))
        .join(" ");
    case "call":
      return (variables.get(first) ?? UNKNOWN).replace(
        /\$(?:\((\d)\)|\{(\d)\}|(\d))/g,
        (_, ...at: string[]) => args[Number(at.slice(0, 3).join(""))] ?? "",
      );
    default:
      return UNKNOWN;
  }
}

function substituted(from: string, to: string, words: string): string {
  const pattern = from.includes("%") ? from : `%${from}`;
  return wordsOf(words)
    .map((word) => {
      const stem = stemIn(pattern, word);
      return stem === null ? word : (from.includes("%") ? to : `%${to}`).replace("%", () => stem);
    })
    .join(" ");
}
