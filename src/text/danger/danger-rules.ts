/**
 * Decides whether one simple command is dangerous. Everything here works on resolved words; danger.ts handles parsing,
 * variables and nesting.
 */

/** Resolved words hold these private-use characters where a literal cannot express what the shell will see. */
export const MARK = {
  home: "\uE000",
  unknown: "\uE001",
  download: "\uE002",
  /** An unquoted `*`, which a quoted one is not. */
  many: "\uE003",
  /** An unquoted `?` or `[…]`. */
  one: "\uE004",
  /** A place where an unquoted expansion splits into words. */
  split: "\uE005",
} as const;

export interface Input {
  /** Files its redirects open for writing. */
  readonly writes: readonly string[];
  /** Its standard input, as far as that is known. */
  readonly stdin: string | undefined;
}

interface SimpleCommand extends Input {
  readonly name: string;
  readonly args: readonly string[];
}

type Rule = (command: SimpleCommand) => string | undefined;
type Vital = "root" | "home" | "system_dir" | "parent_dir";

const TOP_DIRECTORIES = [
  ..."bin boot dev etc home lib lib32 lib64 opt proc root sbin srv sys usr var".split(" "),
  ..."Applications Library System Users".split(" "),
];
const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|mapper\/.|md|dm-|loop)/u;
const SYSTEM_FILE = /^\/(?:etc\/(?:passwd|shadow|group|gshadow|sudoers)|boot(?:\/.*)?)$/u;
const EVERY_ENTRY = new RegExp(`^\\.?${MARK.one}*${MARK.many}[${MARK.many}${MARK.one}]*$`, "u");
const EVERY_PROCESS = new RegExp(`^\\^?\\.?[*+${MARK.many}]?\\$?$`, "u");
const ASSIGNMENT = /^[A-Za-z_]\w*=/u;

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);
const DOWNLOADERS = new Set(["curl", "wget", "fetch"]);
const INTERPRETER = /^(?:python[\d.]*|node|perl|ruby)$/u;
const ERASERS = new Set(["rm", "shred", "unlink"]);

interface OptionSpec {
  /** Letters and long names that take the next word as their value. */
  readonly short?: string;
  readonly long?: readonly string[];
  /** Stop at the first operand, as commands that run another command do. */
  readonly stop?: boolean;
}

function takesNext(flag: string, { short = "", long = [] }: OptionSpec): boolean {
  if (flag.startsWith("--")) return long.includes(flag);
  const at = flag.search(new RegExp(`[${short}]`, "u"));
  return at > 0 && at === flag.length - 1;
}

/** Flags may follow operands and `--` ends them, as in GNU getopt. */
function split(
  args: readonly string[],
  spec: OptionSpec = {},
): Record<"flags" | "operands", readonly string[]> {
  const flags: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return { flags, operands: [...operands, ...args.slice(at + 1)] };
    if (arg === "-" || !arg.startsWith("-")) {
      if (spec.stop === true) return { flags, operands: args.slice(at) };
      operands.push(arg);
      continue;
    }
    flags.push(arg);
    if (takesNext(arg, spec)) at++;
  }
  return { flags, operands };
}

function hasFlag(flags: readonly string[], letters: string, ...long: readonly string[]): boolean {
  return flags.some((flag) =>
    flag.startsWith("--")
      ? long.some((name) => flag === name || flag.startsWith(`${name}=`))
      : new RegExp(`[${letters}]`, "u").test(flag),
  );
}

/** `--r`, `--recurs`: getopt takes any prefix that is not ambiguous. */
function isRecursive(flags: readonly string[], letters: string): boolean {
  return hasFlag(flags, letters) || flags.some((flag) => flag.length > 2 && "--recursive".startsWith(flag));
}

function segments(path: string): string[] {
  const found: string[] = [];
  for (const segment of path.replaceAll(MARK.home, `/home/${MARK.home}`).split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") found.push(segment);
    else if (found.length > 0 && found.at(-1) !== "..") found.pop();
    else if (!isAbsolute(path)) found.push("..");
  }
  return found;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith(MARK.home);
}

