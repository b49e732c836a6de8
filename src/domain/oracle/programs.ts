import { nameOf } from "./paths.ts";

/** A program that runs another one, which its words name. */
interface Wrapper {
  /** What has to come first for it to be one; null: nothing. */
  readonly verbs: readonly string[] | null;
  /** Options that have a word of their own. */
  readonly values: readonly string[];
  /** Words before the other program's name. */
  readonly operands: number;
}

const PLAIN: Wrapper = { verbs: null, values: [], operands: 0 };
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  ...Object.fromEntries(
    [
      "nohup setsid command exec builtin doas chronic catchsegv cross-env cross-env-shell env-cmd dotenv dotenvx",
      "unbuffer winpty busybox valgrind pnpx bunx uvx",
    ]
      .join(" ")
      .split(" ")
      .map((name) => [name, PLAIN]),
  ),
  env: { ...PLAIN, values: ["-u", "-C", "--unset", "--chdir"] },
  sudo: { ...PLAIN, values: ["-u", "-g", "-h", "-p", "-C"] },
  nice: { ...PLAIN, values: ["-n"] },
  ionice: { ...PLAIN, values: ["-c", "-n"] },
  stdbuf: { ...PLAIN, values: ["-i", "-o", "-e"] },
  "xvfb-run": { ...PLAIN, values: ["-n", "-s", "-e", "-f", "-w"] },
  timeout: { verbs: null, values: ["-s", "-k", "--signal", "--kill-after"], operands: 1 },
  gtimeout: { verbs: null, values: ["-s", "-k"], operands: 1 },
  flock: { verbs: null, values: ["-w", "-E"], operands: 1 },
  direnv: { verbs: ["exec"], values: [], operands: 1 },
  xargs: { ...PLAIN, values: ["-n", "-P", "-I", "-L", "-d", "-a", "-s"] },
  kcov: { ...PLAIN, operands: 1 },
  npx: { ...PLAIN, values: ["-p", "--package", "-c", "--call"] },
  npm: { verbs: ["exec", "x"], values: ["-p", "--package", "-w", "--workspace"], operands: 0 },
  pnpm: { verbs: ["exec", "dlx"], values: ["-C", "--dir", "--filter", "-F"], operands: 0 },
  yarn: { verbs: ["exec", "dlx"], values: ["-p"], operands: 0 },
  bun: { verbs: ["x"], values: [], operands: 0 },
  poetry: { verbs: ["run"], values: ["-C", "--directory"], operands: 0 },
  uv: {
    verbs: ["run"],
    values: ["--with", "--python", "-p", "--group", "--extra", "--env-file"],
    operands: 0,
  },
  pipenv: { verbs: ["run"], values: [], operands: 0 },
  pdm: { verbs: ["run"], values: ["-p"], operands: 0 },
  hatch: { verbs: ["run"], values: ["-e"], operands: 0 },
  rye: { verbs: ["run"], values: [], operands: 0 },
  pixi: { verbs: ["run"], values: ["-e", "--environment"], operands: 0 },
  conda: { verbs: ["run"], values: ["-n", "-p", "--name"], operands: 0 },
  mamba: { verbs: ["run"], values: ["-n", "-p"], operands: 0 },
  micromamba: { verbs: ["run"], values: ["-n", "-p"], operands: 0 },
  bundle: { verbs: ["exec"], values: [], operands: 0 },
  mise: { verbs: ["exec", "x"], values: [], operands: 0 },
  asdf: { verbs: ["exec"], values: [], operands: 0 },
  rbenv: { verbs: ["exec"], values: [], operands: 0 },
  pyenv: { verbs: ["exec"], values: [], operands: 0 },
  doppler: { verbs: ["run"], values: ["-p", "-c"], operands: 0 },
  op: { verbs: ["run"], values: ["--env-file"], operands: 0 },
  c8: { ...PLAIN, values: ["-r", "--reporter", "-x", "-n", "--config", "-c", "-o"] },
  nyc: { ...PLAIN, values: ["-r", "--reporter", "-x", "-n", "--nycrc-path", "--require"] },
  coverage: { verbs: ["run"], values: [], operands: 0 },
};

/** What sets a variable, be it for the shell or for a program that passes it on. */
export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const MAX_WRAPPED = 20;

