import fs from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../../files/directories.ts";
import { homeDirectory } from "../../files/home.ts";
import { tryReadPlainFile } from "../../files/read-file.ts";
import { gitBytes } from "../git.ts";

/** No more than paths. */
const LONGEST_PTH = 64 * 1024;

/**
 * What a fresh home has all the same: who the person is, for git; and what tools keep in a home and cannot be told by a variable to
 * look for elsewhere.
 */
export function furnishHome(home: string, own: NodeJS.ProcessEnv): void {
  const theirs = homeDirectory(own);
  fs.writeFileSync(join(home, ".gitconfig"), gitConfiguration());
  const cargo = own["CARGO_HOME"] ?? join(theirs, ".cargo");
  // Not its configuration, which may name programs.
  for (const name of ["registry", "git"]) link(join(cargo, name), join(home, ".cargo", name));
  for (const name of [".local/share/gem", ".gem/ruby"]) link(join(theirs, name), join(home, name));
  furnishPython(join(theirs, ".local", "lib"), join(home, ".local", "lib"));
}

let gitConfig: string | undefined;

/** The tree may belong to another user than the one who looks at it. Read once: every check has a home of its own. */
function gitConfiguration(): string {
  return (gitConfig ??= readGitConfiguration());
}

function readGitConfiguration(): string {
  const wanted = "^(user\\.(name|email)|init\\.defaultbranch)$";
  const told = gitBytes("/", ["config", "--global", "--null", "--get-regexp", wanted])?.toString() ?? "";
  const settings = told.split("\0").flatMap((setting) => {
    const [, section, name, value] = /^(\w+)\.(\w+)\n(.*)$/s.exec(setting) ?? [];
    return value === undefined ? [] : [`[${section}]\n\t${name} = ${JSON.stringify(value)}\n`];
  });
  return ["[safe]\n\tdirectory = *\n", ...settings].join("");
}

/** Modules that a person installed for themselves, but none that Python runs without being asked to. */
function furnishPython(from: string, to: string): void {
  for (const version of namesIn(from).filter((name) => /^python\d/.test(name))) {
    const site = join(from, version, "site-packages");
    for (const name of namesIn(site))
      if (!/^(?:site|user)customize\b/.test(name) && !(name.endsWith(".pth") && runsCode(join(site, name))))
        link(join(site, name), join(to, version, "site-packages", name));
  }
}

/** Versions of Python 3 that there are, or may be soon. */
const PYTHONS = Array.from({ length: 15 }, (_, minor) => `python3.${6 + minor}`);

/**
 * A command, or a program that it runs, may set PYTHONPATH to something else. Python finds the probe in the home all the same. Versions
 * without modules of the person share one folder: to make and remove a folder for each takes longer than all else in the room.
 */
export function furnishPythons(home: string, usercustomize: string): void {
  if (!fs.existsSync(usercustomize)) return;
  const lib = join(home, ".local", "lib");
  const own = namesIn(lib);
  makeDirectories(join(lib, "python"));
  for (const version of PYTHONS.filter((name) => !own.includes(name)))
    fs.symlinkSync("python", join(lib, version));
  for (const folder of ["python", ...own])
    link(usercustomize, join(lib, folder, "site-packages", "usercustomize.py"));
}

/** Lines of such a file are paths, or else begin so and are run. */
function runsCode(pth: string): boolean {
  const text = tryReadPlainFile(pth, LONGEST_PTH)?.toString("latin1");
  return text === undefined || text.length === LONGEST_PTH || /^\s*import\b/m.test(text);
}

function link(to: string, at: string): void {
  if (!fs.existsSync(to)) return;
  makeDirectories(join(at, ".."));
  fs.symlinkSync(to, at);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
