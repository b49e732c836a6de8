import { globMatcher } from "../board/globs.ts";
import { ExpectedData } from "./expected-data.ts";
import { ASKS, fedTo, folderIn, found as foundBy, isPlace, listedIn, plain, READS } from "./follow-input.ts";
import { partsOf } from "./follow-parts.ts";
import { followProgram } from "./follow-programs.ts";
import type { Followed } from "./followed.ts";
import { isCalledJudge, isCalledRunner } from "./judging.ts";
import { isFixture, isTestPath } from "./names.ts";
import { folderOf, inFolder, matching, resolved, shellMatching } from "./paths.ts";
import { ASSIGNMENT, interpreterNamed, operandAt, programsOf } from "./programs.ts";
import { conditionsIn, isShellScript, namedByOptions, withEndings } from "./script-text.ts";
import { makesTests, optionalIn } from "./shell-uses.ts";
import { shellCommands, type Scope, type ShellCommand } from "./shell-commands.ts";
import { Libraries } from "./shell-libraries.ts";
import type { Loop } from "./shell-source.ts";
import { NOWHERE, type Base, type Walk, type Where } from "./walk.ts";

/** Scripts may call each other in circles, and a strange base in ever new words. */
const MAX_STEPS = 100_000;
const MAX_TESTS = 5000;
/** Tests that are looked at for what they load and run. */
const READ_TEST = /\.(?:[cm]?[jt]sx?|py|go|rb|php|pl|lua|(?:ba|z|k)?sh|bats|t)$|(?:^|\/)[^/.]+$/;
/** A word may hand all that follow it on to the next program: it would take as long as their square. */
const MAX_WORDS = 1000;
/** Of a loop's words, those that are put in place of its variable. */
const MAX_LOOPED = 50;
const MAX_PATTERNS = 500;
const PATTERN = /[*?[]/;
/** Folders of what somebody may go through to see whether it runs at all. */
const PROGRAMS = /(?:^|\/)(?:s?bin|libexec|examples?|demos?|samples)\//;
/** What can be loaded into the process that runs the tests. */
const LOADED = /\.(?:[cm]?[jt]sx?|py|rb|php)$/;
/** By which runners are asked for the share of the code that is tested. */
const COVERAGE = /^--(?:cov|coverage|experimental-test-coverage)(?:$|[=.])/;
/** By which npm hands on what package.json says below `config`. */
const PACKAGE_SETTING = /npm_package_config_(\w+)/g;

/** From the test commands, and from the tests, to all that they run, without running anything. */
export function follow(base: Base, commands: readonly string[], cwd: string): Followed {
  const first = new Follower(base, cwd, null);
  first.follow(commands);
  // What is printed somewhere and read there is what is tested, whoever else runs it; and where programs lie is known only now.
  const isProduct = (path: string, isRun?: boolean): boolean =>
    base.isProduct(path, isRun) || first.readOutputs.has(path);
  const follower = new Follower({ ...base, isProduct }, cwd, first);
  follower.follow(commands);
  const { scripts, anywhere, tools, settings, conditions } = follower;
  if (tools.has("tsc") || tools.has("vue-tsc")) follower.made.add("**/*.tsbuildinfo");
  // What is kept in the tree though it is made may be needed where nobody makes it.
  const made = [...follower.made].filter((pattern) => matching(base.files, pattern).length === 0);
  const isMade = globMatcher(made.map((pattern) => `./${pattern}`));
  return { ...follower.found, uses: { scripts, anywhere, tools, settings, conditions, isMade } };
}

class Follower implements Walk {
  readonly scripts = new Map<string, Set<string>>();
  readonly anywhere = new Set<string>();
  readonly tools = new Set<string>();
  readonly settings = new Set<string>();
  readonly conditions = new Set<string>();
  readonly executed = new Set<string>();
  readonly named = new Set<string>();
  readonly before = new Set<string>();
  readonly awaited = new Set<string>();
  readonly helpers = new Set<string>();
  readonly made = new Set<string>();
  readonly importFolders = new Set<string>();
  readonly programFolders: Set<string>;
  readonly headerFolders = new Set<string>();
  readonly sourceFolders = new Set<string>();
  readonly called = new Set<string>();
  readonly programs = new Set<string>();
  /** Files of the base whose output somebody reads. */
  readonly readOutputs = new Set<string>();
  readonly base: Base;
  readonly root: string;
  readonly #isFirst: boolean;
  readonly #libraries: Libraries;
  readonly #expected: ExpectedData;
  readonly #seen = new Set<string>();
  /** How many were looked up among all files. */
  #patterns = 0;
  /** A list and no recursion: how deep it goes is not ours to say. */
  readonly #left: (() => void)[] = [];

  constructor(base: Base, root: string, earlier: Follower | null) {
    this.base = base;
    this.root = root;
    this.programFolders = new Set(earlier?.programFolders);
    this.#isFirst = earlier === null;
    this.#libraries = new Libraries(base);
    this.#expected = new ExpectedData(base);
  }

  get found(): Omit<Followed, "uses"> {
    const { executed, helpers, named, before, awaited, importFolders, programFolders } = this;
    const { called, programs, headerFolders, sourceFolders } = this;
    return {
      expected: this.#expected.found,
      executed,
      helpers,
      named,
      before,
      awaited,
      importFolders,
      programFolders,
      called,
      programs,
      headerFolders,
      sourceFolders,
    };
  }

  follow(commands: readonly string[]): void {
    for (const command of commands) this.text(command, { ...NOWHERE, folder: this.root });
    this.#finish();
    let tests = 0;
    for (const path of this.base.files)
      if (tests < MAX_TESTS && isTestPath(path) && READ_TEST.test(path) && !isFixture(path)) {
        tests += 1;
        this.#left.push(() => this.#read(path, null));
      }
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
    if (this.base.files.has(path)) this.named.add(path);
    else this.awaited.add(path);
  }

  useProgram(path: string): void {
    if (this.base.files.has(path)) this.#add(this.executed, path, folderOf(path));
    else this.awaited.add(path);
  }

  test(word: string, where: Where): void {
    const places = this.#places(word, where);
    const isPattern = PATTERN.test(word);
    if (isPattern) this.#patterns += 1;
    if (this.#patterns > MAX_PATTERNS) return;
    const found = isPattern
      ? places.flatMap((place) => shellMatching(this.base.files, place))
      : places.filter((place) => this.base.files.has(place)).slice(0, 1);
    for (const path of found.slice(0, MAX_TESTS)) {
      if (isPattern && PROGRAMS.test(path) && !isCalledJudge(path)) continue;
      const isNamed = !isPattern && this.base.python.isNamedTest(path);
      if (isNamed || !this.base.isProduct(path) || this.base.isForTests(path))
        this.#add(this.helpers, path, where.folder);
    }
  }

  text(text: string, where: Where): void {
    const key = JSON.stringify([text, where]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#left.push(() => this.#text(text, where));
  }

  command(words: readonly string[], where: Where): void {
    this.#left.push(() => this.#command(words, where));
  }

  run(word: string, where: Where): void {
    this.#left.push(() => this.#run(word, where));
  }

  #text(text: string, where: Where): void {
    const folders = new Map<Scope | null, string | null>([[null, where.folder]]);
    for (const [, name = ""] of text.matchAll(PACKAGE_SETTING)) this.settings.add(name);
    const asked = new Set<string>();
    const commands = shellCommands(text);
    this.#expected.look(commands, (word) => this.#places(word, where));
    for (const word of optionalIn(commands))
      if (this.#placeOf(word, where) === null)
        this.#places(word, where).forEach((one) => this.awaited.add(one));
    for (const command of commands) {
      const { words, scope, loop, source } = command;
      const folder = folderIn(folders, scope);
      folders.set(scope, folder);
      const outputRead = command.outputRead && !makesTests(command, commands);
      const here = { ...where, folder, outputRead: where.outputRead || outputRead };
      if (ASKS.test(words[0] ?? "") && /^-[efrs]$/.test(words[1] ?? "")) asked.add(plain(words[2] ?? ""));
      if (READS.test(words[0] ?? "") && asked.has(plain(words[1] ?? "")))
        this.awaitRead(words[1] ?? "", here);
      if (READS.test(words[0] ?? "")) this.#library(words[1] ?? "", here, commands);
      const fed = fedTo(words, source);
      for (const word of [...fed.runs, ...fed.lists.flatMap((list) => this.#listed(list, here))])
        this.run(word, here);
      if (loop !== null) this.#looped(words, loop, here);
      if (words[0] === "cd" || words[0] === "pushd") {
        const to = words[operandAt(words, 1, [])] ?? "";
        folders.set(scope, folder === null || /\0|^$/.test(to) ? null : resolved(folder, to));
      } else this.command(words.slice(0, MAX_WORDS), here);
    }
  }

  /** With what its loop goes through in place of the variable; what the loop has listed by a file is decided there. */
  #looped(words: readonly string[], { words: plainly, source }: Loop, where: Where): void {
    const at = words.findIndex((word) => /^[^\0]*\0[^\0]*$/.test(word));
    if (at < 0 || at > 1) return;
    const isRun = at === 0 || interpreterNamed(words[0] ?? "") !== null;
    const lists = isRun ? source.inputs.flatMap((list) => this.#listed(list, where)) : [];
    for (const value of [...plainly, ...foundBy(source.fedBy), ...lists].slice(0, MAX_LOOPED))
      if (isPlace(value)) {
        const word = (words[at] ?? "").replace("\0", () => value);
        if (at === 0) this.run(word, where);
        else this.command(words.slice(0, MAX_WORDS).with(at, word), where);
      }
  }

  /** What a file lists that is to be run: it decides, and would if it were there. */
  #listed(list: string, where: Where): string[] {
    const path = this.#placeOf(list, where);
    if (path === null) this.awaitRead(list, where);
    if (path === null || this.base.isProduct(path)) return [];
    this.named.add(path);
    return listedIn(this.base.read(path) ?? "");
  }

  /** What is read into a script is what it tests, if it goes by what that prints. */
  #library(word: string, where: Where, commands: readonly ShellCommand[]): void {
    const path = this.#isFirst ? this.#placeOf(word, where) : null;
    if (path === null || isTestPath(path) || this.base.isHelper(path, true) || isCalledJudge(path)) return;
    if (this.#libraries.isTested(path, commands)) this.readOutputs.add(path);
  }

  awaitRead(word: string, where: Where): void {
    if (word.includes("\0") || this.#placeOf(word, where) !== null) return;
    for (const place of this.#places(word, where)) if (!isTestPath(place)) this.awaited.add(place);
  }

  #command(words: readonly string[], where: Where): void {
    const programs = programsOf(words);
    for (const word of words) if (ASSIGNMENT.test(word)) this.#assigned(word, where);
    programs.forEach(({ name, words: [first = ""] }, depth) => {
      this.programs.add(name);
      if (!where.byTest) this.tools.add(name);
      if (!where.byTest && !where.outputRead && !first.includes("/")) this.called.add(first);
      // In the place of a program it would be what a choice (`case`) is made by.
      if (PATTERN.test(first)) return;
      if (first.includes("/") || depth > 0) this.#run(first, where);
      else
        for (const folder of this.programFolders)
          this.#run(inFolder(folder, first), { ...where, folder: "" });
    });
    if (!where.byTest && words.some((word) => COVERAGE.test(word))) this.useTool("coverage");
    const last = programs.at(-1);
    if (last === undefined) return;
    if (!where.byTest) this.#expected.lookGiven(last.words, (word) => this.#places(word, where));
    this.#options(last.name, words, where);
    followProgram(this, last, where);
  }

  #assigned(assignment: string, where: Where): void {
    const value = assignment.slice(assignment.indexOf("=") + 1);
    if (assignment.startsWith("PYTHONPATH"))
      for (const part of value.split(":")) {
        const folder = resolved(where.folder ?? this.root, part);
        if (folder !== null) this.importFolders.add(folder);
      }
    if (assignment.startsWith("PATH="))
      for (const part of value.split(":"))
        if (/\w/.test(part)) for (const place of this.#places(part, where)) this.programFolders.add(place);
    this.#options("node", value.split(/\s+/), where);
  }

  #run(word: string, where: Where): void {
    if (PATTERN.test(word)) {
      if (!where.outputRead && !where.byTest && isPlace(word)) this.test(word, where);
      return;
    }
    const path = this.#placeOf(word, where);
    const isJudge = path !== null && !where.byTest && !where.outputRead && this.base.python.isJudge(path);
    if (path === null) this.#await(word, where);
    else if (isJudge) this.#add(this.executed, path, where.folder);
    else if (where.byTest && this.base.isForTests(path)) this.#add(this.helpers, path, where.folder);
    else if (this.base.isProduct(path, !where.byTest) || (where.byTest && isTestPath(path))) return;
    else if (where.outputRead && !isCalledJudge(path)) this.readOutputs.add(path);
    else if (!where.byTest) this.#add(this.executed, path, where.folder);
    else if (this.base.isHelper(path, true)) this.#add(this.helpers, path, where.folder);
  }

  /** A script that is run if it is there. */
  #await(word: string, where: Where): void {
    if (where.home === null || where.outputRead || where.byTest || !/\.(?:ba)?sh$/.test(word)) return;
    for (const place of this.#places(word, where)) this.awaited.add(place);
  }

  #add(among: Set<string>, path: string, folder: string | null): void {
    if (among.has(path)) return;
    among.add(path);
    this.#left.push(() => this.#read(path, folder));
  }

  /** What a script or a test runs and loads. */
  #read(path: string, folder: string | null): void {
    const text = this.base.read(path);
    if (text === null) return;
    const isRun = this.executed.has(path);
    const byTest = !isRun || (isTestPath(path) && !isCalledRunner(path));
    if (isShellScript(path, text, isRun)) {
      this.text(text, { folder, home: folderOf(path), outputRead: false, byTest });
      return;
    }
    // What tests load says nothing about what is printed.
    if (byTest && this.#isFirst) return;
    const among = byTest ? this.helpers : this.executed;
    for (const part of partsOf(this.base, this.root, { path, text, isRun, byTest }))
      this.#add(among, part, folder);
  }

  #places(word: string, { folder, home }: Where): string[] {
    const unknown = word.lastIndexOf("\0");
    const known = unknown < 0 ? word : word.slice(unknown + 1).replace(/^\/+/, "");
    const from = unknown < 0 && folder !== null ? [folder] : [home, folder, this.root, ""];
    const places = from.flatMap((start) => (start === null ? [] : (resolved(start, known) ?? [])));
    return [...new Set(places.filter((place) => place !== ""))];
  }

  #placeOf(word: string, where: Where): string | null {
    return this.#places(word, where).find((place) => this.base.files.has(place)) ?? null;
  }

  #options(program: string, words: readonly string[], where: Where): void {
    for (const condition of conditionsIn(program, words)) this.conditions.add(condition);
    for (const word of namedByOptions(program, words)) {
      const path = (word.includes("/") ? withEndings("", word) : [word])
        .map((name) => this.#placeOf(name, where))
        .find((place) => place !== null);
      if (path === undefined || path === null) continue;
      if (!this.base.isProduct(path)) this.named.add(path);
      if (LOADED.test(path)) this.before.add(path);
    }
  }
}
