import { extensionOf, folderOf, inFolder, nameOf, resolved } from "../../text/paths.ts";

const SHEBANG = /^#!.*\b(?:ba|da|z|k)?sh\b/;

/** A file given to a shell is a shell script, whatever its name. */
export function isShellScript(path: string, text: string, isRun: boolean): boolean {
  const extension = extensionOf(nameOf(path));
  if (/^\.(?:(?:ba|z|k)?sh|bats)$/.test(extension)) return true;
  return /^(?:\.t)?$/.test(extension) && (SHEBANG.test(text) || (isRun && !text.startsWith("#!")));
}

/** A quoted path that is loaded, read or run: relative to the text's folder or its working directory. */
const QUOTED = /["'`](?:(\.{1,2}\/[\w@./-]{1,200})|([\w@-]{1,100}\/[\w@./-]{1,200}))["'`]/g;
const PY_IMPORT =
  /^[ \t]*(?:from[ \t]+(\.{0,9})([\w.]{0,300})[ \t]+import[ \t(]+([\w*, \t]{1,500})|import[ \t]+([\w.]+))/gm;
const ENDINGS = [
  ...["", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".rb"],
  ...["/index.js", "/index.ts", "/index.tsx"],
];
const PY_ENDINGS = [".py", "/__init__.py"];

/** Files that a script may load, read or run, existing or not; it runs in one of the given folders. */
export function filesIn(path: string, text: string, folders: readonly string[]): string[] {
  const own = folderOf(path);
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, beside, below = ""]) =>
    beside === undefined
      ? folders.flatMap((folder) => resolved(folder, below) ?? [])
      : withEndings(own, beside, ENDINGS),
  );
  if (extensionOf(nameOf(path)) !== ".py") return quoted;
  const imported = [...text.matchAll(PY_IMPORT)].flatMap(
    ([, dots = "", from = "", names = "", plain = ""]) => {
      const start = `${"../".repeat(Math.max(0, dots.length - 1))}${from}${plain}`.replace(/(?<=\w)\./g, "/");
      const within = names.split(",").map((name) => inFolder(start, name.trim().split(/\s/)[0] ?? ""));
      const places = dots === "" ? [own, ...folders] : [own];
      return places.flatMap((place) =>
        [start, ...within].flatMap((name) => withEndings(place, name, PY_ENDINGS)),
      );
    },
  );
  return [...quoted, ...imported];
}

/** In the order that loaders use. TypeScript is imported by the name of its output. */
export function withEndings(folder: string, name: string, endings: readonly string[] = ENDINGS): string[] {
  const path = resolved(folder, name);
  if (path === null) return [];
  const source = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  return [...endings.map((ending) => `${path}${ending}`), ...(source === path ? [] : [source])];
}

const LONG_OPTION =
  /^--(?:config|conf|rcfile|rcdir|settings|setup\w*|global-?[sS]etup|require|import|loader|experimental-loader|preset|env-file|ini|ignore-path|ignore-file|baseline|project|tsconfig|makefile|justfile|file|reporters?|test-reporter|test-global-setup|preload|transform|plugin|bootstrap|configuration|nycrc-path|dotenv)(?:[-_][\w-]+)?(?:=([^]*))?$/;
/** Short options differ between programs. */
const SHORT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "-c": "pytest jest eslint vitest playwright stylelint prettier cypress nyc c8 phpunit tox ruff".split(" "),
  "-f": "make gmake just awk gawk jq sed docker docker-compose".split(" "),
  "-p": "tsc vue-tsc".split(" "),
  "-P": ["ts-node"],
  "-r": "node mocha ts-node tsx tape nyc ava jasmine ruby rspec".split(" "),
};
/** Names of expected results. */
const EXPECTED = /(?:^|[._-])(?:expect(?:ed|ations?)?|golden|reference|baseline|want(?:ed)?)(?:[._-]|$)/i;
const EXPECTED_FOLDER = /(?:^|\/)(?:expect(?:ed|ations)?|goldens?|snapshots|__snapshots__|fixtures)\//;

/**
 * The words of a command that name its configuration, preloaded code and expected results. Other words are its input: `grep -q done notes.md`
 * is about the notes.
 */
export function namedByOptions(program: string, words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const long = LONG_OPTION.exec(word);
    const short = Object.hasOwn(SHORT_OPTIONS, word) ? SHORT_OPTIONS[word] : undefined;
    const value = long?.[1] ?? (long !== null || short?.includes(program) ? words[at + 1] : undefined);
    if (value !== undefined) return [value];
    // Compilers and similar programs read further options from there.
    if (/^@[\w.-]/.test(word)) return [word.slice(1)];
    return isExpectation(word) ? [word] : [];
  });
}

export function isExpectation(path: string): boolean {
  return EXPECTED.test(nameOf(path)) || EXPECTED_FOLDER.test(path);
}

const BEFORE_COMMAND = /^(?:-\s*)?(?:(?:cmd:|commands\w*\s*=)\s*)?(?:-\s*)?/;
/** Unlike the shell's own braces, a placeholder ends without a semicolon. */
const PUT_IN = /\$?\{{1,2}[^{};]*\}{1,2}/g;

/** The possible commands in a tox or task file: lines of sections with commands, without placeholders. */
export function shellLines(text: string): string[] {
  let inside = true;
  return text.split("\n").flatMap((line) => {
    const section = /^\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) inside = /^(?:tox:)?testenv/.test(section);
    const command = line.trim().replace(BEFORE_COMMAND, "");
    return inside && section === undefined ? [command.replace(PUT_IN, "$${_}")] : [];
  });
}
