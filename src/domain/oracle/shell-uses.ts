import { plain } from "./follow-input.ts";
import { isAmongScripts } from "./judging.ts";
import { isTestPath } from "./names.ts";
import { nameOf } from "./paths.ts";
import { interpreterNamed } from "./programs.ts";
import type { ShellCommand } from "./shell-commands.ts";

const RUN = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|(?:ba|z|k)?sh|bats|t)$/;
/** Each that writes a file is held against all others. */
const MAX_COMMANDS = 5000;
const COMPARES = /^(?:diff|cmp|comm)$/;
const ASKED = /^-[efrs]$/;
/** Files that say which tests are left out, or how they are run here. */
const SETTLES =
  /(?:^|[._-])(?:skip\w*|ignored?|exclu\w+|disabled?|known\w*|quarantined?|flaky|xfail|only|filter|local)(?:[._-]|$)/i;

/** Whether a program of the scripts writes what is then run for how it ends: then it decides, though its output is read. */
export function makesTests({ words, output }: ShellCommand, commands: readonly ShellCommand[]): boolean {
  if (output === null || !RUN.test(output) || !words.some((word) => isAmongScripts(plain(word))))
    return false;
  if (commands.length > MAX_COMMANDS) return false;
  const made = plain(output);
  const isNamed = (word: string): boolean =>
    plain(word) === made || (/^[\w.]+$/.test(word) && `${word.replaceAll(".", "/")}.py` === made);
  const others = commands.filter((command) => command.words.some(isNamed));
  if (others.some((other) => COMPARES.test(other.words[0] ?? ""))) return false;
  const isRun = others.some(
    ({ words: [name = ""], outputRead }) =>
      !outputRead && (isNamed(name) || interpreterNamed(nameOf(name)) !== null),
  );
  return isRun || isTestPath(made);
}

/** Files that are read into a variable if they are there, and that settle how tests run by their names or by where they lie. */
export function optionalIn(commands: readonly ShellCommand[]): string[] {
  const asked = new Set<string>();
  for (const { words } of commands)
    words.forEach((word, at) => {
      if (ASKED.test(word) && /^(?:\[{1,2}|test|!)$/.test(words[at - 1] ?? ""))
        asked.add(words[at + 1] ?? "");
    });
  if (asked.size === 0) return [];
  const read = commands.flatMap(({ words: [first = ""], source, loop }) => [
    ...(/^\w+=\0$/.test(first) ? source.texts : []),
    ...(loop?.source.inputs ?? []),
  ]);
  return [...new Set(read)].filter(
    (word) =>
      asked.has(word) &&
      /[^\0]\w/.test(word) &&
      (SETTLES.test(nameOf(word)) || isTestPath(word.replace(/^\0\//, ""))),
  );
}
