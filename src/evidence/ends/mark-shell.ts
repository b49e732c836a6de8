import { forEachChild, parse, type SyntaxNode } from "unbash";
import { shellQuoted } from "../../text/shell-quote.ts";
import {
  STATUS,
  reportBegin,
  reportEnd,
  reportExec,
  reportExit,
  reportLeft,
  watched,
  type Place,
} from "./report.ts";

interface Edit {
  readonly pos: number;
  readonly end: number;
  readonly text: string;
}

type Command = Extract<SyntaxNode, { type: "Command" }>;
type Subshell = Extract<SyntaxNode, { type: "Subshell" }>;

const BENT = "__agent_foreman_bent";

/**
 * Marks a script: it reports its beginning if it is the main program, each end of its own, and how its process ended. Null: it cannot be
 * parsed.
 */
export function markShell(text: string, name: string, place: Place): string | null {
  const script = parse(text);
  const [first] = script.commands;
  if (first === undefined || (script.errors?.length ?? 0) > 0 || text.trimEnd().endsWith("\\")) return null;
  const begins = `${reportBegin(place)}; trap ${shellQuoted(reportLeft("$?", place))} EXIT`;
  const marker = new Marker(text, name, place);
  const edits = script.commands.flatMap((statement) => marker.edits(statement));
  // Text that is only assembled at run time cannot be marked.
  const commands = script.commands.flatMap((statement) => ofOwnShell(statement, "Command"));
  if (commands.some((one) => one.name?.value === "eval" && /\bexit\b/.test(text.slice(one.pos, one.end))))
    return null;
  const begun: Edit = { pos: first.pos, end: first.pos, text: `${ifProgram(name, begins)}; ` };
  return `${edited(text, [begun, ...edits])}\n${lastLine(script.commands, name, place)}\n`;
}

/** A script that another one sources is not the main program. */
function ifProgram(name: string, commands: string): string {
  return `case "$0" in ${shellQuoted(name)}|*/${shellQuoted(name)}) ${commands} ;; esac`;
}

/** Reports `bent` if the script's failures are ignored or its own commands were redefined. */
function lastLine(commands: readonly SyntaxNode[], name: string, place: Place): string {
  const relaxed = isStrict(commands) ? `case "$-" in *e*) ;; *) ${BENT}=bent ;; esac; ` : "";
  const replaced = definesOwn(commands)
    ? ""
    : `case "$(type [ test exit 2>/dev/null)" in *function*|*alias*) ${BENT}=bent ;; esac; `;
  const end = `${BENT}=$${STATUS}; ${relaxed}${replaced}${reportEnd(`$${BENT}`, place)}`;
  return `${STATUS}=$?; ${ifProgram(name, end)}; (exit $${STATUS})`;
}

/** Whether it asks to end at the first failure (`set -e`), and never takes that back itself. */
function isStrict(commands: readonly SyntaxNode[]): boolean {
  const settings = commands
    .flatMap((command) => ofOwnShell(command, "Command"))
    .filter(({ name }) => name?.value === "set")
    .map(({ args }) => args.map((arg) => (arg.type === "Word" ? arg.value : "")).join(" "));
  return (
    settings.some((set) => /^-[a-z]*e|-o errexit/.test(set)) &&
    !settings.some((set) => /\+[a-z]*e|\+o errexit/.test(set))
  );
}

function definesOwn(commands: readonly SyntaxNode[]): boolean {
  return commands
    .flatMap((command) => ofOwnShell(command, "Function"))
    .some(({ name }) => ["[", "test", "exit"].includes(name.value));
}

/** A subshell changes and ends only itself. */
function isShellOfItsOwn({ type }: SyntaxNode): boolean {
  return type === "Subshell" || type === "CommandExpansion" || type === "ProcessSubstitution";
}

