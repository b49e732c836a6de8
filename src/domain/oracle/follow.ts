import { globMatcher } from "../board/globs.ts";
import { followBuild } from "./follow-builds.ts";
import { followCall, followScripts, followTasks } from "./follow-packages.ts";
import { packageCall } from "./package-call.ts";
import { isCalledJudge, isCalledRunner } from "./judging.ts";
import { isFixture, isTestPath } from "./names.ts";
import { folderOf, inFolder, matching, resolved } from "./paths.ts";
import { ASSIGNMENT, interpreterNamed, operandAt, programsOf, type Program } from "./programs.ts";
import { filesIn, isShellScript, namedByOptions } from "./script-text.ts";
import { shellCommands, type Scope } from "./shell-commands.ts";
import type { OracleUses } from "./uses.ts";
import { NOWHERE, type Base, type Walk, type Where } from "./walk.ts";

/** Scripts may call each other in circles, and a strange base in ever new words. */
const MAX_STEPS = 100_000;
const MAX_TESTS = 5000;
/** Tests that are looked at for what they load and run. */
const READ_TEST = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|(?:ba|z|k)?sh|bats|t)$|(?:^|\/)[^/.]+$/;
/** A word may hand all that follow it on to the next program: it would take as long as their square. */
const MAX_WORDS = 1000;
/** By which npm hands on what package.json says below `config`. */
const PACKAGE_SETTING = /npm_package_config_(\w+)/g;
const SEVERAL_TEXTS = new Set(["concurrently", "conc"]);
const SEVERAL_SCRIPTS = new Set(["npm-run-all", "npm-run-all2", "run-s", "run-p", "start-server-and-test"]);

export interface Followed {
  readonly uses: OracleUses;
  /** Files of the base that are run. */
  readonly executed: ReadonlySet<string>;
  /** Those that only tests load or run. */
  readonly helpers: ReadonlySet<string>;
  /** Files of the base that are named as configuration, or as what is loaded before all else. */
  readonly named: ReadonlySet<string>;
  /** Patterns of what is run or included if it is there, and is not there. */
  readonly awaited: ReadonlySet<string>;
  /** Where Python is told to look for modules, and the shell for programs. */
  readonly importFolders: ReadonlySet<string>;
  readonly programFolders: ReadonlySet<string>;
}

/** From the test commands, and from the tests, to all that they run, without running anything. */
export function follow(base: Base, commands: readonly string[], cwd: string): Followed {
  const first = new Follower(base, cwd, null);
  first.follow(commands);
  // What is printed somewhere and read there is what is tested, whoever else runs it; and where programs lie is known only now.
  const isProduct = (path: string): boolean => base.isProduct(path) || first.readOutputs.has(path);
  const follower = new Follower({ ...base, isProduct }, cwd, first);
  follower.follow(commands);
  const { scripts, anywhere, tools, settings } = follower;
  // What is kept in the tree though it is made may be needed where nobody makes it.
  const made = [...follower.made].filter((pattern) => matching(base.files, pattern).length === 0);
  const isMade = globMatcher(made.map((pattern) => `./${pattern}`));
  const { executed, helpers, named, awaited, importFolders, programFolders } = follower;
  const uses = { scripts, anywhere, tools, settings, isMade };
  return { uses, executed, helpers, named, awaited, importFolders, programFolders };
}

class Follower implements Walk {
  readonly scripts = new Map<string, Set<string>>();
  readonly anywhere = new Set<string>();
  readonly tools = new Set<string>();
  readonly settings = new Set<string>();
  readonly executed = new Set<string>();
  readonly named = new Set<string>();
  readonly awaited = new Set<string>();
  readonly helpers = new Set<string>();
  readonly made = new Set<string>();
  readonly importFolders = new Set<string>();
  readonly programFolders: Set<string>;
  /** Files of the base whose output somebody reads. */
  readonly readOutputs = new Set<string>();
  readonly base: Base;
  readonly root: string;
  readonly #isFirst: boolean;
  readonly #seen = new Set<string>();
  /** A list and no recursion: how deep it goes is not ours to say. */
  readonly #left: (() => void)[] = [];

  constructor(base: Base, root: string, earlier: Follower | null) {
    this.base = base;
    this.root = root;
    this.programFolders = new Set(earlier?.programFolders);
    this.#isFirst = earlier === null;
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

  useAnywhere(name: string): void {
    this.anywhere.add(name);
  }

  useTool(name: string): void {
    this.tools.add(name);
  }

  useMade(pattern: string): void {
    this.made.add(pattern);
  }

  useFile(path: string): void {
    if (this.base.files.has(path)) this.named.add(path);
    else this.awaitFile(path);
  }

  awaitFile(path: string): void {
    this.awaited.add(path);
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
    for (const { words, scope, outputRead } of shellCommands(text)) {
      const folder = folderIn(folders, scope);
      folders.set(scope, folder);
      if (words[0] === "cd" || words[0] === "pushd") {
        const to = words[operandAt(words, 1, [])] ?? "";
        folders.set(scope, folder === null || /\0|^$/.test(to) ? null : resolved(folder, to));
      } else
        this.command(words.slice(0, MAX_WORDS), {
          ...where,
          folder,
          outputRead: where.outputRead || outputRead,
        });
    }
  }

  #command(words: readonly string[], where: Where): void {
    const programs = programsOf(words);
    for (const word of words) if (ASSIGNMENT.test(word)) this.#assigned(word, where);
    programs.forEach(({ name, words: [first = ""] }, depth) => {
      if (!where.byTest) this.tools.add(name);
      if (first.includes("/") || depth > 0) this.#run(first, where);
      else
        for (const folder of this.programFolders)
          this.#run(inFolder(folder, first), { ...where, folder: "" });
    });
    const last = programs.at(-1);
    if (last === undefined) return;
    this.#options(last.name, words, where);
    this.#program(last, where);
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

  #program({ name, words }: Program, where: Where): void {
    const args = words.slice(1);
    const interpreter = interpreterNamed(name);
    if (interpreter !== null) this.#interpreter(interpreter, args, where);
    const call = packageCall(name, args);
    // What these print is what tests say.
    const unread = { ...where, outputRead: false };
    if (call !== null) followCall(this, call, unread);
    else if (followBuild(this, name, args, unread)) return;
    else if (SEVERAL_TEXTS.has(name)) for (const text of args) this.#concurrent(text, where);
    else if (SEVERAL_SCRIPTS.has(name))
      for (const text of args) followScripts(this, text.split(/\s/)[0] ?? "", unread);
    else if (name === "composer") followTasks(this, "composer.json", args, unread);
    else if (name === "eval") this.text(args.join(" "), where);
    else if (name === "find") {
      const at = args.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
      if (at >= 0) this.command(args.slice(at + 1), where);
    }
  }

