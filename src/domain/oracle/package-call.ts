import { operandAt } from "./programs.ts";

/** What a call of a package manager has it do. */
export interface PackageCall {
  /** Scripts of package.json by name. */
  readonly scripts: readonly string[];
  /** A script by that name, or else this command. */
  readonly command: readonly string[] | null;
  /** Where it is told to work, as it says; null: here. */
  readonly folder: string | null;
  /** In packages of the workspace, whichever. */
  readonly everywhere: boolean;
}

const MANAGERS: Readonly<Record<string, readonly string[]>> = {
  npm: ["-w", "--workspace", "--prefix", "-C", "--loglevel"],
  pnpm: ["-C", "--dir", "--filter", "-F", "--reporter"],
  yarn: ["--cwd", "--mutex"],
  bun: ["--cwd", "--filter", "-F"],
};
const FOLDER_OPTION = /^(?:--prefix|--cwd|--dir|-C)(?:=(.*))?$/;
const EVERYWHERE =
  /^(?:-w|-ws|-r|-F|-A|--workspaces?|--recursive|--filter|--all|--parallel)(?:=.*)?$|^workspaces?$/;
const RUN = new Set(["run", "run-script", "rum", "urn"]);
const INSTALL = new Set(["install", "i", "ci", "add", "clean-install", "install-clean"]);
const INSTALL_AND_TEST = new Set(["it", "cit", "install-test", "install-ci-test"]);
/** What an installation runs by itself where it is there. */
export const INSTALL_SCRIPTS: readonly string[] = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "prepare",
];

export function packageCall(name: string, args: readonly string[]): PackageCall | null {
  const values = Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined;
  if (values === undefined) return null;
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const folderAt = own.findIndex((word) => FOLDER_OPTION.test(word));
  const folderWord = FOLDER_OPTION.exec(own[folderAt] ?? "");
  const at = verbAt(name, own, values);
  const verb = own[at];
  const next = own[operandAt(own, at + 1, values)];
  const call = {
    folder: folderWord === null ? null : (folderWord[1] ?? own[folderAt + 1] ?? null),
    everywhere: own.some((word) => EVERYWHERE.test(word)),
    scripts: [] as readonly string[],
    command: null as readonly string[] | null,
  };
  if (verb === undefined) return name === "yarn" ? { ...call, scripts: INSTALL_SCRIPTS } : call;
  if (RUN.has(verb)) {
    if (next === undefined) return call;
    // Only npm has nothing but scripts to run.
    return name === "npm"
      ? { ...call, scripts: [next] }
      : { ...call, command: own.slice(own.indexOf(next, at + 1)) };
  }
  if (INSTALL.has(verb)) return { ...call, scripts: INSTALL_SCRIPTS };
  if (INSTALL_AND_TEST.has(verb)) return { ...call, scripts: [...INSTALL_SCRIPTS, "test"] };
  if (name === "bun" && verb === "test") return call;
  if (["test", "t", "tst"].includes(verb)) return { ...call, scripts: ["test"] };
  if (["start", "stop", "restart"].includes(verb)) return { ...call, scripts: [verb] };
  return name === "npm" ? call : { ...call, command: own.slice(at) };
}

/** Yarn has the package of a workspace named before the verb. */
function verbAt(name: string, own: readonly string[], values: readonly string[]): number {
  const at = operandAt(own, 0, values);
  if (name !== "yarn") return at;
  if (own[at] === "workspace") return operandAt(own, at + 2, values);
  if (own[at] !== "workspaces") return at;
  const run = own.findIndex((word, index) => index > at && (RUN.has(word) || word === "test"));
  return run < 0 ? own.length : run;
}
