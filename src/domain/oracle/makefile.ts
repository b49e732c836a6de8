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
}

/** What a variable stands for whose value nobody knows, as a variable of the shell. */
const UNKNOWN = "${_}";
const INCLUDE = /^\s*-?s?include\s+(.*)$/;
const VARIABLE =
  /^\s*(?:(?:export|override|private|define)\s+)*([\w.-]+)\s*(?::{1,3}|\?|\+|!)?=\s*([^\r\n]*)$/;
const RULE = /^([^\s:#=][^:#=]*)&?::?(?!=)([^;=]*)(?:;(.*))?$/;
/** What stands in front of a file that is written. */
const WRITES = new Set(["-o", ">", ">>", "touch"]);
/** Of a rule, in its recipe: what it is to make. */
const TARGET = /\$(?:@|\(@\)|\{@\})/g;
/** Values may name each other, and grow with every round. */
const LONGEST_EXPANDED = 10_000;
const LONGEST_VALUE = 1000;

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
  for (const line of joinedLines(text).split(/\r?\n/)) {
    if (/^\s*#/.test(line)) continue;
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
    const rule = RULE.exec(line);
    const sources = VPATH.exec(line)?.[1] ?? (variable?.[1] === "VPATH" ? variable[2] : undefined);
    if (sources !== undefined) sourceFolders.push(...expanded(sources, variables).split(/[\s:]+/));
    if (included !== null)
      includes.push(...includesIn(expanded(included[1] ?? "", variables)), ...pathsShown(included[1] ?? ""));
    else if (variable !== null) variables.set(variable[1] ?? "", plainValue(variable[2] ?? ""));
    else if (rule !== null) {
      open = rule[3] === undefined ? [] : [rule[3].trim()];
      const [targets, needs] = [rule[1] ?? "", rule[2] ?? ""].map((part) =>
        wordsOf(expanded(part, variables)),
      );
      // A justfile's recipe has parameters behind its name: they are taken for names, which does no harm.
      rules.push({ targets: targets ?? [], needs: needs ?? [], recipe: open });
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
export function recipesFor({ rules, variables }: Makefile, goals: readonly string[]): string[] {
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
  const reached = new Map<MakeRule, string>(all ? rules.map((rule) => [rule, rule.targets[0] ?? ""]) : []);
  const left = all ? [] : [...wanted];
  for (let goal = left.pop(); goal !== undefined; goal = left.pop())
    for (const rule of byTarget.get(goal) ?? (wanted.includes(goal) ? otherwise : undefined) ?? [])
      if (!reached.has(rule)) {
        reached.set(rule, goal);
        for (const need of rule.needs) left.push(need);
      }
  return [...reached].flatMap(([{ recipe }, target]) =>
    recipe.map((line) =>
      expanded(
        line.replace(TARGET, () => target),
        variables,
      ),
    ),
  );
}

function plainValue(text: string): string {
  const comment = text.search(/\s#/);
  return (comment < 0 ? text : text.slice(0, comment)).slice(0, LONGEST_VALUE);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
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

/** With what is known put in; the rest is left as a variable of the shell, whose value nobody knows either. */
function expanded(text: string, variables: ReadonlyMap<string, string>): string {
  let now = text;
  for (let depth = 0; depth < 5 && now.length < LONGEST_EXPANDED; depth += 1) {
    const next = now.replace(/\$[({]([\w.-]+)[)}]/g, (found, name: string) =>
      name === "MAKE" ? "make" : (variables.get(name) ?? found),
    );
    if (next === now) break;
    now = next;
  }
  return now
    .replace(/\$[({]wildcard\s+([^(){}$]*)[)}]/g, "$1")
    .replace(/\$[({]sort\s+([^(){}$]*)[)}]/g, "$1")
    .replace(/\$\$/g, "\u0001")
    .replace(/\$[({][^(){}]*[)}]|\$[^\u0001]/g, () => UNKNOWN)
    .replace(/\u0001/g, "$");
}