  #concurrent(text: string, where: Where): void {
    if (text.startsWith("npm:")) followScripts(this, text.slice(4).split(/\s/)[0] ?? "", where);
    else if (!text.startsWith("-")) this.text(text, where);
  }

  #interpreter(
    { name, values }: { readonly name: string; readonly values: readonly string[] },
    args: readonly string[],
    where: Where,
  ): void {
    const first = operandAt(args, 0, values);
    const options = args.slice(0, first);
    if (name === "sh" && options.some((word) => /^-[a-z]*c$/.test(word))) {
      this.text(args[first] ?? "", where);
      return;
    }
    if (name === "deno") this.tools.add(`deno ${args[0]}`);
    if (name === "deno" && args[0] === "task") followTasks(this, "deno.json", args.slice(1), where);
    if (name === "node" && options.includes("--run")) followScripts(this, args[first] ?? "", where);
    if (name === "python" && options.includes("-m")) {
      this.#module(args.slice(options.indexOf("-m") + 1), where);
      return;
    }
    // The text of a program, or a file that is only looked at.
    if (options.some((word) => /^(?:-e|-p|-c|-n|--eval|--print|--check)$/.test(word))) return;
    const verb = (name === "deno" || name === "bun") && ["run", "test"].includes(args[0] ?? "");
    const at = operandAt(args, verb ? 1 : 0, values);
    const operands = options.includes("--test") ? args.slice(at) : args.slice(at, at + 1);
    for (const operand of operands) this.run(operand, where);
  }

  #module(words: readonly string[], where: Where): void {
    const path = (words[0] ?? "").replaceAll(".", "/");
    for (const file of [`${path}.py`, `${path}/__main__.py`]) this.run(file, where);
    this.command(words, where);
  }

  #run(word: string, where: Where): void {
    const path = this.#placeOf(word, where);
    if (path === null) this.#await(word, where);
    else if (this.base.isProduct(path) || (where.byTest && isTestPath(path))) return;
    else if (where.outputRead && !isCalledJudge(path)) this.readOutputs.add(path);
    else if (!where.byTest) this.#add(this.executed, path, where.folder);
    else if (this.base.isHelper(path, true)) this.#add(this.helpers, path, where.folder);
  }

  /** A script that is run if it is there. */
  #await(word: string, where: Where): void {
    if (where.home === null || where.outputRead || where.byTest || !/\.(?:ba)?sh$/.test(word)) return;
    for (const place of this.#places(word, where)) this.awaitFile(place);
  }

  #add(among: Set<string>, path: string, folder: string | null): void {
    if (among.has(path)) return;
    among.add(path);
    this.#left.push(() => this.#read(path, folder));
  }

  /** What a script or a test runs and loads. Beside a script in a folder of its own lie its parts; in the root lies the product. */
  #read(path: string, folder: string | null): void {
    const text = this.base.read(path);
    if (text === null) return;
    const home = folderOf(path);
    const isRun = this.executed.has(path);
    const byTest = !isRun || (isTestPath(path) && !isCalledRunner(path));
    if (isShellScript(path, text, isRun)) {
      this.text(text, { folder, home, outputRead: false, byTest });
      return;
    }
    // What tests load says nothing about what is printed.
    if (byTest && this.#isFirst) return;
    const isPart = (part: string): boolean =>
      isRun && !isTestPath(path) && home !== "" && home !== this.root && part.startsWith(`${home}/`);
    for (const part of filesIn(path, text, [this.root, ""])) {
      if (!this.base.files.has(part) || isTestPath(part) || this.base.isProduct(part)) continue;
      if (isPart(part) || this.base.isHelper(part, false))
        this.#add(byTest ? this.helpers : this.executed, part, folder);
    }
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
    for (const word of namedByOptions(program, words)) {
      const path = this.#placeOf(word, where);
      if (path !== null && !this.base.isProduct(path)) this.named.add(path);
    }
  }
}

function folderIn(folders: ReadonlyMap<Scope | null, string | null>, scope: Scope): string | null {
  for (let now: Scope | null = scope; now !== null; now = now.outer) {
    const folder = folders.get(now);
    if (folder !== undefined) return folder;
  }
  return folders.get(null) ?? null;
}
