import { type Place, toldBegin, toldEnd } from "./mark-shell.ts";

/** A rule's command, with the lines that it goes on in. */
const COMMAND = /^\t([@+-]*)[ \t]*((?:[^\n\\]|\\[^]|\\$)*)$/gm;
/** What is read into the shell itself may end it. */
const READS = /(?:^|[;&|({]|\s(?:then|do|else))\s*(?:\.|source)\s+\S/;
/** Then it may end before its last word. */
const ENDS = /\b(?:exit|exec)\b(?!\s+[1-9])/;

/** A makefile, whose commands that read other files into their shell tell of their beginning and end; null: it has none. */
export function markMake(text: string, place: Place): string | null {
  let found = false;
  const marked = text.replaceAll(COMMAND, (whole, flags: string, command: string) => {
    if (!READS.test(command) || ENDS.test(command) || command.includes("#")) return whole;
    found = true;
    const end = `code=$?; ${toldEnd("$code", place)}; exit $code`;
    return `\t${flags}${forMake(toldBegin(place))}; ${command.trimEnd()}; ${forMake(end)}`;
  });
  return found ? marked : null;
}

function forMake(shell: string): string {
  return shell.replaceAll("$", "$$$$");
}
