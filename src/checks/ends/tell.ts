import { shellQuoted } from "../../domain/shell-quote.ts";

/** Where a test tells that it began, that it came to an end of its own, and how its process ended; and what it is called there. */
export interface Place {
  readonly file: string;
  readonly id: string;
}

/** What marks put into the shell goes by names of its own. */
export const STATUS = "__agent_foreman_status";

/** With who started the shell, where the system says so. */
export function tellBegin({ file, id }: Place): string {
  const line = printed(`begin ${id} %s %s`, '"$$" "$by"', file);
  return `(by=; read -r by </proc/$PPID/comm; ${line}) 2>/dev/null || :`;
}

/** `how`: words of the shell for the code, as the test itself says it; or for `bent`, where what makes it fail is not what it was. */
export function tellEnd(how: string, { file, id }: Place): string {
  return told(`end ${id} %s %s`, `"$$" ${how}`, file);
}

/** Of the whole process, whichever file of the tests it is in. */
export function tellExit(code: string, { file }: Place): string {
  return told("exit %s %s", `"$$" ${code}`, file);
}

/** The same, where another program comes in its place: it ends as that does. */
export function tellExec({ file }: Place): string {
  return told("exec %s", '"$$"', file);
}

/** `code`: a word of the shell. */
export function tellLeft(code: string, { file, id }: Place): string {
  return told(`left ${id} %s %s`, `"$$" "${code}"`, file);
}

/** Around commands that are told of as a whole: they, or what they read, may end the shell that they run in. */
export function watched(place: Place): { readonly before: string; readonly after: string } {
  return {
    before: `${tellBegin(place)}; trap ${shellQuoted(tellLeft("$?", place))} EXIT`,
    after: `${STATUS}=$?; ${tellEnd(`$${STATUS}`, place)}; (exit $${STATUS})`,
  };
}

/** Whatever becomes of it changes nothing. */
function told(format: string, words: string, file: string): string {
  return `(${printed(format, words, file)}) 2>/dev/null || :`;
}

/** Not by a function that a test has of that name. */
function printed(format: string, words: string, file: string): string {
  return `command printf '${format}\\n' ${words} >>${shellQuoted(file)}`;
}
