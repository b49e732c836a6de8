import { forEachChild, parse } from "unbash";
import type * as Shell from "unbash";
import { type Input, innerCommands, MARK, printed, ruleBrokenBy, shellCode, unwrap } from "./danger-rules.ts";

export interface Danger {
  /** Stable snake_case name of the rule. */
  readonly rule: string;
  /** The offending command, at most 200 characters. */
  readonly command: string;
}

/** Linux allows no longer single argument, so a longer command never reaches the shell whole. */
const MAX_INPUT = 128 * 1024;
const MAX_SHOWN = 200;
/** Limits nested nodes, substitutions and evaluated texts together, to avoid a stack overflow. */
const MAX_DEPTH = 400;
/** Characters that variables and evaluated texts may add: `X=$X$X` doubles at every step. */
const MAX_EXPANDED = 4 * MAX_INPUT;
/** Words one word may become through braces and loop variables. */
const MAX_FIELDS = 64;
const MAX_SPLIT = 1024;

const MARKS = /[\uE000-\uE005]/gu;

/**
 * Looks for a command whose damage no work tree can undo. It reads the command as a shell would and follows literal text only.
 * It is advice to an honest user, not a boundary.
 */
export function findDanger(shellCommand: string): Danger | undefined {
  const reader = new Reader();
  const source = shellCommand.slice(0, MAX_INPUT).replaceAll(MARKS, "_");
  // Cut between words: half a path may be a worse path.
  if (shellCommand.length > MAX_INPUT)
    reader.evaluate(source.slice(0, source.lastIndexOf(" ") + 1), TOP, true);
  else reader.evaluate(source, TOP);
  return reader.found;
}

interface Context {
  /** The text that node positions refer to. */
  readonly source: string;
  readonly stdin: string | undefined;
  /** The functions whose body this is, by name, with their text. */
  readonly functions: ReadonlyMap<string, string>;
  readonly background: boolean;
  /** A description for downloaded code, which has no text of its own. */
  readonly origin: string | undefined;
}

const TOP: Context = {
  source: "",
  stdin: undefined,
  functions: new Map(),
  background: false,
  origin: undefined,
};
const NO_INPUT: Input = { stdin: undefined, writes: [] };
const UNKNOWN: readonly string[] = [MARK.unknown];

/** Follows a script without running it; each `run` returns the node's output, as far as it is known. */
class Reader {
  found: Danger | undefined;
  private depth = 0;
  private budget = MAX_EXPANDED;
  private readonly variables = new Map<string, readonly string[]>([["HOME", [MARK.home]]]);

  evaluate(source: string, context: Context, cutShort = false): string | undefined {
    if (!this.spend(source.length)) return undefined;
    const script = parse(source);
    const statements = cutShort ? script.commands : runnable(script, source);
    return joined(statements.map((node) => this.run(node, { ...context, source })));
  }

  private spend(characters: number): boolean {
    if (this.budget < characters) return false;
    this.budget -= characters;
    return true;
  }

  private report(rule: string, text: string): void {
    const shown = text.replaceAll(MARK.home, "~").replaceAll(MARKS, "…").slice(0, MAX_SHOWN);
    this.found ??= { rule, command: shown.replace(/[\uD800-\uDBFF]$/u, "") };
  }

  private run(node: Shell.SyntaxNode, context: Context): string | undefined {
    if (this.found !== undefined || this.depth >= MAX_DEPTH) return undefined;
    this.depth++;
    const output = this.runNode(node, context);
    this.depth--;
    return output;
  }

