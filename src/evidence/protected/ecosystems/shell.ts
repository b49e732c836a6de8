import { parse } from "unbash";
import type * as Shell from "unbash";

/** A simple command of a shell text. `UNKNOWN` in a word marks a value that only the shell knows. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Folders that the text enters before or around this command. */
  readonly folders: readonly string[];
  /** Another program or a file receives its output, or it runs in the background: its exit code decides nothing. */
  readonly outputRead: boolean;
  /** Its input: lines, or file patterns. */
  readonly input: readonly string[];
}

export const UNKNOWN = "\0";
const MAX_DEPTH = 20;
const MAX_VALUES = 50;
const LONGEST_VALUE = 500;
/** These only show or format their input, so the exit code of the command before the pipe still matters. */
const SHOWS = /^(?:tee|cat|less|more|ts|head|tail|nl|column)$|tap|pretty|report|junit|format/;
const FILTERS = /^(?:grep|egrep|sed|sort|uniq|head|tail|tr|cut|awk|shuf|tee|cat)$/;
const OUTPUT = /^(?:>>?|>\||&>>?|>&)$/;
const UNREAD = /^\/dev\/|^[\d-]$|\.log$/;
const ASSIGNED = /^([A-Za-z_]\w*)=([^]*)$/;

interface Place {
  readonly outputRead: boolean;
  readonly input: readonly string[];
}

/** The parser's time grows with the square of nested substitutions. Real scripts have far fewer. */
const MOST_SUBSTITUTIONS = 20_000;

/** The commands of a text in order, those inside substitutions first. */
export function shellCommands(text: string, args: readonly string[] = []): ShellCommand[] {
  if (text.split("$(", MOST_SUBSTITUTIONS + 1).length > MOST_SUBSTITUTIONS) return [];
  const reader = new Reader(args);
  reader.statements(parse(text).commands, { outputRead: false, input: [] });
  return reader.found;
}

class Reader {
  readonly found: ShellCommand[] = [];
  readonly #values = new Map<string, readonly string[]>();
  readonly #folders: string[] = [];
  #depth = 0;

  /** `args`: the arguments of the text. */
  constructor(args: readonly string[]) {
    args.forEach((arg, at) => this.#values.set(String(at + 1), [arg.replace(/(?<=.)\/+$/, "")]));
  }

  statements(statements: readonly Shell.Statement[], place: Place): void {
    for (const { command, background } of statements)
      if (command.type === "AndOr") {
        const last = command.commands.length - 1;
        command.commands.forEach((part, at) =>
          this.#node(part, background === true && at === last ? { ...place, outputRead: true } : place),
        );
      } else this.#node(command, background === true ? { ...place, outputRead: true } : place);
  }

  #node(node: Shell.PipelineNode | Shell.CompoundList, place: Place): void {
    switch (node.type) {
      case "Command":
        this.#command(node, place);
        break;
      case "CompoundList":
        this.statements(node.commands, place);
        break;
      case "Pipeline":
        this.#pipeline(node, place);
        break;
      case "Redirected":
        this.#node(node.command, this.#redirected(node.redirects, place));
        break;
      case "Subshell":
        this.#apart(node.body.commands, place);
        break;
      case "If":
        for (const { clause, then } of [node, ...node.elif]) {
          this.#node(clause, place);
          this.#node(then, place);
        }
        if (node.else !== undefined) this.#node(node.else, place);
        break;
      case "For":
        this.#values.set(
          node.name.value,
          (node.wordlist ?? []).flatMap((word) => this.#valuesOf(word, place)),
        );
        this.#node(node.body, place);
        break;
      case "While":
        this.#node(node.clause, place);
        this.#node(node.body, { ...place, input: [] });
        break;
      case "Case":
        for (const { body } of node.items) this.#node(body, place);
        break;
      case "TestCommand":
      case "ArithmeticCommand":
        break;
      case "BraceGroup":
      case "Function":
      case "Select":
      case "ArithmeticFor":
      case "Coproc":
        this.#node(node.body, place);
        break;
    }
  }

