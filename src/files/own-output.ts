import fs, { type BigIntStats } from "node:fs";

const STANDARD_OUTPUTS = [1, 2];

/** What a file is told by, whatever it is called. */
export function fileId({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/**
 * The regular files that our own output goes to: those behind our standard outputs, and, as in `… | tee run.log`, those that other
 * processes of our process group write. A shell puts a whole pipeline into one group; an agent gets one of its own.
 */
export function ownOutput(): ReadonlySet<string> {
  const direct = STANDARD_OUTPUTS.flatMap((fd) => regular(() => fs.fstatSync(fd, { bigint: true })));
  return new Set([...direct, ...groupPids().flatMap(writtenBy)]);
}

/** Empty where there is no /proc. */
function groupPids(): string[] {
  const group = groupOf("self");
  if (group === undefined) return [];
  return namesIn("/proc").filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
}

function groupOf(pid: string): string | undefined {
  const stat = tryTo(() => fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  // Before it stands the program's name, which may hold anything. After it: state, parent, group.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
}

function writtenBy(pid: string): string[] {
  return namesIn(`/proc/${pid}/fd`)
    .filter((fd) => isForWriting(pid, fd))
    .flatMap((fd) => regular(() => fs.statSync(`/proc/${pid}/fd/${fd}`, { bigint: true })));
}

function isForWriting(pid: string, fd: string): boolean {
  const info = tryTo(() => fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1")) ?? "";
  const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
  return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
}

function regular(look: () => BigIntStats): string[] {
  const stat = tryTo(look);
  return stat?.isFile() === true ? [fileId(stat)] : [];
}

function namesIn(folder: string): string[] {
  return tryTo(() => fs.readdirSync(folder)) ?? [];
}

/** Processes come and go while they are looked at, and some are another person's. */
function tryTo<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
