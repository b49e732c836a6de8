import { interpreterNamed } from "../programs.ts";
import { isAmongScripts } from "../judging.ts";
import { isTestPath } from "../test-paths.ts";
import { extensionOf, nameOf } from "../../../text/paths.ts";
import { listIn, UNKNOWN, type ShellCommand } from "./shell.ts";

const COMPARES = /^(?:\[{1,2}|test|diff|cmp|comm)$/;
/** Files that are neither run nor compiled. */
const DATA =
  /^\.(?:in|out|txt|csv|tsv|dat|data|json|ya?ml|xml|html|lst|list|expected|golden|ok|ans|res|result|input|output|stdin|stdout|stderr|err)$/;
const RUN = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|(?:ba|z|k)?sh|bats|t)$/;
const MAX_COMMANDS = 5000;

/** Inputs of a loop and the expected outputs of the product, or a table of both. A loop that only inspects files treats them as the product. */
export function expectedPatterns(commands: readonly ShellCommand[]): string[] {
  const loops = new Map<object, ShellCommand[]>();
  for (const command of commands)
    if (command.loop !== null)
      loops.set(command.loop, [...(loops.get(command.loop) ?? []), command].slice(0, 100));
  return [...loops.values()].flatMap((body) => {
    if (!body.some(({ words }) => COMPARES.test(words[0] ?? ""))) return [];
    const named = body.flatMap(({ words, input }) => [...words, ...input]);
    const lists = named.flatMap((word) => listIn(word)?.file ?? []);
    const patterns = [...new Set([...named.filter((word) => listIn(word) === null), ...lists])].filter(
      (word) => /[*?]/.test(word) && word.includes("/"),
    );
    return [...(patterns.length > 1 ? patterns : []), ...(body.some(isOfProduct) ? lists : [])].filter(
      (word) => DATA.test(extensionOf(nameOf(word))) && !word.includes(UNKNOWN),
    );
  });
}

/** A program of the tree whose output is read. */
function isOfProduct({ words: [name = "", operand = ""], outputRead }: ShellCommand): boolean {
  const isProgram = /^[^/\0-][^\0]*\/[^\0]+$/.test(name);
  return outputRead && (isProgram || (interpreterNamed(name) !== null && /^[\w./-]+\.\w+$/.test(operand)));
}

function plain(word: string): string {
  return word.replace(/^\.\//, "");
}

/** Whether a script's program writes a file that is then run for its exit code. Then it decides, although its output is read. */
export function madeAndRun({ words, output }: ShellCommand, commands: readonly ShellCommand[]): boolean {
  if (output === null || !RUN.test(output) || !words.some((word) => isAmongScripts(plain(word))))
    return false;
  const made = plain(output);
  const isNamed = (word: string): boolean =>
    plain(word) === made || (/^[\w.]+$/.test(word) && `${word.replaceAll(".", "/")}.py` === made);
  const others = commands.slice(0, MAX_COMMANDS).filter((command) => command.words.some(isNamed));
  if (others.some((other) => /^(?:diff|cmp|comm)$/.test(other.words[0] ?? ""))) return false;
  return isTestPath(made) || others.some((other) => !other.outputRead);
}

/** File names that decide which tests are skipped, or how they run here. */
const SETTLES =
  /(?:^|[._-])(?:skip\w*|ignored?|exclu\w+|disabled?|known\w*|quarantined?|flaky|xfail|only|filter|local)(?:[._-]|$)/i;

/** Files that a text checks for and then sources; or reads into a variable, if their name or folder relates to tests. */
export function optionalFiles(commands: readonly ShellCommand[]): string[] {
  const asked = new Set<string>();
  for (const { words } of commands)
    words.forEach((word, at) => {
      if (/^-[efrs]$/.test(word) && /^(?:\[{1,2}|test|!)$/.test(words[at - 1] ?? ""))
        asked.add(plain(words[at + 1] ?? ""));
    });
  const isAboutTests = (word: string): boolean =>
    SETTLES.test(nameOf(word)) || isTestPath(word.replace(/^\0\//, ""));
  const read = commands.flatMap(({ words: [name = "", ...rest], input }) => [
    ...(/^(?:\.|source)$/.test(name) ? rest.slice(0, 1) : []),
    ...[name, ...input].flatMap((word) => listIn(word)?.file ?? []).filter(isAboutTests),
  ]);
  return [...new Set(read)].filter((word) => asked.has(plain(word)));
}
