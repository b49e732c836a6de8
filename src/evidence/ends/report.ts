import { shellQuoted } from "../../text/shell-quote.ts";

/** The file in which a test reports its beginning, its end and how its process ended, and its id there. */
export interface Place {
  readonly file: string;
  readonly id: string;
}

/** Marks use reserved names in the shell. */
export const STATUS = "__agent_foreman_status";

/** Includes the parent of the shell, if the system provides it. */
export function reportBegin({ file, id }: Place): string {
  const line = printed(`begin ${id} %s %s`, '"$$" "$by"', file);
  return `(by=; read -r by </proc/$PPID/comm; ${line}) 2>/dev/null || :`;
}

/** `how`: shell words for the exit code, as the test reports it; or `bent` if its failure check was changed. */
export function reportEnd(how: string, { file, id }: Place): string {
  return reported(`end ${id} %s %s`, `"$$" ${how}`, file);
}

/** Applies to the whole process, whichever file of the tests it is in. */
export function reportExit(code: string, { file }: Place): string {
  return reported("exit %s %s", `"$$" ${code}`, file);
}

/** The same for `exec`: the process ends as the new program does. */
export function reportExec({ file }: Place): string {
  return reported("exec %s", '"$$"', file);
}

/** `code`: a word of the shell. */
export function reportLeft(code: string, { file, id }: Place): string {
  return reported(`left ${id} %s %s`, `"$$" "${code}"`, file);
}

/** Wraps commands that are marked as a whole, because they or sourced files may end their shell. */
export function watched(place: Place): { readonly before: string; readonly after: string } {
  return {
    before: `${reportBegin(place)}; trap ${shellQuoted(reportLeft("$?", place))} EXIT`,
    after: `${STATUS}=$?; ${reportEnd(`$${STATUS}`, place)}; (exit $${STATUS})`,
  };
}

/** A failed report changes nothing for the test. */
function reported(format: string, words: string, file: string): string {
  return `(${printed(format, words, file)}) 2>/dev/null || :`;
}

/** Bypasses a function of that name in the test. */
function printed(format: string, words: string, file: string): string {
  return `command printf '${format}\\n' ${words} >>${shellQuoted(file)}`;
}