function isTopDirectory(segment: string): boolean {
  if (!/^[\w\uE003\uE004]{1,64}$/u.test(segment)) return false;
  const glob = segment.replaceAll(/\uE003+/gu, ".*").replaceAll(MARK.one, ".");
  const pattern = new RegExp(`^${glob}$`, "u");
  return TOP_DIRECTORIES.some((name) => pattern.test(name));
}

/** Which vital directory a path names, or (with `contents`) names every entry of. */
function vitalPath(path: string, contents = true): Vital | undefined {
  if (path.includes(MARK.unknown) || path.includes(MARK.download)) return undefined;
  const found = segments(path);
  if (contents) while (EVERY_ENTRY.test(found.at(-1) ?? "")) found.pop();
  const [first, second] = found;
  if (!isAbsolute(path)) {
    return first !== undefined && found.every((segment) => segment === "..") ? "parent_dir" : undefined;
  }
  if (first === undefined) return "root";
  if (found.length === 1) return isTopDirectory(first) ? "system_dir" : undefined;
  return found.length === 2 && second === MARK.home ? "home" : undefined;
}

function writtenFiles({ name, args, writes }: SimpleCommand): readonly string[] {
  const { operands } = split(args);
  switch (name) {
    case "tee":
    case "shred":
      return [...writes, ...operands];
    case "cp":
    case "mv":
    case "install":
      return [...writes, ...operands.slice(1).slice(-1)];
    case "dd":
      return [...writes, ...args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3))];
    default:
      return writes;
  }
}

const rm: Rule = ({ args }) => {
  const { flags, operands } = split(args);
  if (flags.includes("--no-preserve-root")) return "rm_root";
  if (!isRecursive(flags, "rR")) return undefined;
  const vital = operands.map((path) => vitalPath(path)).find((found) => found !== undefined);
  return vital && `rm_${vital}`;
};

