import { globMatcher } from "../../text/globs.ts";
import { isFixture, isTestPath } from "./test-paths.ts";
import { traceBuild } from "./ecosystems/builds.ts";
import { traceInterpreter } from "./ecosystems/interpreters.ts";
import { traceScripts, traceTasks } from "./ecosystems/node.ts";
import { tracePython } from "./ecosystems/python.ts";
import { shellCommands, UNKNOWN, type ShellCommand } from "./ecosystems/shell.ts";
import { isTestedLibrary } from "./ecosystems/shell-libraries.ts";
import { hasCheckerName, hasRunnerName } from "./judging.ts";
import { mentionedIn, partsOf } from "./parts.ts";
import { folderOf, inFolder, matching, resolved, shellMatching } from "../../text/paths.ts";
import { ASSIGNMENT, interpreterNamed, programsOf } from "./programs.ts";
import { isExpectation, isShellScript, namedByOptions, withEndings } from "./script-text.ts";
import type { TraceResult } from "./trace-result.ts";
import { foldersFor, type ExecContext, type Snapshot, type Walk } from "./walk.ts";

/** Scripts may call each other in circles, and an unusual base may generate endless new words. */
const MAX_STEPS = 100_000;
const MAX_TESTS = 5000;
const MAX_SHELL_TESTS = 200;
const MAX_WORDS = 1000;
const MAX_PATTERNS = 500;
/** Tests whose texts are read for what they load and run. */
const READ_TEST = /\.(?:[cm]?[jt]sx?|py|go|rb|php|pl|lua|(?:ba|z|k)?sh|bats|t)$|(?:^|\/)[^/.]+$/;
const PATTERN = /[*?[]/;
const HOLDS_TESTS = /\bTestCase\b|^[ \t]*(?:async[ \t]+)?def test\w*\(|\bload_tests\b/m;
/** Folders of programs that a loop may run to check that they work. */
const PROGRAMS = /(?:^|\/)(?:s?bin|libexec|examples?|demos?|samples)\//;
/** Files that the test process can load. */
const LOADED = /\.(?:[cm]?[jt]sx?|py|rb|php)$/;
const COVERAGE = /^--(?:cov|coverage|experimental-test-coverage)(?:$|[=.])/;
const READS = /^(?:\.|source)$/;
/** A pattern in a folder beside a script. */
const BESIDE_SCRIPT = /^\0\/[\w.-]+\/[^\0]+$/;

/** Traces everything that the test commands and tests run, without running it. */
export function trace(base: Snapshot, commands: readonly string[], cwd: string): TraceResult {
  const first = new CommandTracer(base, cwd, null);
  first.trace(commands);
  // A program whose output is read is the product, even if other files run it; folders of programs are known only now.
  const isProduct = (path: string, isRun?: boolean): boolean =>
    base.isProduct(path, isRun) || first.readOutputs.has(path);
  const tracer = new CommandTracer({ ...base, isProduct }, cwd, first);
  tracer.trace(commands);
  const { scripts, anywhere, tools } = tracer;
  if (tools.has("tsc") || tools.has("vue-tsc")) tracer.made.add("**/*.tsbuildinfo");
  // A generated file in the tree may be needed where it is not generated.
  const made = [...tracer.made].filter((pattern) => matching(base.files, pattern).length === 0);
  const isMade = globMatcher(made.map((pattern) => `./${pattern}`));
  return Object.assign(tracer, { uses: { scripts, anywhere, tools, isMade } });
}

class CommandTracer implements Walk {
  readonly scripts = new Map<string, Set<string>>();
  readonly anywhere = new Set<string>();
  readonly tools = new Set<string>();
  readonly executed = new Set<string>();
  readonly named = new Set<string>();
  readonly before = new Set<string>();
  readonly awaited = new Set<string>();
  readonly helpers = new Set<string>();
  readonly made = new Set<string>();
  readonly importFolders = new Set<string>();
  readonly programFolders: Set<string>;
  readonly called = new Set<string>();
  readonly programs = new Set<string>();
  /** Files of the base whose output is read. */
  readonly readOutputs = new Set<string>();
  readonly base: Snapshot;
  readonly root: string;
  readonly #isFirst: boolean;
  readonly #seen = new Set<string>();
  #shellTests: readonly ShellCommand[] | null = null;
  /** The number of patterns matched against all files. */
  #patterns = 0;
  /** A list instead of recursion, because the depth is unlimited. */
  readonly #left: (() => void)[] = [];

  constructor(base: Snapshot, root: string, earlier: CommandTracer | null) {
    this.base = base;
    this.root = root;
    this.programFolders = new Set(earlier?.programFolders);
    this.#isFirst = earlier === null;
  }

  trace(commands: readonly string[]): void {
    const where = { folders: [this.root], home: null, outputRead: false, byTest: false };
    for (const command of commands) this.text(command, where);
    this.#finish();
    const tests = [...this.base.files].filter(
      (path) => isTestPath(path) && READ_TEST.test(path) && !isFixture(path),
    );
    for (const path of tests.slice(0, MAX_TESTS)) this.#left.push(() => this.#read(path, [""]));
    this.#finish();
  }

  #finish(): void {
    for (let steps = 0; steps < MAX_STEPS && this.#left.length > 0; steps += 1) this.#left.pop()?.();
  }

  useScript(file: string, name: string): void {
    this.scripts.set(file, (this.scripts.get(file) ?? new Set()).add(name));
  }

  useTool(name: string): void {
    this.tools.add(name);
    this.programs.add(name);
  }

  useFile(path: string): void {
    (this.base.files.has(path) ? this.named : this.awaited).add(path);
  }

  test(word: string, where: ExecContext): void {
    const places = this.#places(word, where);
    const isPattern = PATTERN.test(word);
    if (isPattern) this.#patterns += 1;
    if (this.#patterns > MAX_PATTERNS) return;
    const found = places.flatMap((place) =>
      isPattern ? shellMatching(this.base.files, place) : this.base.files.has(place) ? [place] : [],
    );
    for (const path of found.slice(0, MAX_TESTS)) {
      if (isPattern && PROGRAMS.test(path) && !hasCheckerName(path)) continue;
      const isNamed =
        !isPattern &&
        HOLDS_TESTS.test(this.base.read(path) ?? "") &&
        !this.base.imports.isLoadedByProduct(path, () => false) &&
        this.base.imports.loadedBy(path).some((other) => other !== path);
      if (isNamed || !this.base.isProduct(path) || this.base.isForTests(path))
        this.#add(this.helpers, path, where.folders);
    }
  }

  text(text: string, where: ExecContext, args: readonly string[] = []): void {
    const key = JSON.stringify([text, where, args]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#left.push(() => this.#text(text, where, args));
  }

  run(word: string, where: ExecContext, args: readonly string[] = []): void {
    this.#left.push(() => this.#run(word, where, args));
  }

  command(words: readonly string[], where: ExecContext): void {
    this.#left.push(() => this.#command(words, [], where));
  }

  #text(text: string, where: ExecContext, args: readonly string[]): void {
    if (!where.byTest) this.checkers(text, where);
    const commands = shellCommands(text, args);
    for (const command of commands) {
      const outputRead = where.outputRead || command.outputRead;
      const here = { ...where, outputRead, folders: foldersFor(command.folders, where) };
      if (READS.test(command.words[0] ?? "")) this.#library(command.words[1] ?? "", here, commands);
      this.#command(command.words, command.input, here);
    }
  }

  checkers(text: string, where: ExecContext): void {
    for (const path of mentionedIn(this.base, text, where.folders))
      if (this.base.isHelper(`${folderOf(path)}/x`, false) && !this.base.isProduct(path))
        this.#add(this.helpers, path, where.folders);
  }

  #library(word: string, where: ExecContext, commands: readonly ShellCommand[]): void {
    const [path] = this.#isFirst ? this.#placesOf(word, where) : [];
    if (path === undefined || isTestPath(path) || this.base.isHelper(path, true) || hasCheckerName(path))
      return;
    const readers = [...commands, ...this.#ofShellTests()];
    if (isTestedLibrary(this.base.read(path) ?? "", readers)) this.readOutputs.add(path);
  }

  /** A file that one test script sources is available to others. */
  #ofShellTests(): readonly ShellCommand[] {
    this.#shellTests ??= [...this.base.files]
      .filter((path) => isTestPath(path) && /\.(?:ba)?sh$/.test(path) && !isFixture(path))
      .slice(0, MAX_SHELL_TESTS)
      .flatMap((path) => shellCommands(this.base.read(path) ?? ""));
    return this.#shellTests;
  }

  /** A missing file that would matter if it existed. */
  awaitFile(word: string, where: ExecContext): void {
    if (this.#placesOf(word, where).length > 0) return;
    for (const place of this.#places(word, where)) if (!isTestPath(place)) this.awaited.add(place);
  }

  #command(all: readonly string[], input: readonly string[], where: ExecContext): void {
    const words = all.slice(0, MAX_WORDS);
    const programs = programsOf(words);
    for (const word of words) if (ASSIGNMENT.test(word)) this.#assigned(word, where);
    programs.forEach(({ name, words: [first = ""] }, depth) => {
      this.programs.add(name);
      if (!where.byTest) this.tools.add(name);
      if (!where.byTest && !where.outputRead && !first.includes("/")) this.called.add(first);
      if (first.includes("/") || depth > 0) this.#run(first, where);
      else
        for (const folder of this.programFolders)
          this.#run(inFolder(folder, first), { ...where, folders: [""] });
    });
    if (!where.byTest && words.some((word) => COVERAGE.test(word))) this.useTool("coverage");
    const last = programs.at(-1);
    if (last === undefined) return;
    this.#options(last.name, [...words, ...input], where);
    const isText = /^(?:sh|eval|concurrently|conc)$/.test(interpreterNamed(last.name) ?? last.name);
    const isWhole = last.name === "eval" || last.words.some((word) => /^-[a-z]*c$/.test(word));
    for (const word of isText ? last.words.slice(1) : [])
      if (/\w\s+\S/.test(word)) this.text(word, where);
      else if (isWhole) this.#run(word, where);
    if (programs[0]?.name === "find") {
      const at = words.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
      if (at >= 0) this.command(words.slice(at + 1), where);
    }
    for (const { words: own } of programs) {
      traceScripts(this, own, where);
      traceTasks(this, own, where);
    }
    traceBuild(this, last.words, where);
    if (!where.byTest) tracePython(this, last, where);
    const isFed = programs.some(({ name }) => name === "xargs");
    traceInterpreter(this, last, { input, isFed }, where);
  }

  #assigned(assignment: string, where: ExecContext): void {
    const value = assignment.slice(assignment.indexOf("=") + 1);
    const parts = value.split(":").filter((part) => part !== "");
    if (assignment.startsWith("PYTHONPATH"))
      for (const place of parts.flatMap((part) => where.folders.map((folder) => resolved(folder, part))))
        if (place !== null) this.importFolders.add(place);
    if (assignment.startsWith("PATH="))
      for (const part of parts.filter((one) => /\w/.test(one)))
        for (const place of this.#places(part, where)) this.programFolders.add(place);
    this.#options("node", value.split(/\s+/), where);
  }

  #run(word: string, where: ExecContext, args: readonly string[] = []): void {
    if (word.indexOf(UNKNOWN) > 0) this.#run(word.replaceAll(UNKNOWN, "*"), where);
    else if (PATTERN.test(word)) {
      if (!where.outputRead && !where.byTest && (!word.includes(UNKNOWN) || BESIDE_SCRIPT.test(word)))
        this.test(word, where);
    } else {
      for (const path of this.#placesOf(word, where)) this.#runFile(path, where, args);
      const isPart = where.home !== null && !where.outputRead && !where.byTest;
      if (isPart && /\.(?:ba)?sh$/.test(word)) this.awaitFile(word, where);
    }
  }

  #runFile(path: string, where: ExecContext, args: readonly string[]): void {
    if (where.byTest && this.base.isForTests(path)) this.#add(this.helpers, path, where.folders);
    else if (this.base.isProduct(path, !where.byTest) || (where.byTest && isTestPath(path))) return;
    else if (where.outputRead && !hasCheckerName(path)) this.readOutputs.add(path);
    else if (!where.byTest) this.#add(this.executed, path, where.folders, args);
    else if (this.base.isHelper(path, true)) this.#add(this.helpers, path, where.folders);
  }

  #add(among: Set<string>, path: string, folders: readonly string[], args: readonly string[] = []): void {
    if (among.has(path)) return;
    among.add(path);
    this.#left.push(() => this.#read(path, folders, args));
  }

  /** Follows the programs and imports of a script or test. */
  #read(path: string, folders: readonly string[], args: readonly string[] = []): void {
    const text = this.base.read(path);
    if (text === null) return;
    const isRun = this.executed.has(path);
    const byTest = !isRun || (isTestPath(path) && !hasRunnerName(path));
    if (isShellScript(path, text, isRun)) {
      this.text(text, { folders, home: folderOf(path), outputRead: false, byTest }, args);
      return;
    }
    // Imports of tests say nothing about output.
    if (byTest && this.#isFirst) return;
    for (const part of partsOf(this.base, this.root, { path, text, isRun, byTest }))
      this.#add(byTest ? this.helpers : this.executed, part, folders);
  }

  #places(word: string, { folders, home }: ExecContext): string[] {
    const unknown = word.lastIndexOf(UNKNOWN);
    const known = unknown < 0 ? word : word.slice(unknown + 1).replace(/^\/+/, "");
    const from = unknown < 0 ? folders : [home ?? this.root, ...folders, this.root, ""];
    const places = from.flatMap((start) => resolved(start, known) ?? []);
    return [...new Set(places.filter((place) => place !== ""))];
  }

  #placesOf(word: string, where: ExecContext): string[] {
    return this.#places(word, where).filter((place) => this.base.files.has(place));
  }

  #options(program: string, words: readonly string[], where: ExecContext): void {
    for (const word of namedByOptions(program, words)) {
      if (word.includes("*"))
        for (const place of this.#places(word.replaceAll(UNKNOWN, "*"), where))
          for (const path of shellMatching(this.base.files, place))
            if (isExpectation(path) && !this.base.isProduct(path)) this.named.add(path);
      const [path] = (word.includes("/") ? withEndings("", word) : [word]).flatMap((name) =>
        this.#placesOf(name, where),
      );
      if (path === undefined) continue;
      if (!this.base.isProduct(path)) this.named.add(path);
      if (LOADED.test(path)) this.before.add(path);
    }
  }
}