function ofOwnShell<T extends SyntaxNode["type"]>(
  node: SyntaxNode,
  type: T,
): Extract<SyntaxNode, { type: T }>[] {
  if (isShellOfItsOwn(node)) return [];
  const found = childrenOf(node).flatMap((child) => ofOwnShell(child, type));
  return isOfType(node, type) ? [node, ...found] : found;
}

function isOfType<T extends SyntaxNode["type"]>(
  node: SyntaxNode,
  type: T,
): node is Extract<SyntaxNode, { type: T }> {
  return node.type === type;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

class Marker {
  readonly #text: string;
  readonly #name: string;
  readonly #place: Place;
  #subshells = 0;

  constructor(text: string, name: string, place: Place) {
    this.#text = text;
    this.#name = name;
    this.#place = place;
  }

  edits(node: SyntaxNode, inFunction = false): readonly Edit[] {
    if (node.type === "Subshell") return this.#subshell(node);
    if (isShellOfItsOwn(node)) return [];
    const own = node.type === "Command" ? this.#command(node, inFunction) : null;
    if (own) return [own];
    return childrenOf(node).flatMap((child) => this.edits(child, inFunction || node.type === "Function"));
  }

  /** A subshell that sources files has its own marks, because these may end it. */
  #subshell({ body, end }: Subshell): readonly Edit[] {
    const [first] = body.commands;
    const commands = body.commands.flatMap((statement) => ofOwnShell(statement, "Command"));
    if (first === undefined || !commands.some(isReading)) return [];
    this.#subshells += 1;
    const place = { ...this.#place, id: `${this.#place.id}.${this.#subshells}` };
    const { before, after } = watched(place);
    const exits = commands
      .filter(({ name }) => name?.value === "exit")
      .map((command) => this.#before(command, (code) => reportEnd(code, place)));
    return [
      { pos: first.pos, end: first.pos, text: `${before}; ` },
      ...exits,
      { pos: end - 1, end: end - 1, text: `\n${after}\n` },
    ];
  }

  #command(command: Command, inFunction: boolean): Edit | null {
    switch (command.name?.value) {
      case "exit":
        return this.#before(command, (code) => reportExit(code, this.#place));
      case "return":
        return inFunction
          ? null
          : this.#before(command, (code) => ifProgram(this.#name, reportExit(code, this.#place)));
      case "exec":
        return command.args.length > 0 ? this.#before(command, () => reportExec(this.#place)) : null;
      case "trap":
        return this.#trap(command);
      default:
        return null;
    }
  }

  /** Puts another command before this one, without affecting its input. */
  #before({ pos, end, args: [code] }: Command, other: (code: string) => string): Edit {
    const asItWas = (from: number, to: number): string =>
      this.#text.slice(from, to).replaceAll("$?", `$${STATUS}`);
    const words = asItWas(pos, end);
    const given = code ? asItWas(code.pos, code.end) : `$${STATUS}`;
    return { pos, end, text: `{ ${STATUS}=$?; ${other(given)}; ${code ? words : `${words} ${given}`}; }` };
  }

  /** The script's own exit trap would replace ours, so it runs after ours. */
  #trap({ args }: Command): Edit | null {
    const [action, ...signals] = args;
    const words = action && this.#text.slice(action.pos, action.end);
    if (action === undefined || words === undefined || words === "-" || signals.length === 0) return null;
    const before = (first: string): Edit => ({ pos: action.pos, end: action.pos, text: shellQuoted(first) });
    if (signals.some(({ pos, end }) => /^(?:EXIT|0)$/.test(this.#text.slice(pos, end)))) {
      const left = ifProgram(this.#name, reportLeft(`$${STATUS}`, this.#place));
      return before(`${STATUS}=$?; ${left}; set +e; (exit $${STATUS}); `);
    }
    return /\bexit\b/.test(words) ? before(`${reportExit("0", this.#place)}; `) : null;
  }
}

function isReading({ name }: Command): boolean {
  return name?.value === "." || name?.value === "source";
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