const find: Rule = (command) => {
  const { args } = command;
  const end = args.findIndex((arg) => /^[-(!]/u.test(arg) && !/^-(?:[HLP]|O\d?)$/u.test(arg));
  const roots = args.slice(0, Math.max(end, 0)).map((path) => vitalPath(path));
  if (!roots.some((vital) => vital !== undefined && vital !== "parent_dir")) return undefined;
  const deletes =
    args.includes("-delete") ||
    innerCommands(command).some((argv) => ERASERS.has(unwrap(argv, command).name));
  return deletes ? "find_delete" : undefined;
};

const permissions: Rule = ({ args }) => {
  const { flags, operands } = split(args, { long: ["--from", "--reference"] });
  const vital = operands.some((path) => vitalPath(path) !== undefined);
  return isRecursive(flags, "R") && vital ? "recursive_permissions" : undefined;
};

const mv: Rule = ({ args }) => {
  const { flags, operands } = split(args, { short: "tS", long: ["--target-directory", "--suffix"] });
  const sources = hasFlag(flags, "t", "--target-directory") ? operands : operands.slice(0, -1);
  const vital = sources.map((path) => vitalPath(path, false));
  return vital.some((found) => found !== undefined && found !== "parent_dir") ? "move_system_dir" : undefined;
};

const partitions: Rule = ({ name, args }) => {
  const { flags, operands } = split(args);
  const prints = name === "parted" && operands[1] === "print" && operands.length <= 3;
  const lists = hasFlag(flags, "lxdJFgVvh", "--list", "--list-free", "--dump", "--json", "--show-geometry");
  return lists || prints ? undefined : "edit_partitions";
};

const POWER_VERBS = new Set(["poweroff", "reboot", "halt", "kexec", "emergency", "rescue"]);
const systemctl: Rule = ({ args }) =>
  POWER_VERBS.has(split(args, { short: "HMtpsno" }).operands[0] ?? "") ? "power_off" : undefined;

const kill: Rule = ({ args }) => {
  const [first = ""] = args;
  // The first dashed word is the signal: `kill -1` alone signals no process.
  const signal = /^(?:-s|-n|--signal)$/u.test(first) ? 2 : /^-(?!-$)/u.test(first) ? 1 : 0;
  return args.slice(signal).includes("-1") ? "kill_all" : undefined;
};

const pkill: Rule = ({ name, args }) => {
  const plain = args.filter((arg) => !/^-(?:\d+|[A-Z]{3,}\d*)$/u.test(arg));
  const { flags, operands } = split(plain, { short: "uUgGPstF", long: ["--signal", "--euid", "--uid"] });
  if (name === "killall" && !hasFlag(flags, "r", "--regexp")) return undefined;
  return operands.some((pattern) => EVERY_PROCESS.test(pattern)) ? "kill_all" : undefined;
};

const git: Rule = ({ args }) => {
  const long = ["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"];
  const [verb, ...rest] = split(args, { short: "Cc", long, stop: true }).operands;
  if (verb !== "push") return undefined;
  const valued = ["--push-option", "--receive-pack", "--exec", "--repo"];
  const { flags, operands } = split(rest, { short: "o", long: valued });
  if (flags.some((flag) => flag === "--dry-run" || /^-[46dfquv]*n/u.test(flag))) return undefined;
  const forced =
    hasFlag(flags, "", "--force", "--force-with-lease", "--mirror", "--delete") ||
    flags.some((flag) => /^-[46nquv]*[df]/u.test(flag)) ||
    operands.some((refspec) => /^(?:\+|:.)/u.test(refspec));
  return forced ? "git_push_force" : undefined;
};

const interpreter: Rule = ({ args, stdin = "" }) => {
  const { flags, operands } = split(args, { stop: true });
  const [script] = operands;
  if (script !== undefined && script !== "-" && script !== "/dev/stdin") {
    return script.startsWith(MARK.download) ? "download_to_shell" : undefined;
  }
  // `python -mjson.tool` and `perl -pe'…'` have their program in the flag: stdin is only its data.
  const inline = flags.some((flag) => /^-(?:[A-Za-z]*[cmeE]|-eval|-print)/u.test(flag));
  return stdin.includes(MARK.download) && !inline ? "download_to_shell" : undefined;
};

const when =
  (rule: string, test: (args: readonly string[]) => boolean): Rule =>
  ({ args }) =>
    test(args) ? rule : undefined;

const TABLE: readonly (readonly [names: string, rule: Rule])[] = [
  ["rm", rm],
  ["find", find],
  ["mkfs mke2fs wipefs", () => "make_filesystem"],
  ["fdisk sfdisk parted", partitions],
  ["reboot halt poweroff", () => "power_off"],
  ["shutdown", when("power_off", (args) => !args.includes("-c"))],
  ["init telinit", when("power_off", (args) => /^[06]$/u.test(args[0] ?? ""))],
  ["systemctl", systemctl],
  ["chmod chown chgrp", permissions],
  ["mv", mv],
  ["kill", kill],
  ["pkill killall", pkill],
  ["killall5", () => "kill_all"],
  ["git", git],
  ["crontab", when("remove_crontab", (args) => args.some((arg) => /^-[eils]*r/u.test(arg)))],
  ["userdel deluser", () => "remove_user"],
  ["iptables ip6tables", when("flush_firewall", (args) => args.some((arg) => /^(?:-F|--flush)$/u.test(arg)))],
  ["nft", when("flush_firewall", (args) => /\bflush\s+ruleset\b/u.test(args.join(" ")))],
];
const RULES: ReadonlyMap<string, Rule> = new Map(
  TABLE.flatMap(([names, rule]) => names.split(" ").map((name) => [name, rule] as const)),
);

export function ruleBrokenBy(command: SimpleCommand): string | undefined {
  const { name, args } = command;
  if (name.startsWith(MARK.download)) return "download_to_shell";
  const written = writtenFiles(command).filter(isAbsolute);
  const paths = written.map((file) => `/${segments(file).join("/")}`);
  if (paths.some((path) => DISK.test(path))) return "write_disk_device";
  if (paths.some((path) => SYSTEM_FILE.test(path))) return "write_system_file";
  if (args.length === 1 && /^--(?:help|version)$/u.test(args[0] ?? "")) return undefined;
  if (INTERPRETER.test(name)) return interpreter(command);
  return RULES.get(name.startsWith("mkfs.") ? "mkfs" : name)?.(command);
}

/** Options and leading operands of commands that run the rest of their words. */
const WRAPPERS: ReadonlyMap<string, OptionSpec & { readonly skip?: number }> = new Map([
  ["sudo", { short: "ughpCcrtTURDa", long: ["--user", "--group", "--host", "--prompt", "--chdir"] }],
  ["doas", { short: "uCa" }],
  ["env", { short: "uC", long: ["--unset", "--chdir"] }],
  ["time", { short: "fo", long: ["--format", "--output"] }],
  ["nice", { short: "n", long: ["--adjustment"] }],
  ["ionice", { short: "cn", long: ["--class", "--classdata"] }],
  ["timeout", { short: "sk", long: ["--signal", "--kill-after"], skip: 1 }],
  ["exec", { short: "a" }],
  ...["nohup", "command", "builtin", "busybox", "setsid"].map((name) => [name, {}] as const),
  ["stdbuf", { short: "ioe", long: ["--input", "--output", "--error"] }],
  ["xargs", { short: "IndPLsaE", long: ["--max-args", "--max-procs", "--delimiter", "--arg-file"] }],
]);
const MAX_WRAPPERS = 16;
const MAX_INNER_WORDS = 256;

/** The command that really runs, without sudo and similar wrappers. */
export function unwrap(argv: readonly string[], { stdin: input, writes }: Input): SimpleCommand {
  let [words, stdin] = [argv, input];
  for (let layer = 0; layer < MAX_WRAPPERS; layer++) {
    const name = baseName(words[0]);
    const spec = WRAPPERS.get(name);
    if (spec === undefined) break;
    const { flags, operands } = split(words.slice(1), { ...spec, stop: true });
    if (name === "command" && hasFlag(flags, "vV")) return { name, args: [], writes, stdin };
    const start = operands.findIndex((word) => !ASSIGNMENT.test(word));
    words = start < 0 ? [] : operands.slice(start + (spec.skip ?? 0));
    if (name === "xargs") {
      words = [...words, ...(stdin ?? "").split(/\s+/u).filter((word) => word !== "")];
      stdin = undefined;
    }
  }
  return { name: baseName(words[0]), args: words.slice(1), writes, stdin };
}

function baseName(word = ""): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** The commands given to `find -exec`, up to their `;` or `+`. */
export function innerCommands({ name, args }: SimpleCommand): readonly (readonly string[])[] {
  if (name !== "find") return [];
  const found: string[][] = [];
  let open: string[] | undefined;
  for (const arg of args) {
    if (open === undefined) {
      if (/^-(?:exec|ok)(?:dir)?$/u.test(arg)) found.push((open = []));
    } else if (arg === ";" || arg === "+") open = undefined;
    else if (open.length < MAX_INNER_WORDS) open.push(arg);
  }
  return found;
}

/** The shell code that a command runs: `eval`, `sh -c`, or a shell that reads its standard input. */
export function shellCode({ name, args, stdin }: SimpleCommand): string | undefined {
  if (name === "eval") return args.join(" ");
  if (name === "trap") return split(args).operands[0];
  const sources = name === "source" || name === ".";
  if (!sources && !SHELLS.has(name)) return undefined;
  const { flags, operands } = split(args, { short: "oO", long: ["--rcfile", "--init-file"], stop: true });
  const [script = "-"] = operands;
  if (hasFlag(flags, "c")) return script;
  if (hasFlag(flags, "s") || script === "-" || script === "/dev/stdin") return stdin;
  return script.startsWith(MARK.download) ? script : undefined;
}

/** A command's output, as far as its words and its input determine it. */
export function printed({ name, args, stdin }: SimpleCommand): string | undefined {
  if (DOWNLOADERS.has(name)) return MARK.download;
  if (name === "echo" || name === "printf") {
    const texts = args.filter((arg) => !/^-[neE]+$/u.test(arg));
    return texts.join(name === "echo" ? " " : "\n").replaceAll(String.raw`\n`, "\n");
  }
  if (name === "tee" || (name === "cat" && args.every((arg) => arg.startsWith("-")))) return stdin;
  return [...args, stdin].some((text) => text?.includes(MARK.download)) ? MARK.download : undefined;
}
