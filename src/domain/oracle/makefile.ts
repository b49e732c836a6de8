import { expanded, hidden, shown, stemIn, UNKNOWN, within, wordsOf } from "./make-values.ts";
import { joinedLines } from "./paths.ts";

/** What is known of a makefile without make: rules with their recipes, variables with a value that is plain. */
export interface Makefile {
  readonly rules: readonly MakeRule[];
  readonly variables: ReadonlyMap<string, string>;
  /** What it includes, as it says. */
  readonly includes: readonly string[];
  /** What it has the shell run while it is read. */
  readonly calls: readonly string[];
  /** Where it has the compiler look for headers, and where make looks for sources. */
  readonly headerFolders: readonly string[];
  readonly sourceFolders: readonly string[];
}
interface MakeRule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
  /** Of a rule for several targets: what their names have in common. */
  readonly pattern: string | null;
}

const INCLUDE = /^\s*-?s?include\s+(.*)$/;
const VARIABLE = /^\s*(?:(?:export|override|private|define)\s+)*([\w.-]+)\s*(:{1,3}|\?|\+|!)?=\s*([^\r\n]*)$/;
const RULE = /^([^\s:#=][^:#=]*)&?::?(?!=)([^;=]*)(?:;(.*))?$/;
/** What stands in front of a file that is written. */
const WRITES = new Set(["-o", ">", ">>", "touch"]);
/** Of a rule, in its recipe: what it is to make. */
const TARGET = /\$(?:@|\(@\)|\{@\})/g;
const LONGEST_VALUE = 1000;

const DEFINE = /^\s*(?:(?:export|override)\s+)*define\s+([\w.-]+)\s*[:?+]*=?\s*$/;
const SHELL_CALL = /\$[({]shell\s+((?:[^()\n]|\([^()\n]*\))*)/g;
const VPATH = /^vpath\s+\S+\s+(.*)$/;
const HEADER_FOLDER = /(?:^|\s)-(?:I|isystem|iquote)\s*([^\s-]\S*)/g;

export function readMakefile(text: string): Makefile {
  const variables = new Map<string, string>();
  const rules: (MakeRule & { readonly recipe: string[] })[] = [];
  const includes: string[] = [];
  let open: string[] | null = null;
  const calls: string[] = [];
  const headerFolders: string[] = [];
  const sourceFolders: string[] = [];
  let defined: string | null = null;
  for (const line of joinedLines(text).split(/\r?\n/)) {
    if (defined !== null) {
      const before: string = variables.get(defined) ?? "";
      if (/^\s*endef\b/.test(line)) defined = null;
      else variables.set(defined, `${before}${line.trim()}\n`.slice(0, LONGEST_VALUE));
      continue;
    }
    if (/^\s*#/.test(line)) continue;
    defined = DEFINE.exec(line)?.[1] ?? null;
    if (defined !== null) continue;
    for (const [, call = ""] of line.matchAll(SHELL_CALL)) calls.push(expanded(call, variables));
    for (const [, folder = ""] of line.matchAll(HEADER_FOLDER))
      headerFolders.push(expanded(folder, variables));
    // A justfile's recipes are set off by blanks, a makefile's by a tab.
    if (/^[\t ]/.test(line) && open !== null) {
      open.push(line.trim().replace(/^[@+-]+\s*/, ""));
      continue;
    }
    const included = INCLUDE.exec(line);
    const variable = VARIABLE.exec(line);
    const rule = RULE.exec(hidden(line));
    const sources = VPATH.exec(line)?.[1] ?? (variable?.[1] === "VPATH" ? variable[3] : undefined);
    if (sources !== undefined) sourceFolders.push(...expanded(sources, variables).split(/[\s:]+/));
    if (included !== null)
      includes.push(...includesIn(expanded(included[1] ?? "", variables)), ...pathsShown(included[1] ?? ""));
    else if (variable !== null) {
      const [, name = "", how, value = ""] = variable;
      const before = how === "+" && variables.has(name) ? `${variables.get(name)} ` : "";
      variables.set(name, `${before}${plainValue(value)}`.slice(0, LONGEST_VALUE));
    } else if (rule !== null) {
      open = rule[3] === undefined ? [] : [shown(rule[3]).trim()];
      const [targets = [], second = [], third] = [rule[1] ?? "", ...(rule[2] ?? "").split(":")].map((part) =>
        wordsOf(expanded(shown(part), variables)),
      );
      const pattern = third === undefined ? null : (second[0] ?? null);
      // A justfile's recipe has parameters behind its name: they are taken for names, which does no harm.
      rules.push({ targets, needs: third ?? second, recipe: open, pattern });
    }
  }
  return { rules, variables, includes, calls, headerFolders, sourceFolders };
}

interface Targets {
  /** Patterns of what is made of something else: it can be made anew. */
  readonly made: readonly string[];
  /** Names of what is only done: where there is a file of such a name, nothing is done any more. */
  readonly done: readonly string[];
}

export function targetsOf({ rules }: Makefile): Targets {
  const phony = new Set(rules.flatMap(({ targets, needs }) => (targets.includes(".PHONY") ? needs : [])));
  const made: string[] = [];
  const done: string[] = [];
  for (const { targets, recipe } of rules)
    for (const target of targets) {
      if (recipe.length === 0 || phony.has(target) || /^\.[A-Z_]+$/.test(target)) continue;
      const pattern = target.replaceAll(UNKNOWN, "*").replace("%", "{*,**/*}");
      if (pattern === target && !recipe.some((line) => writes(line, target))) done.push(target);
      else if (/\w/.test(pattern.replace("{*,**/*}", ""))) made.push(pattern);
    }
  return { made, done };
}

function writes(line: string, target: string): boolean {
  if (line.search(TARGET) >= 0 || /\bbuild\b/.test(line)) return true;
  return wordsOf(line).some((word, at, words) => word === target && WRITES.has(words[at - 1] ?? ""));
}

/** The lines, each for a shell of its own, that making these goals comes down to; without a goal, the first one there is. */
export function recipesFor({ rules, variables }: Makefile, goals: readonly string[]): RecipeLine[] {
  const byTarget = new Map<string, MakeRule[]>();
  for (const rule of rules)
    for (const target of rule.targets) {
      const same = byTarget.get(target);
      if (same === undefined) byTarget.set(target, [rule]);
      else same.push(rule);
    }
  const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.|%/.test(target));
  const wanted = goals.length > 0 ? goals : first === undefined ? [] : [first];
  const otherwise = byTarget.get(".DEFAULT");
  // A goal that nobody here makes may come from anywhere, a pattern or an include: then all count.
  const all = otherwise === undefined && !wanted.every((goal) => byTarget.has(goal));
  const patterns = rules.filter(isPattern);
  const reached: Reached[] = (all ? rules : []).map((rule) => ({
    rule,
    target: rule.targets[0] ?? "",
    stem: isPattern(rule) ? "*" : null,
  }));
  const seen = new Set<string>();
  const left: Goal[] = wanted.map((target) => ({ target, by: [] }));
  for (let goal = left.pop(); goal !== undefined && seen.size < MAX_GOALS; goal = left.pop()) {
    const { target, by } = goal;
    if (seen.has(target)) continue;
    seen.add(target);
    const plain = byTarget.get(target) ?? (wanted.includes(target) ? otherwise : undefined) ?? [];
    const byPattern = plain.some(({ recipe }) => recipe.length > 0) ? [] : patterns;
    for (const rule of [...plain, ...byPattern]) {
      const stem = stemFor(rule, target);
      if ((stem === null && !plain.includes(rule)) || by.includes(rule)) continue;
      reached.push({ rule, target, stem });
      left.push(
        ...needsOf(rule, stem).map((need) => ({ target: need, by: stem === null ? by : [...by, rule] })),
      );
    }
  }
  return reached.flatMap((one) => linesOf(one, variables));
}

const MAX_GOALS = 5000;

interface Goal {
  readonly target: string;
  /** The pattern rules that it is wanted by. Make uses none of them twice on the way, or there would be no end to it. */
  readonly by: readonly MakeRule[];
}

interface Reached {
  readonly rule: MakeRule;
  readonly target: string;
  /** Null: it has none. */
  readonly stem: string | null;
}

export interface RecipeLine {
  readonly text: string;
  /** Files whose text is put in. */
  readonly reads: readonly string[];
}

function isPattern({ targets, pattern }: MakeRule): boolean {
  return pattern !== null || targets.some((target) => target.includes("%"));
}

function stemFor({ targets, pattern }: MakeRule, goal: string): string | null {
  const patterns = pattern === null ? targets : [pattern];
  const stems = patterns.filter((one) => one.includes("%")).map((one) => stemIn(one, goal));
  return stems.find((stem) => stem !== null) ?? null;
}

/** Where anything may be meant, only what lies in a folder: in the root lies the product. */
function needsOf({ needs }: MakeRule, stem: string | null): string[] {
  if (stem === null) return [...needs];
  return needs.map((need) => need.replace("%", () => (stem === "*" && !need.includes("/") ? UNKNOWN : stem)));
}

function linesOf({ rule, target, stem }: Reached, variables: ReadonlyMap<string, string>): RecipeLine[] {
  const needs = needsOf(rule, stem);
  return rule.recipe.flatMap((line) => {
    const anything = line.includes("/$*") ? "*" : UNKNOWN;
    const automatic = new Map([
      ["@", target],
      ["<", needs[0] ?? ""],
      ["^", needs.join(" ")],
      ["+", needs.join(" ")],
      ["?", needs.join(" ")],
      ["*", stem === "*" ? anything : (stem ?? UNKNOWN)],
    ]);
    const reads: string[] = [];
    const text = expanded(line, within(variables, automatic), (file) => reads.push(file));
    return text.split("\n").map((part) => ({ text: part.replace(/^[\s@+-]+/, ""), reads }));
  });
}

function plainValue(text: string): string {
  const comment = text.search(/\s#/);
  return (comment < 0 ? text : text.slice(0, comment)).slice(0, LONGEST_VALUE);
}

/** Of what nobody knows a star is left; of a name that is nothing else, only what makefiles are called. */
function includesIn(text: string): string[] {
  const patterns = wordsOf(text).map((word) => word.replaceAll(UNKNOWN, "*"));
  return patterns.map((pattern) => (/\w/.test(pattern) ? pattern : "**/*.{mk,make}"));
}

/** Paths in what the shell is to find files with. */
function pathsShown(text: string): string[] {
  return [...text.matchAll(SHELL_CALL)]
    .flatMap(([, call = ""]) => call.split(/[\s()|;&'"]+/))
    .filter((word) => /^\w[^<>$]*[/*.]/.test(word));
}
