import { globMatcher } from "../../text/globs.ts";
import { folderOf, foldersAbove, nameOf } from "../../text/paths.ts";
import { shellCommands } from "./ecosystems/shell.ts";
import { isKnownProgram, programsOf } from "./programs.ts";
import { isTool } from "./tools.ts";

/** Make and similar programs use the first of these that exists. */
export const MAKEFILES: readonly string[] = ["GNUmakefile", "makefile", "Makefile"];
export const JUSTFILES: readonly string[] = ["justfile", "Justfile", ".justfile"];
export const TASKFILES: readonly string[] = ["", ".dist"].flatMap((dist) =>
  ["yml", "yaml"].flatMap((ending) => [`Taskfile${dist}.${ending}`, `taskfile${dist}.${ending}`]),
);

/** Build and test files with the programs that read them. A file decides nothing if none of its programs runs. */
const BUILDERS = [
  builder("make gmake bmake", [...MAKEFILES, "BSDmakefile", "Makefile.{am,in}", "*.mk"]),
  builder("cmake ctest ninja cmake-js cargo", ["CMake{Lists.txt,Presets.json,UserPresets.json}", "*.cmake"]),
  builder("meson ninja", ["meson.build", "meson_options.txt", "meson.options"]),
  builder("just", [...JUSTFILES, "*.just"]),
  builder("task go-task", TASKFILES),
  builder("rake", ["{R,r}akefile{,.rb}"]),
  builder("gradle gradlew", [
    "*.gradle{,.kts}",
    "gradle.properties",
    "**/gradle/wrapper/**",
    "**/buildSrc/**",
  ]),
  builder("mvn mvnw mvnd", ["pom.xml", "**/.mvn/**"]),
  builder("ant", ["build.xml"]),
  builder("bazel bazelisk", [
    "{BUILD,WORKSPACE,MODULE}{,.bazel,.bzlmod}",
    "*.bzl",
    ".bazelrc",
    ".bazelversion",
  ]),
  builder("waf", ["wscript"]),
  builder("tox", ["tox.toml"]),
  builder("nox", ["noxfile.py"]),
  builder("dotnet", [
    "*.{cs,fs,vb}proj",
    "Directory.{Build,Packages,Solution}.{props,targets}",
    "{global.json,nuget.config,NuGet.config,NuGet.Config}",
  ]),
  builder("go", ["go.{mod,work}"]),
  builder("bundle ruby rake rspec", ["Gemfile", "**/.bundle/config"]),
  builder("deno", ["deno.{json,jsonc}"]),
  builder("cargo", ["Makefile.toml"]),
];
/** Lists of dependencies, which are the work. */
const NOT_CONFIG = /(?:^|\/)(?:go\.mod|Gemfile|[^/]*\.(?:cs|fs|vb)proj)$/;
/** Programs whose commands are defined elsewhere. */
const OPAQUE = ["docker", "docker-compose", "podman", "act", "earthly", "nix", "nix-shell", "vagrant", "ssh"];
/** These are also plain words, so they count in quotes only. */
const WORDS = /^(?:make|just|task|rake|ant|go)\b/;

interface Builder {
  readonly programs: readonly string[];
  readonly matches: (path: string) => boolean;
}

function builder(programs: string, files: readonly string[]): Builder {
  return { programs: programs.split(" "), matches: globMatcher(files) };
}

/** Build and test configuration; in a test folder it is a test file like any other. */
export function isBuildFile(path: string): boolean {
  return !NOT_CONFIG.test(path) && BUILDERS.some(({ matches }) => matches(path));
}

/** Whether a new file belongs to a program that the base builds with, there or above. */
export function besideBuild(files: Iterable<string>): (path: string) => boolean {
  const folders = BUILDERS.map(() => new Set<string>());
  for (const path of files)
    BUILDERS.forEach(({ matches }, at) => {
      if (!matches(path)) return;
      // These also configure projects below.
      const all = /\.\w+proj$|\.mod$/.test(path) ? foldersAbove(path) : [folderOf(path)];
      for (const folder of all) folders[at]?.add(folder);
    });
  return (path) =>
    BUILDERS.some(
      ({ matches }, at) => matches(path) && foldersAbove(path).some((folder) => folders[at]?.has(folder)),
    );
}

interface Used {
  /** The test commands themselves. */
  readonly commands: readonly string[];
  /** Programs that the commands or the tests run. */
  readonly programs: ReadonlySet<string>;
  /** Files that the commands name, including makefiles. */
  readonly named: ReadonlySet<string>;
  /** Texts of scripts, makefiles and tests. They may run other programs in ways this code does not follow. */
  readonly texts: () => Iterable<string>;
}

const BUILT_IN = new Set(["cd", "export", "set", "exit", ":", "ulimit", "umask"]);

/** Whether a command runs a program that this code does not know. */
function isUnknown(command: string): boolean {
  return shellCommands(command).some(({ words }) => {
    const { name = "", words: [first = ""] = [] } = programsOf(words).at(-1) ?? {};
    if (name === "" || first.includes("/") || BUILT_IN.has(name)) return false;
    const isBuilder = BUILDERS.some(({ programs }) => programs.includes(name));
    return !isBuilder && !isKnownProgram(name) && !isTool(name);
  });
}

/** Whether a build or test file belongs to a program that nothing runs here. */
export function unusedBuilds({ commands, programs, named, texts }: Used): (path: string) => boolean {
  const isOpaque =
    commands.length === 0 || OPAQUE.some((name) => programs.has(name)) || commands.some(isUnknown);
  const isMadeElsewhere =
    programs.has("make") && ![...named].some((path) => MAKEFILES.includes(nameOf(path)));
  const known = new Map<Builder, boolean>();
  const isUsed = (one: Builder): boolean => {
    if (isOpaque || one.programs.some((name) => programs.has(name))) return true;
    // Another build file generates makefiles that the base lacks.
    if (isMadeElsewhere && one.programs.includes("ninja")) return true;
    const names = one.programs.join("|");
    const word = WORDS.test(names)
      ? new RegExp(`["'\`/](?:${names})["'\`\\s]`)
      : new RegExp(`\\b(?:${names})\\b`);
    return [...commands, ...texts()].some((text) => word.test(text));
  };
  return (path) => {
    const own = BUILDERS.filter(({ matches }) => matches(path));
    for (const one of own) if (!known.has(one)) known.set(one, isUsed(one));
    return own.length > 0 && !own.some((one) => known.get(one));
  };
}
