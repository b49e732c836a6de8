import { type Place, watched } from "./report.ts";

/** A rule's command, with its continuation lines. */
const COMMAND = /^\t([@+-]*)[ \t]*((?:[^\n\\]|\\[^]|\\$)*)$/gm;
/** A sourced file may end the shell. */
const READS = /(?:^\s*[@+-]*|[;&|({]|\s(?:then|do|else))\s*(?:\.|source)\s+\S/m;
/** The command may end before its last word, or its last word is unknown. */
const UNCLEAR = /\b(?:exit|exec)\b(?!\s+[1-9])|#|&\s*$/;

/** Whether it sources files into its own shell. */
export function isReading(text: string): boolean {
  return READS.test(text);
}

/** Marks the commands of a makefile that source other files; null: there are none. */
export function markMake(text: string, place: Place): string | null {
  if (/^\.ONESHELL\s*:/m.test(text)) return null;
  let count = 0;
  const marked = text.replaceAll(COMMAND, (whole, flags: string, command: string) => {
    // Leaves out commands whose failure make ignores.
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

/** Marks a person's command the same way; null: it sources nothing. */
export function markCommand(command: string, place: Place): string | null {
  if (!isReading(command) || UNCLEAR.test(command)) return null;
  const { before, after } = watched(place);
  return `${before}\n${command}\n${after}`;
}
