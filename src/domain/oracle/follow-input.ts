import { interpreterNamed, operandAt, programsOf } from "./programs.ts";
import type { Scope } from "./shell-commands.ts";
import type { Source } from "./shell-source.ts";

/** Of a command that does not name what it runs: what it comes by it. */
export interface Fed {
  /** Words that name what is run. */
  readonly runs: readonly string[];
  /** Files that decide what is run: where they are not there yet, they would. */
  readonly lists: readonly string[];
}

const RUNNERS = /^(?:pytest|py\.test|jest|vitest|mocha|ava|tap|tape|prove|bats)$/;
const NOT_RUN = /^-(?:[a-z]*[cn]|-check)$/;

export function fedTo(words: readonly string[], { inputs, texts, fedBy }: Source): Fed {
  const programs = programsOf(words);
  const last = programs.at(-1);
  const nothing: Fed = { runs: [], lists: [] };
  if (last === undefined || inputs.length + texts.length + fedBy.length === 0) return nothing;
  const args = last.words.slice(1);
  const interpreter = interpreterNamed(last.name);
  if (last.name === "eval") return { runs: texts, lists: [] };
  const isRunner = RUNNERS.test(last.name);
  if (interpreter === null && !isRunner) return nothing;
  const operand = isRunner ? undefined : args[operandAt(args, 0, interpreter?.values ?? [])];
  const lists = isRunner || operand === "\0" ? texts : [];
  if (interpreter?.name === "sh" && args.some((word) => /^-[a-z]*c$/.test(word)))
    return { runs: lists, lists: [] };
  if (args.some((word) => NOT_RUN.test(word))) return nothing;
  if (programs.some(({ name }) => name === "xargs"))
    return isRunner || operand === undefined
      ? { runs: found(fedBy), lists: [...lists, ...inputs] }
      : { runs: [], lists };
  const readsInput = operand === undefined || operand === "-" || args.includes("-s");
  return { runs: readsInput && !isRunner ? inputs : [], lists };
}

/** What a command finds whose output names files, as patterns; in the root lies the product. */
export function found([name, ...args]: readonly string[]): string[] {
  if (name === "ls") return args.filter((word) => /^[\w.-]+\/.*\w/.test(word));
  if (name !== "find") return [];
  const end = args.findIndex((word) => /^[-(!]/.test(word));
  const folders = args.slice(0, end < 0 ? args.length : end).map((word) => word.replace(/\/+$/, ""));
  const at = args.findIndex((word) => word === "-name" || word === "-iname");
  const pattern = at < 0 ? "*" : (args[at + 1] ?? "*");
  return folders.filter((folder) => /\w/.test(folder)).map((folder) => `${folder}/**/${pattern}`);
}

const MAX_LISTED = 200;

/** What a list names, be it by lines or by words. */
export function listedIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/#.*$/, ""));
  return lines
    .flatMap((line) => line.split(/[\s,"'[\]]+/))
    .filter((word) => word !== "")
    .slice(0, MAX_LISTED);
}

/** A pattern in a folder beside a script, which says where it lies itself. */
const OF_SCRIPT = /^\0\/[\w.-]+\/[^\0]+$/;

export function isPlace(word: string): boolean {
  return !word.includes("\0") || OF_SCRIPT.test(word);
}

export function folderIn(folders: ReadonlyMap<Scope | null, string | null>, scope: Scope): string | null {
  for (let now: Scope | null = scope; now !== null; now = now.outer) {
    const folder = folders.get(now);
    if (folder !== undefined) return folder;
  }
  return folders.get(null) ?? null;
}

export const ASKS = /^(?:\[{1,2}|test)$/;
export const READS = /^(?:\.|source)$/;

export function plain(word: string): string {
  return word.replace(/^\.\//, "");
}
