import { forEachChild, parse, type SyntaxNode } from "unbash";

/** Where a test tells that it began, that it came to an end, and with which code; and what it is called there. */
export interface Place {
  readonly file: string;
  readonly id: number;
}

interface Edit {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

const CODE = "__agent_foreman_code";
const STATUS = "__agent_foreman_status";

/** The script, telling of its beginning and of each of its ends; null: it cannot be read. */
export function markShell(text: string, name: string, place: Place): string | null {
  const script = parse(text);
  const [first] = script.commands;
  if (first === undefined || (script.errors?.length ?? 0) > 0) return null;
  const begun: Edit = { pos: first.pos, end: first.pos, text: `${beginning(name, place)}; ` };
  const ends = script.commands.flatMap((statement) => endsIn(statement, { text, place, inFunction: false }));
  return `${edited(text, [begun, ...ends])}\n${fallingOff(name, isStrict(text), place)}\n`;
}

/** Where the script does not see to its end itself, its code is known as well: whoever started it sees that it failed. */
function beginning(name: string, place: Place): string {
  const left = told(`left %s %s\\n' "$$" "$?"`, place.file);
  return `${toldBegin(place)}; ${ifProgram(name, `trap ${quoted(left)} EXIT`)}`;
}

/** One that another script reads is not the program. */
function ifProgram(name: string, commands: string): string {
  return `case "$0" in *${quoted(name)}) ${commands} ;; esac`;
}

/** With who started it, where the system says so. */
export function toldBegin({ id, file }: Place): string {
  return `(by=; read -r by </proc/$PPID/comm; ${printed(`begin ${id} %s %s\\n' "$$" "$by"`, file)}) 2>/dev/null || :`;
}

/** `code` is a word of the shell. */
export function toldEnd(code: string, { id, file }: Place): string {
  return told(`end ${id} %s %s\\n' "$$" "${code}"`, file);
}

/** Of the whole process, whichever script it is in. */
function toldExit(code: string, { file }: Place): string {
  return told(`exit %s %s\\n' "$$" "${code}"`, file);
}

/** Whatever becomes of it changes nothing. */
function told(what: string, file: string): string {
  return `(${printed(what, file)}) 2>/dev/null || :`;
}

function printed(what: string, file: string): string {
  return `printf '${what} >>${quoted(file)}`;
}

/** Whether it asks for an end at the first failure, and never takes that back itself. */
function isStrict(text: string): boolean {
  return /\bset\s+-[a-z]*e/.test(text) && !/\bset\s+(?:\+[a-z]*e|-o|\+o)/.test(text);
}

/**
 * A script that another one reads may end with any code, and nothing has failed. One whose failures are let pass, or whose own commands are
 * others now, has failed.
 */
function fallingOff(name: string, strict: boolean, place: Place): string {
  const relaxed = strict ? `case "$-" in *e*) ;; *) ${CODE}=1 ;; esac; ` : "";
  const replaced = `case "$(type [ test exit 2>/dev/null)" in *function*|*alias*) ${CODE}=1 ;; esac`;
  const code = `${CODE}=0; ${ifProgram(name, `${CODE}=$${STATUS}; ${relaxed}${replaced}`)}`;
  return `${STATUS}=$?; ${code}; ${toldEnd(`$${CODE}`, place)}; (exit $${STATUS})`;
}

interface Script {
  readonly text: string;
  readonly place: Place;
  readonly inFunction: boolean;
}

/** Of what ends the shell, or the reading of the script. What has a shell of its own ends that alone. */
function endsIn(node: SyntaxNode, script: Script): Edit[] {
  if (["Subshell", "CommandExpansion", "ProcessSubstitution"].includes(node.type)) return [];
  const end = node.type === "Command" ? endOf(node, script) : null;
  if (end !== null) return [end];
  const within = node.type === "Function" ? { ...script, inFunction: true } : script;
  const found: Edit[] = [];
  forEachChild(node, (child) => {
    found.push(...endsIn(child, within));
  });
  return found;
}

function endOf(command: Extract<SyntaxNode, { type: "Command" }>, script: Script): Edit | null {
  const { name, args, redirects, prefix, pos, end } = command;
  if (redirects.length + prefix.length > 0) return null;
  const { text, place, inFunction } = script;
  const status = args[0] ? text.slice(args[0].pos, args[0].end) : "$?";
  const instead = (...commands: string[]): Edit => ({ pos, end, text: `{ ${commands.join("; ")}; }` });
  if (name?.value === "exit")
    return instead(`${STATUS}=${status}`, toldExit(`$${STATUS}`, place), `exit "$${STATUS}"`);
  if (name?.value === "return" && !inFunction)
    return instead(`${STATUS}=${status}`, toldEnd("0", place), `return "$${STATUS}"`);
  // Another program is there in its place.
  if (name?.value === "exec" && args.length > 0) return instead(toldExit("0", place), text.slice(pos, end));
  return null;
}

function edited(text: string, edits: readonly Edit[]): string {
  let at = 0;
  let result = "";
  for (const edit of edits.toSorted((one, other) => one.pos - other.pos || one.end - other.end)) {
    result += text.slice(at, edit.pos) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
