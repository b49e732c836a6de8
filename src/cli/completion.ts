import { Argument, type Command, type Option } from "commander";
import { LIMIT_ANSWERS, optionsOf as answersTo } from "../core/question-options.ts";
import type { RunState } from "../core/state.ts";
import { commandTexts } from "../ui/words/commands.ts";
import { programTexts } from "./words/program.ts";
import type { ListedRun } from "../core/journal/run-store.ts";
import { addFlag } from "./settings/flags.ts";
import { SETTINGS } from "./settings/table.ts";
import type { Io } from "./io.ts";

export interface Suggestion {
  readonly value: string;
  readonly about: string;
}
/** Words to offer, or a kind of path that the shell completes itself. */
export type Suggestions = readonly Suggestion[] | "files" | "dirs";

const MAX_ABOUT_WIDTH = 60;

/** `completion <shell>` prints a script. The script asks the hidden `__complete` for suggestions at the cursor. */
export function addCompletion(program: Command, io: Io): void {
  const words = commandTexts[io.lang].completion;
  const completion = program
    .command("completion")
    .description(words.about)
    .helpOption("-h, --help", programTexts[io.lang].help);
  addFlag(completion, "lang", SETTINGS.lang, io.lang)
    .addArgument(new Argument("<shell>", words.shell).choices(Object.keys(SCRIPTS)))
    .addHelpText("after", words.setUp)
    .action((shell: keyof typeof SCRIPTS) => {
      io.stdout.write(SCRIPTS[shell]);
    });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(async (typed: readonly string[]) => {
      const found = suggest(program, typed, await knownRuns(io));
      io.stdout.write(typeof found === "string" ? `:${found}\n` : found.map(line).join(""));
    });
}

function line({ value, about }: Suggestion): string {
  return about === "" ? `${value}\n` : `${value}\t${about}\n`;
}

/** Errors in the state directory are not reported on TAB. */
async function knownRuns(io: Io): Promise<readonly KnownRun[]> {
  const [{ runStore }, { oneLine }, { cutToWidth }] = await Promise.all([
    import("./run-store.ts"),
    import("../screens/show/run-table.ts"),
    import("../ui/format.ts"),
  ]);
  const aboutOf = (run: ListedRun): string =>
    "state" in run ? oneLine(run.state.settings.task) : run.problem.code;
  try {
    return runStore(io.env)
      .list()
      .map((run) => ({
        value: run.runId,
        about: cutToWidth(aboutOf(run), MAX_ABOUT_WIDTH),
        goesOn: "state" in run && run.state.ended === null,
        answers: "state" in run ? answersOf(run.state) : [],
      }));
  } catch {
    return [];
  }
}

export interface KnownRun extends Suggestion {
  readonly goesOn: boolean;
  /** Possible answers; empty without a question. */
  readonly answers: readonly string[];
}

function answersOf(state: RunState): readonly string[] {
  return state.question ? (answersTo(state) ?? LIMIT_ANSWERS) : [];
}

/** `typed`: the words after the program's name up to the cursor. The last one is unfinished. */
export function suggest(program: Command, typed: readonly string[], runs: readonly KnownRun[]): Suggestions {
  const { before, current } = splitAtCursor(typed);
  const at = before.findIndex((word) => !word.startsWith("-"));
  const command = program.commands.find((known) => known.name() === before[at]);
  if (!command) return at === -1 ? matching(topLevel(program, current), current) : [];
  const { expects, positional } = walk(command, before.slice(at + 1));
  if (expects && !(expects.variadic && current.startsWith("-"))) return valuesOf(expects.option, current);
  if (current.startsWith("-")) return matching(optionsOf(command), current);
  const argument = command.registeredArguments[positional.length];
  return argument ? matching(argumentValues(command, argument, positional, runs), current) : [];
}

/** Splits `--flag=val` into flag and value; bash has already split it at the `=`. */
function splitAtCursor(typed: readonly string[]): { before: readonly string[]; current: string } {
  const isSign = (index: number): boolean =>
    typed[index] === "=" && typed[index - 1]?.startsWith("--") === true;
  const before = typed.slice(0, -1).filter((_, index) => !isSign(index));
  const last = isSign(typed.length - 1) ? "" : (typed.at(-1) ?? "");
  const flag = /^(--[^=]+)=(.*)$/s.exec(last);
  return flag ? { before: [...before, flag[1] ?? ""], current: flag[2] ?? "" } : { before, current: last };
}

function topLevel(program: Command, current: string): readonly Suggestion[] {
  if (current.startsWith("-")) return optionsOf(program);
  const visible = program.createHelp().visibleCommands(program);
  return visible.map((known) => ({ value: known.name(), about: known.description() }));
}

function optionsOf(command: Command): readonly Suggestion[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map((option) => ({ value: option.long ?? option.flags, about: option.description }));
}