  private runNode(node: Shell.SyntaxNode, context: Context): string | undefined {
    switch (node.type) {
      case "Script":
        return this.descend(node, { ...context, source: node.source ?? context.source });
      case "Statement":
        return this.run(node.command, node.background === true ? { ...context, background: true } : context);
      case "Pipeline":
        return this.runPipeline(node, context);
      case "Command":
        return this.runCommand(node, context);
      case "Redirected": {
        const input = this.redirects(node.redirects, context);
        this.execute([], input, context, textOf(node, context));
        return this.run(node.command, { ...context, stdin: input.stdin });
      }
      case "Function": {
        const functions = new Map([...context.functions, [node.name.value, textOf(node, context)]]);
        this.run(node.body, { ...context, functions, background: false, stdin: undefined });
        return undefined;
      }
      case "For":
      case "Select": {
        const words = (node.wordlist ?? []).flatMap((word) => this.resolve(word, context));
        this.variables.set(node.name.value, words.length > 0 ? words.slice(0, MAX_FIELDS) : [MARK.unknown]);
        return this.run(node.body, context);
      }
      case "Assignment":
        this.assign(node, context);
        return undefined;
      case "Word":
        this.resolve(node, context);
        return undefined;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion": {
        const { script } = node;
        if (script === undefined || (script.errors ?? []).length > 0) return undefined;
        return this.run(script, { ...context, stdin: undefined });
      }
      default:
        return this.descend(node, context);
    }
  }

  private descend(node: Shell.SyntaxNode, context: Context): string | undefined {
    const outputs: (string | undefined)[] = [];
    forEachChild(node, (child) => outputs.push(this.run(child, context)));
    return joined(outputs);
  }

  private runPipeline(node: Shell.Pipeline, context: Context): string | undefined {
    const names = node.commands.map((stage) => (stage.type === "Command" ? (stage.name?.value ?? "") : ""));
    const selves = names.filter((name) => context.functions.has(name));
    const bomb = selves.find((name, at) => selves.indexOf(name) !== at);
    if (bomb !== undefined) this.report("fork_bomb", context.functions.get(bomb) ?? bomb);
    const origin = node.commands.length > 1 ? textOf(node, context) : context.origin;
    let { stdin } = context;
    for (const stage of node.commands) stdin = this.run(stage, { ...context, stdin, origin });
    return stdin;
  }

  private runCommand(node: Shell.Command, context: Context): string | undefined {
    const bomb = context.background ? context.functions.get(node.name?.value ?? "") : undefined;
    if (bomb !== undefined) this.report("fork_bomb", bomb);
    const argv = node.name === undefined ? [] : this.resolve(node.name, context);
    for (const arg of node.args) {
      if (arg.type === "Word") argv.push(...this.resolve(arg, context));
      else argv.push(`${arg.name}=${this.assign(arg, context)[0] ?? ""}`);
    }
    const input = this.redirects(node.redirects, context);
    const assignments = node.prefix.filter((part) => part.type === "Assignment");
    const before = assignments.map(({ name }) => [name, this.variables.get(name)] as const);
    for (const assignment of assignments) this.assign(assignment, context);
    const output = this.execute(argv, input, context, textOf(node, context));
    // `X=1 command` applies to that command alone, `X=1` to all that follow.
    const undo = node.name === undefined ? [] : before;
    for (const [name, value] of undo) this.variables.set(name, value ?? UNKNOWN);
    return output;
  }

  private execute(argv: readonly string[], input: Input, context: Context, text: string): string | undefined {
    if (this.depth >= MAX_DEPTH) return undefined;
    this.depth++;
    const command = unwrap(argv, input);
    const rule = ruleBrokenBy(command);
    const origin = context.origin ?? text;
    if (rule !== undefined) this.report(rule, rule === "download_to_shell" ? origin : text);
    if (command.name === "read" || command.name === "unset") {
      for (const name of command.args) this.variables.set(name, UNKNOWN);
    }
    const code = shellCode(command);
    const { stdin } = command;
    const output = code === undefined ? printed(command) : this.evaluate(code, { ...context, stdin, origin });
    for (const inner of innerCommands(command)) this.execute(inner, NO_INPUT, context, text);
    this.depth--;
    return output;
  }

  private redirects(all: readonly Shell.Redirection[], context: Context): Input {
    let { stdin } = context;
    const writes: string[] = [];
    for (const redirect of all) {
      const { descriptor } = redirect;
      const isInput = descriptor === undefined || ("value" in descriptor && descriptor.value === 0);
      if (redirect.type === "HereDoc") {
        const { body } = redirect;
        const [text] = body.parts === undefined ? [body.text] : this.quoted(body.parts, context);
        if (isInput) stdin = text;
        continue;
      }
      const words = redirect.target === undefined ? [] : this.resolve(redirect.target, context);
      if (redirect.operator.includes(">")) writes.push(...words);
      else if (redirect.operator === "<<<") stdin = isInput ? words.join(" ") : stdin;
      else if (isInput) stdin = words.find((word) => word.startsWith(MARK.download));
    }
    return { stdin, writes };
  }

  private assign({ name, value, append, index }: Shell.Assignment, context: Context): readonly string[] {
    if (index !== undefined) this.run(index, context);
    const words =
      value.type === "Word"
        ? this.resolve(value, context, true)
        : value.elements.flatMap((element) => this.resolve(element, context));
    const before = append === true ? (this.variables.get(name) ?? []) : [];
    const after = value.type === "Word" && before.length > 0 ? combine(before, words) : [...before, ...words];
    const known = index === undefined && this.spend(size(after));
    this.variables.set(name, known ? after.slice(0, MAX_FIELDS) : UNKNOWN);
    return words;
  }

  /** The words a word becomes; `whole` keeps it in one piece, as assignments do. */
  private resolve(word: Shell.Word, context: Context, whole = false): string[] {
    const { parts } = word;
    if (parts === undefined) return [this.tilde(word.text, word.value)];
    let words: readonly string[] = [""];
    for (const [at, part] of parts.entries()) {
      const leads = at === 0 && part.type === "Literal";
      const ends = leads ? [this.tilde(part.text, part.value)] : this.resolvePart(part, context, whole);
      words = combine(words, ends);
    }
    if (whole) return [...words];
    const quoted = parts.some((part) => /Quoted|LocaleString/u.test(part.type));
    return words.flatMap((text) =>
      text === "" && quoted ? [text] : text.split(MARK.split, MAX_SPLIT).filter((field) => field !== ""),
    );
  }

  /** The text of quoted parts, where nothing splits and no glob counts. */
  private quoted(parts: readonly Shell.WordPart[], context: Context): readonly string[] {
    let words: readonly string[] = [""];
    for (const part of parts) words = combine(words, this.resolvePart(part, context, true));
    return words;
  }

  private resolvePart(part: Shell.WordPart, context: Context, quoted: boolean): readonly string[] {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
        return [part.value];
      case "AnsiCQuoted":
        return [part.value.replaceAll(MARKS, "_")];
      case "DoubleQuoted":
      case "LocaleString":
        return this.quoted(part.parts, context);
      case "SimpleExpansion":
        return expanded(this.lookup(part.text.slice(1)), quoted);
      case "ParameterExpansion":
        return expanded(this.parameter(part, context), quoted);
      case "CommandExpansion":
        return expanded([this.run(part, context)?.trimEnd() ?? MARK.unknown], quoted);
      case "ProcessSubstitution":
        return this.run(part, context)?.includes(MARK.download) === true ? [MARK.download] : UNKNOWN;
      case "Glob":
        this.run(part, context);
        return [quoted ? part.text : part.kind === "star" ? MARK.many : MARK.one];
      case "ExtendedGlob":
        this.run(part, context);
        return part.operator === "!" ? [MARK.many] : UNKNOWN;
      case "BraceExpansion":
        this.run(part, context);
        if (!/^\{[^{}'"\\$`]*\}$/u.test(part.text) || !part.text.includes(",")) return UNKNOWN;
        return expanded(part.text.slice(1, -1).split(","), false);
      case "ArithmeticExpansion":
        this.run(part, context);
        return UNKNOWN;
      default:
        return part satisfies never;
    }
  }

  private parameter(part: Shell.ParameterExpansionPart, context: Context): readonly string[] {
    const { operation, index, prefix } = part;
    if (index !== undefined) this.run(index, context);
    const value = prefix === undefined ? this.lookup(part.parameter) : UNKNOWN;
    if (operation === undefined) return value;
    if (operation.type !== "Default") {
      this.run(operation, context);
      return UNKNOWN;
    }
    const operand = this.resolve(operation.operand, context, true);
    if (operation.operator.endsWith("?")) return value;
    return operation.operator.endsWith("+") || value === UNKNOWN ? operand : value;
  }

  private lookup(name: string): readonly string[] {
    const value = this.variables.get(name) ?? UNKNOWN;
    return this.spend(size(value)) ? value : UNKNOWN;
  }

  private tilde(text: string, value: string): string {
    const user = text.startsWith("~") ? /^~([^/]*)/u.exec(value)?.[1] : undefined;
    if (user === undefined) return value;
    const home = user === "" ? this.lookup("HOME")[0] : /^[+-]/u.test(user) ? MARK.unknown : MARK.home;
    return `${home ?? ""}${value.slice(user.length + 1)}`;
  }
}

function textOf({ pos, end }: { readonly pos: number; readonly end: number }, { source }: Context): string {
  return source.slice(pos, Math.min(end, pos + 2 * MAX_SHOWN));
}

function joined(outputs: readonly (string | undefined)[]): string | undefined {
  const known = outputs.filter((output) => output !== undefined);
  return known.length > 0 ? known.join("\n") : undefined;
}

/** A shell reads line by line, so everything before the line of a syntax error still runs. */
function runnable({ commands, errors = [] }: Shell.ParsedScript, source: string): readonly Shell.Statement[] {
  if (errors.length === 0) return commands;
  const error = errors.reduce((first, { pos }) => Math.min(first, pos), source.length);
  const errorLine = source.slice(0, error).lastIndexOf("\n") + 1;
  // The parser gives an unclosed construct no length.
  const broken = commands.find(({ pos, end }) => pos <= error && (end > errorLine || end === pos));
  const limit = source.slice(0, Math.min(error, broken?.pos ?? error)).lastIndexOf("\n") + 1;
  return commands.filter(({ end }) => end < limit);
}

function combine(starts: readonly string[], ends: readonly string[]): readonly string[] {
  const known = starts.length * ends.length <= MAX_FIELDS ? ends : UNKNOWN;
  return starts.flatMap((start) => known.map((end) => start + end));
}

/** Unquoted, the value of an expansion is split into words and globbed. */
function expanded(values: readonly string[], quoted: boolean): readonly string[] {
  if (quoted) return values;
  return values.map((value) =>
    value.replaceAll(/\s+/gu, MARK.split).replaceAll("*", MARK.many).replaceAll("?", MARK.one),
  );
}

function size(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}
