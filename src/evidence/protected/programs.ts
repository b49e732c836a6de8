import { nameOf } from "../../text/paths.ts";

/** Programs that run another program from their arguments. */
const WRAPPERS = wordSet(
  "nohup setsid command exec builtin doas chronic catchsegv cross-env cross-env-shell env-cmd dotenv dotenvx unbuffer winpty",
  "busybox valgrind pnpx bunx uvx env sudo nice ionice stdbuf xvfb-run timeout gtimeout flock direnv xargs kcov npx npm pnpm yarn",
  "bun poetry uv pipenv pdm hatch rye pixi conda mamba micromamba bundle mise asdf rbenv pyenv doppler op c8 nyc coverage time",
);
/** Some do so only after a certain word. */
const VERBS: readonly (readonly [RegExp, RegExp])[] = [
  [/^npm$/, /^(?:exec|x)$/],
  [/^(?:pnpm|yarn|bun)$/, /^(?!(?:run|run-script|test|t|install|i|ci|add|start|workspaces?)$)/],
  [/^(?:poetry|uv|pipenv|pdm|hatch|rye|pixi|conda|mamba|micromamba|doppler|op|coverage)$/, /^run$/],
  [/^(?:bundle|mise|asdf|rbenv|pyenv|direnv)$/, /^(?:exec|x)$/],
];
const SHELLS = wordSet("sh bash dash zsh ksh ash");
const INTERPRETERS = wordSet(
  "node tsx ts-node ts-node-esm python perl ruby php Rscript lua sh source zx esno jiti babel-node electron julia elixir groovy",
  "pwsh expect tclsh luajit deno bun",
);
const SMALL_PROGRAMS = wordSet(
  "[ test expr true false printf echo seq diff cmp comm grep egrep fgrep sed awk sort uniq wc head tail cat cut tr tee find ls cp mv",
  "rm ln mkdir touch chmod date mktemp basename dirname realpath sleep id uname which stat file od xxd md5sum sha256sum tar gzip",
  "make gmake cmake ninja git curl wget jq cc gcc c++ g++ clang clang++ ld ar go cargo rustc java javac mvn gradle dotnet",
  "pytest tox jest vitest mocha ava tap prove bats phpunit rspec ctest",
);
/** Options of interpreters that take a value. */
export const VALUE_OPTIONS: readonly string[] = [
  ..."-r --require --import --loader --experimental-loader -C --conditions --env-file --test-reporter --test-name-pattern".split(
    " ",
  ),
  ..."--test-reporter-destination --tsconfig -P --project -O -W -X -I -o -l".split(" "),
];
/** Sets a variable, for the shell or for a program that passes it on. */
export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const MAX_WRAPPED = 20;

function wordSet(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split(" ")));
}

export interface Program {
  /** Without its path, and without a version requested from a package runner. */
  readonly name: string;
  readonly words: readonly string[];
}

/** All programs that a command may run. After a program that runs others, each word may name the next until one is known. */
export function programsOf(command: readonly string[]): readonly Program[] {
  const programs: Program[] = [];
  for (const [at, word] of command.entries()) {
    if (
      ASSIGNMENT.test(word) ||
      (programs.length > 0 && word.startsWith("-")) ||
      programs.length >= MAX_WRAPPED
    )
      continue;
    const name = nameOf(word).replace(/(?<=.)@.*$/, "");
    programs.push({ name, words: command.slice(at) });
    const isWrapper = WRAPPERS.has(name) && runsAnother(name, command.slice(at + 1));
    if (!isWrapper && (programs.length === 1 || isKnownProgram(name))) break;
  }
  return programs;
}

function runsAnother(name: string, args: readonly string[]): boolean {
  const verb = VERBS.find(([wrapper]) => wrapper.test(name))?.[1];
  return verb === undefined || args.some((word, at) => at < 3 && !word.startsWith("-") && verb.test(word));
}

/** The index of the first word that is neither an option nor its value. */
export function operandAt(args: readonly string[], from: number, values: readonly string[]): number {
  let at = from;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word === "--") return at + 1;
    if (!word.startsWith("-") || word === "-") return at;
    at += values.includes(word) ? 2 : 1;
  }
  return at;
}

/** The canonical name of an interpreter. */
export function interpreterNamed(name: string): string | null {
  const plain = SHELLS.has(name)
    ? "sh"
    : name === "."
      ? "source"
      : name.replace(/^(python|pypy|perl|ruby|php|lua|node)[\d.]*(?:js)?$/, "$1").replace("pypy", "python");
  return INTERPRETERS.has(plain) ? plain : null;
}

/** Whether this is a well-known program. */
export function isKnownProgram(name: string): boolean {
  return (
    SMALL_PROGRAMS.has(name) || WRAPPERS.has(name) || SHELLS.has(name) || interpreterNamed(name) !== null
  );
}
