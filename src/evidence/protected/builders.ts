import { JS_RUNNERS, MAKEFILES } from "./names.ts";
import { nameOf } from "../../text/paths.ts";
import { isKnownProgram, programsOf } from "./programs.ts";
import { shellCommands } from "./ecosystems/shell.ts";
import { isTool } from "./tools.ts";

/** Build and test files with the programs that read them. A file decides nothing if none of its programs runs. */
const BUILDERS: readonly { readonly files: RegExp; readonly programs: readonly string[] }[] = [
  { files: /^(?:(?:GNU|BSD)?[Mm]akefile(?:\.am|\.in)?|.*\.mk)$/, programs: ["make", "gmake", "bmake"] },
  {
    files: /^(?:CMake(?:Lists\.txt|(?:User)?Presets\.json)|.*\.cmake)$/,
    programs: ["cmake", "ctest", "ninja", "cmake-js", "cargo", "pip install"],
  },
  { files: /^meson(?:\.build|_options\.txt|\.options)$/, programs: ["meson", "ninja", "pip install"] },
  { files: /^(?:\.?[Jj]ustfile|.*\.just)$/, programs: ["just"] },
  { files: /^[Tt]askfile(?:\.dist)?\.ya?ml$/, programs: ["task", "go-task"] },
  { files: /^[Rr]akefile(?:\.rb)?$/, programs: ["rake"] },
  { files: /^(?:.*\.gradle(?:\.kts)?|gradle\.properties)$/, programs: ["gradle", "gradlew"] },
  { files: /^pom\.xml$/, programs: ["mvn", "mvnw", "mvnd"] },
  { files: /^build\.xml$/, programs: ["ant"] },
  { files: /^(?:BUILD|WORKSPACE|MODULE)(?:\.bazel)?$|\.bzl$|^\.bazel/, programs: ["bazel", "bazelisk"] },
  { files: /^wscript$/, programs: ["waf"] },
  { files: /^tox\.toml$/, programs: ["tox"] },
  { files: /^noxfile\.py$/, programs: ["nox"] },
];
/** Programs whose commands are defined elsewhere. */
const OPAQUE = ["docker", "docker-compose", "podman", "act", "earthly", "nix", "nix-shell", "vagrant", "ssh"];

/** These are also plain words, so they count in quotes only. */
const WORDS = /^(?:make|just|task|rake|ant|nox)\b/;

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
    return !isBuilder && !isKnownProgram(name) && !JS_RUNNERS.includes(name) && !isTool(name);
  });
}

/** Whether a build or test file belongs to a program that nothing runs here. */
export function unusedBuilds({ commands, programs, named, texts }: Used): (path: string) => boolean {
  const isOpaque =
    commands.length === 0 || OPAQUE.some((name) => programs.has(name)) || commands.some(isUnknown);
  const isMadeElsewhere =
    programs.has("make") && ![...named].some((path) => MAKEFILES.includes(nameOf(path)));
  const known = new Map<RegExp, boolean>();
  const isUsed = (builder: (typeof BUILDERS)[number]): boolean => {
    if (isOpaque || builder.programs.some((name) => programs.has(name))) return true;
    // Another build file generates makefiles that the base lacks.
    if (isMadeElsewhere && builder.programs.includes("ninja")) return true;
    const names = builder.programs.join("|");
    const word = WORDS.test(names)
      ? new RegExp(`["'\`/](?:${names})["'\`\\s]`)
      : new RegExp(`\\b(?:${names})\\b`);
    return [...texts()].some((text) => word.test(text));
  };
  return (path) => {
    const builder = BUILDERS.find(({ files }) => files.test(nameOf(path)));
    if (builder === undefined) return false;
    const used = known.get(builder.files) ?? isUsed(builder);
    known.set(builder.files, used);
    return !used;
  };
}
