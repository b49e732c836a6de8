import { type Place, watched } from "./tell.ts";

/** A rule's command, with the lines that it goes on in. */
const COMMAND = /^\t([@+-]*)[ \t]*((?:[^\n\\]|\\[^]|\\$)*)$/gm;
/** What is read into the shell itself may end it. */
const READS = /(?:^\s*[@+-]*|[;&|({]|\s(?:then|do|else))\s*(?:\.|source)\s+\S/m;
/** Then it may end by itself before its last word; or nobody can tell which that is. */
const UNCLEAR = /\b(?:exit|exec)\b(?!\s+[1-9])|#|&\s*$/;

/** Whether it reads files into its own shell. */
export function isReading(text: string): boolean {
  return READS.test(text);
}

/** A makefile, whose commands that read other files into their shell tell of their beginning and end; null: it has none. */
export function markMake(text: string, place: Place): string | null {
  if (/^\.ONESHELL\s*:/m.test(text)) return null;
  let count = 0;
  const marked = text.replaceAll(COMMAND, (whole, flags: string, command: string) => {
    // What make is told to make nothing of.
    if (flags.includes("-") || !isReading(command) || UNCLEAR.test(command)) return whole;
    count += 1;
    const { before, after } = watched({ ...place, id: `${place.id}.${count}` });
    const body = command.trimEnd().replace(/;$/, "");
    return `\t${flags}${forMake(before)}; ${body}; ${forMake(after)}`;
  });
  return count > 0 ? marked : null;
}

function forMake(shell: string): string {
  return shell.replaceAll("$", "$$$$");
}

/** A command that a person gave, in the same way; null: it reads nothing. */
export function markCommand(command: string, place: Place): string | null {
  if (!isReading(command) || UNCLEAR.test(command)) return null;
  const { before, after } = watched(place);
  return `${before}\n${command}\n${after}`;
}