export interface Program {
  /** Without its path, and without the version that a runner of packages may be asked for. */
  readonly name: string;
  readonly words: readonly string[];
}

/** All programs that a command is, from the outermost to the one that does the work. */
export function programsOf(command: readonly string[]): readonly Program[] {
  const programs: Program[] = [];
  let left: readonly string[] | null = command;
  for (let depth = 0; left !== null && depth < MAX_WRAPPED; depth += 1) {
    const start = left.findIndex((word) => !ASSIGNMENT.test(word));
    const words = start < 0 ? [] : left.slice(start);
    const [first] = words;
    if (first === undefined) break;
    const name = nameOf(first).replace(/(?<=.)@.*$/, "");
    programs.push({ name, words });
    left = wrappedIn(name, words.slice(1));
  }
  return programs;
}

function wrappedIn(name: string, args: readonly string[]): readonly string[] | null {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return null;
  let at = 0;
  if (wrapper.verbs !== null) {
    at = operandAt(args, 0, wrapper.values);
    if (!wrapper.verbs.includes(args[at] ?? "")) return null;
    at += 1;
  }
  // Coverage runs Python: its words are those of the interpreter.
  if (name === "coverage") return ["python", ...args.slice(at)];
  for (let skipped = 0; ; skipped += 1) {
    at = operandAt(args, at, wrapper.values);
    while (ASSIGNMENT.test(args[at] ?? "")) at += 1;
    if (skipped === wrapper.operands) break;
    at += 1;
  }
  return at < args.length ? args.slice(at) : null;
}

/** The place of the first word that is neither an option nor its value. */
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

/** Programs that run the file they are given first, with the options that have a word of their own. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  node: [
    "-r",
    "--require",
    "--import",
    "--loader",
    "--experimental-loader",
    "-C",
    "--conditions",
    "--env-file",
    "--test-reporter",
    "--test-reporter-destination",
    "--test-name-pattern",
  ],
  tsx: ["--tsconfig", "-r", "--require", "--import"],
  "ts-node": ["-P", "--project", "-r", "--require", "-O", "-C"],
  "ts-node-esm": ["-P", "--project"],
  python: ["-W", "-X"],
  perl: [],
  ruby: ["-I", "-r", "-C"],
  php: ["-d", "-c"],
  Rscript: [],
  lua: ["-l"],
  sh: ["-o"],
  source: [],
  zx: [],
  esno: [],
  jiti: [],
  "babel-node": [],
  electron: ["-r"],
  julia: [],
  elixir: ["-r"],
  groovy: [],
  pwsh: ["-File"],
  expect: [],
  tclsh: [],
  luajit: [],
  deno: [],
  bun: [],
};

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);

/** What kind of interpreter a program is, by the name it is known under here. */
export function interpreterNamed(
  name: string,
): { readonly name: string; readonly values: readonly string[] } | null {
  const plain = SHELLS.has(name)
    ? "sh"
    : name === "."
      ? "source"
      : name.replace(/^(python|pypy|perl|ruby|php|lua|node)[\d.]*(?:js)?$/, "$1").replace("pypy", "python");
  const values = Object.hasOwn(INTERPRETERS, plain) ? INTERPRETERS[plain] : undefined;
  return values === undefined ? null : { name: plain, values };
}

const SMALL_PROGRAMS = new Set(
  [
    "[ test expr true false printf echo seq diff cmp comm grep egrep fgrep sed awk sort uniq wc head tail cat cut tr tee find ls cp mv",
    "rm ln mkdir touch chmod date mktemp basename dirname realpath sleep id uname which stat file od xxd md5sum sha256sum tar gzip",
    "make gmake cmake ninja git curl wget jq cc gcc c++ g++ clang clang++ ld ar go cargo rustc java javac mvn gradle dotnet",
    "pytest tox jest vitest mocha ava tap prove bats phpunit rspec ctest",
  ]
    .join(" ")
    .split(" "),
);

/** Whether everybody knows what a program of that name does. */
export function isKnownProgram(name: string): boolean {
  return (
    SMALL_PROGRAMS.has(name) ||
    Object.hasOwn(WRAPPERS, name) ||
    SHELLS.has(name) ||
    interpreterNamed(name) !== null
  );
}
