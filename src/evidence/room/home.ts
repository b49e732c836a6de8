import fs from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../../platform/files/directories.ts";
import { homeDirectory } from "../../platform/files/home.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { gitBytes } from "../../platform/git/git.ts";
import { namesIn } from "../../platform/files/names-in.ts";

/** Such files contain only paths. */
const LONGEST_PTH = 64 * 1024;

/** The content of a fresh home. */
export interface Furniture {
  readonly gitConfig: string;
  readonly links: readonly Link[];
}

type Link = readonly [at: string, to: string];

/** The person's identity for git, and tool data that no variable can relocate. `usercustomize`: a file that every Python runs; null: none. */
export function furnitureFor(own: NodeJS.ProcessEnv, usercustomize: string | null): Furniture {
  const theirs = homeDirectory(own);
  const cargo = own["CARGO_HOME"] ?? join(theirs, ".cargo");
  // Not its configuration, which may name programs.
  const ofCargo = ["registry", "git"].map((name): Link => [join(".cargo", name), join(cargo, name)]);
  const ofRuby = [".local/share/gem", ".gem/ruby"].map((name): Link => [name, join(theirs, name)]);
  const found = [...ofCargo, ...ofRuby].filter(([, to]) => fs.existsSync(to));
  const modules = pythonModules(join(theirs, ".local", "lib"));
  const probes = usercustomize === null ? [] : pythonProbes(modules, usercustomize);
  return { gitConfig: gitConfiguration(), links: [...found, ...modules, ...probes] };
}

export function furnish(home: string, { gitConfig: text, links }: Furniture): void {
  fs.writeFileSync(join(home, ".gitconfig"), text);
  for (const [at, to] of links) {
    makeDirectories(join(home, at, ".."));
    fs.symlinkSync(to, join(home, at));
  }
}

let gitConfig: string | undefined;

/** The tree may belong to a different user. Read once, because every check has its own home. */
function gitConfiguration(): string {
  return (gitConfig ??= readGitConfiguration());
}

function readGitConfiguration(): string {
  const wanted = "^(user\\.(name|email)|init\\.defaultbranch)$";
  const output = gitBytes("/", ["config", "--global", "--null", "--get-regexp", wanted])?.toString() ?? "";
  const settings = output.split("\0").flatMap((setting) => {
    const [, section, name, value] = /^(\w+)\.(\w+)\n(.*)$/s.exec(setting) ?? [];
    return value === undefined ? [] : [`[${section}]\n\t${name} = ${JSON.stringify(value)}\n`];
  });
  return ["[safe]\n\tdirectory = *\n", ...settings].join("");
}

/** Modules that a person installed for themselves, except those that Python runs unasked. */
function pythonModules(lib: string): readonly Link[] {
  const versions = namesIn(lib).filter((name) => /^python\d/.test(name));
  return versions.flatMap((version) => {
    const site = join(lib, version, "site-packages");
    const names = namesIn(site).filter(
      (name) =>
        !/^(?:site|user)customize\b/.test(name) && !(name.endsWith(".pth") && runsCode(join(site, name))),
    );
    return names.map((name): Link => [join(LIB, version, "site-packages", name), join(site, name)]);
  });
}

const LIB = ".local/lib";

/** Current and upcoming versions of Python 3. */
const PYTHONS = Array.from({ length: 15 }, (_, minor) => `python3.${6 + minor}`);

/**
 * A command or its programs may set another PYTHONPATH, but Python still finds the probe in the home. Versions without personal modules share
 * one folder: a folder for each takes longer than everything else in the room.
 */
function pythonProbes(modules: readonly Link[], usercustomize: string): readonly Link[] {
  const own = [...new Set(modules.map(([at]) => at.split("/")[2] ?? ""))];
  const others = PYTHONS.filter((name) => !own.includes(name));
  return [
    ...others.map((name): Link => [join(LIB, name), "python"]),
    ...["python", ...own].map((name): Link => [
      join(LIB, name, "site-packages", "usercustomize.py"),
      usercustomize,
    ]),
  ];
}

/** Lines of such a file are paths, or code if they begin this way. */
function runsCode(pth: string): boolean {
  const text = tryReadPlainFile(pth, LONGEST_PTH)?.toString("latin1");
  return text === undefined || text.length === LONGEST_PTH || /^\s*import\b/m.test(text);
}