  /** A subshell's folder changes end with it. */
  #apart(statements: readonly Shell.Statement[], place: Place): void {
    const entered = this.#folders.length;
    this.statements(statements, place);
    this.#folders.length = entered;
  }

  #pipeline({ commands }: Shell.Pipeline, place: Place): void {
    let input = place.input;
    commands.forEach((command, at) => {
      const next = commands[at + 1];
      const name = next?.type === "Command" ? (next.name?.value ?? "") : "";
      const isRead = next !== undefined && !SHOWS.test(name);
      const start = this.found.length;
      this.#node(command, { ...place, input, outputRead: place.outputRead || isRead });
      const last = this.found.length > start ? this.found.at(-1) : undefined;
      input = last === undefined ? [] : outputOf(last);
    });
  }

  #redirected(redirects: readonly Shell.Redirection[], place: Place): Place {
    let { input, outputRead } = place;
    for (const redirect of redirects) {
      if (redirect.type === "HereDoc" || redirect.target === undefined) continue;
      const [file = ""] = this.#valuesOf(redirect.target, place);
      const { descriptor, operator } = redirect;
      const isFor = (usual: number): boolean =>
        descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === usual);
      if (operator === "<" && isFor(0)) input = [file];
      if (OUTPUT.test(operator) && isFor(1) && !UNREAD.test(file)) outputRead = true;
    }
    return { input, outputRead };
  }

  #command({ prefix, name, suffix }: Shell.Command, place: Place): void {
    const redirects = [...prefix, ...suffix].filter(
      (part) => part.type === "Redirect" || part.type === "HereString" || part.type === "HereDoc",
    );
    const here = this.#redirected(redirects, place);
    const parts = [...prefix, ...(name === undefined ? [] : [name]), ...suffix];
    const words = parts.flatMap((part) =>
      part.type === "Word" || part.type === "Assignment" ? [this.#argument(part, place)] : [],
    );
    if (words.length === 0) return;
    const plain = words.map(([first = ""]) => first);
    this.#remember(words, here.input);
    if ((plain[0] === "cd" || plain[0] === "pushd") && plain[1] !== undefined) this.#folders.push(plain[1]);
    // A loop's variable has several values, and each creates another command.
    const choices = Math.min(Math.max(...words.map((values) => values.length)), MAX_VALUES);
    for (let at = 0; at < choices; at += 1)
      this.#push(
        words.map((values) => values[Math.min(at, values.length - 1)] ?? ""),
        here,
      );
  }

  #push(words: readonly string[], { outputRead, input }: Place): void {
    this.found.push({ words, folders: [...this.#folders], outputRead, input });
  }

  #remember(words: readonly (readonly string[])[], input: readonly string[]): void {
    const [first = []] = words;
    if (first[0] === "read") for (const [name = ""] of words.slice(1)) this.#values.set(name, input);
    const assigned = /^(?:export|readonly|local|declare)$/.test(first[0] ?? "") ? words.slice(1) : words;
    if (assigned.some(([word = ""]) => !ASSIGNED.test(word))) return;
    for (const values of assigned) {
      const name = ASSIGNED.exec(values[0] ?? "")?.[1] ?? "";
      const now = values.flatMap((value) => ASSIGNED.exec(value)?.[2] ?? []);
      const before = this.#values.get(name) ?? [];
      const all = [...new Set([...before, ...now])].filter((value) => value.length < LONGEST_VALUE);
      this.#values.set(name, all.slice(0, MAX_VALUES));
    }
  }

  #argument(part: Shell.CommandArgument, place: Place): readonly string[] {
    if (part.type === "Word") return this.#valuesOf(part, place);
    const { name, append, value } = part;
    const start = `${name}${append === true ? "+" : ""}=`;
    if (value.type === "Word") return this.#valuesOf(value, place).map((one) => start + one);
    // Commands stored for later count as if they ran here.
    this.#push(
      value.elements.flatMap((element) => this.#argument(element, place)),
      place,
    );
    return [start + UNKNOWN];
  }

  #valuesOf(word: Shell.Word, place: Place): readonly string[] {
    if (word.parts === undefined) return [word.value];
    return this.#joined(word.parts, place);
  }

  #joined(parts: readonly Shell.WordPart[], place: Place): readonly string[] {
    let made: readonly string[] = [""];
    for (const part of parts) {
      const values = this.#part(part, place);
      made = made.flatMap((start) => values.map((value) => start + value)).slice(0, MAX_VALUES);
    }
    return made;
  }

  #part(part: Shell.WordPart, place: Place): readonly string[] {
    switch (part.type) {
      case "Literal":
      case "Glob":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return [part.value];
      case "DoubleQuoted":
      case "LocaleString":
        return this.#joined(part.parts, place);
      case "SimpleExpansion":
        return this.#known(part.text.slice(1));
      case "ParameterExpansion":
        return this.#parameter(part);
      case "CommandExpansion":
      case "ProcessSubstitution":
        return this.#substitution(part);
      case "ArithmeticExpansion":
        return [UNKNOWN];
      case "ExtendedGlob":
      case "BraceExpansion":
        return [part.text];
    }
  }

  #known(name: string): readonly string[] {
    const values = this.#values.get(name) ?? [];
    return values.length === 0 ? [UNKNOWN] : values;
  }

  #parameter({ parameter, operation }: Shell.ParameterExpansionPart): readonly string[] {
    if (operation === undefined) return this.#known(parameter);
    // `${file%.in}`
    const ending =
      operation.type === "Remove" && operation.operator.startsWith("%") ? operation.operand.value : "";
    if (ending !== "")
      return this.#known(parameter).map((value) =>
        value.endsWith(ending) ? value.slice(0, -ending.length) : value,
      );
    const other =
      operation.type === "Default" && /[-=]$/.test(operation.operator) ? operation.operand.value : "";
    return this.#values.has(parameter) && other !== ""
      ? this.#known(parameter)
      : [other === "" ? UNKNOWN : other];
  }

  #substitution(part: Shell.CommandExpansionPart | Shell.ProcessSubstitutionPart): readonly string[] {
    if (this.#depth >= MAX_DEPTH) return [UNKNOWN];
    const start = this.found.length;
    this.#depth += 1;
    this.#apart(part.script?.commands ?? [], { input: [], outputRead: true });
    this.#depth -= 1;
    const last = this.found.length > start ? this.found.at(-1) : undefined;
    const values = last === undefined ? [] : outputOf(last);
    return values.length === 0 ? [UNKNOWN] : values;
  }
}

/** The files in a command's output: patterns of what it finds, or the lines of a file. */
function outputOf({ words: [name = "", ...args], input }: ShellCommand): readonly string[] {
  if (FILTERS.test(name)) {
    const shown = name === "cat" ? args.filter((word) => !word.startsWith("-")) : [];
    return [...shown, ...input];
  }
  if (name === "ls") return args.filter((word) => /^[\w.-]+\/.*\w/.test(word));
  if (name !== "find") return [];
  const end = args.findIndex((word) => /^[-(!]/.test(word));
  const folders = args.slice(0, end < 0 ? args.length : end).map((word) => word.replace(/\/+$/, ""));
  const at = args.findIndex((word) => word === "-name" || word === "-iname");
  const pattern = at < 0 ? "*" : (args[at + 1] ?? "*");
  return folders.filter((folder) => /\w/.test(folder)).map((folder) => `${folder}/**/${pattern}`);
}