interface Place {
  /** The option whose value is at the cursor. `variadic`: the word may also be the next flag. */
  readonly expects: { readonly option: Option; readonly variadic: boolean } | undefined;
  /** Positional arguments before the cursor. */
  readonly positional: readonly string[];
}

function walk(command: Command, words: readonly string[]): Place {
  let expects: Place["expects"];
  const positional: string[] = [];
  for (const word of words) {
    if (expects && !(expects.variadic && word.startsWith("-"))) {
      expects = expects.option.variadic ? { option: expects.option, variadic: true } : undefined;
    } else if (word.startsWith("-")) {
      const option = command.options.find((known) => known.long === word || known.short === word);
      expects = option?.required === true ? { option, variadic: false } : undefined;
    } else positional.push(word);
  }
  return { expects, positional };
}

/** The placeholder in an option's flags shows which kind of value it takes. */
function valuesOf(option: Option, current: string): Suggestions {
  if (option.argChoices) return matching(plain(option.argChoices), current);
  switch (/<(\w+)/.exec(option.flags)?.[1]) {
    case "path":
    case "command":
      return "files";
    case "dir":
      return "dirs";
    default:
      return [];
  }
}

function argumentValues(
  command: Command,
  argument: Argument,
  before: readonly string[],
  runs: readonly KnownRun[],
): readonly Suggestion[] {
  if (argument.argChoices) return plain(argument.argChoices);
  switch (argument.name()) {
    case "run-id":
      return runs.filter((run) => suits(run, command.name()));
    case "answer":
      return plain(runs.find(({ value }) => value === before[0])?.answers ?? LIMIT_ANSWERS);
    default:
      return [];
  }
}

function suits(run: KnownRun, command: string): boolean {
  if (command === "decide") return run.answers.length > 0;
  return command === "resume" || command === "cancel" ? run.goesOn : true;
}

function plain(values: readonly string[]): readonly Suggestion[] {
  return values.map((value) => ({ value, about: "" }));
}

function matching(suggestions: readonly Suggestion[], current: string): readonly Suggestion[] {
  return suggestions.filter(({ value }) => value.startsWith(current));
}

/*
 * The scripts never evaluate the typed line, because a TAB must not run commands inside an unfinished command line. They call
 * the program by its name instead of the typed path, which may lead to another program.
 */
const SCRIPTS = {
  bash: `# bash completion for agent-foreman
_agent_foreman() {
  local current=\${COMP_WORDS[COMP_CWORD]} flag= line
  local -a lines=()
  [[ $current == --*=* ]] && flag=\${current%%=*}=
  while IFS= read -r line; do
    lines+=("$line")
  done < <(agent-foreman __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  case \${lines[0]-} in
    :files) return ;;
    :dirs) compopt +o default -o dirnames 2>/dev/null; return ;;
  esac
  compopt +o default 2>/dev/null
  for line in \${lines[@]+"\${lines[@]}"}; do
    # Only a listing (63) shows what each word is about; anything else would be inserted.
    if [[ $COMP_TYPE == 63 && \${#lines[@]} -gt 1 && $line == *$'\\t'?* ]]; then
      COMPREPLY+=("\${line%%$'\\t'*}  (\${line#*$'\\t'})")
    else
      COMPREPLY+=("$flag\${line%%$'\\t'*}")
    fi
  done
}
complete -o default -F _agent_foreman agent-foreman goldagent
`,
  zsh: `#compdef agent-foreman goldagent
_agent_foreman() {
  local line
  local -a lines described
  lines=("\${(@f)$(agent-foreman __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $PREFIX == --*=* ]] && compset -P '*='
  case $lines[1] in
    :files) _files; return ;;
    :dirs) _files -/; return ;;
  esac
  for line in $lines; do
    described+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  (( $#described )) && _describe -V agent-foreman described
}
if [[ $funcstack[1] == _agent_foreman ]]; then
  _agent_foreman "$@"
elif (( $+functions[compdef] )); then
  compdef _agent_foreman agent-foreman goldagent
fi
`,
  fish: `# fish completion for agent-foreman
function __agent_foreman_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l flag (string match -r -- '^--[^=]+=' $words[-1])
    set -l lines (agent-foreman __complete -- $words[2..-1] 2>/dev/null)
    switch "$lines[1]"
        case :files
            set -l paths (__fish_complete_path (string replace -- "$flag" "" $words[-1]))
            string join \\n -- "$flag"$paths
        case :dirs
            set -l paths (__fish_complete_directories (string replace -- "$flag" "" $words[-1]) "")
            string join \\n -- "$flag"$paths
        case '*'
            string join \\n -- "$flag"$lines
    end
end
complete -c agent-foreman -f -a '(__agent_foreman_complete)'
complete -c goldagent -f -a '(__agent_foreman_complete)'
`,
} as const;
