import fs, { type BigIntStats } from "node:fs";

const STANDARD_OUTPUTS = [1, 2];

/** What a file is told by, whatever it is called. */
export function fileId({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** The regular files behind our standard outputs, which stay ours as long as we hold them open. */
export function ownOutput(): ReadonlySet<string> {
  return new Set(STANDARD_OUTPUTS.flatMap(idBehind));
}

function idBehind(fd: number): string[] {
  const stat = tryTo(() => fs.fstatSync(fd, { bigint: true }));
  return stat?.isFile() === true ? [fileId(stat)] : [];
}

/** A file that was at a path at some moment. */
export interface FileAt {
  readonly path: string;
  readonly id: string;
}

/**
 * The files that other processes of our process group write, as in `… | tee run.log`: a shell puts a whole pipeline into one
 * group; an agent gets one of its own.
 */
export function pipelineFiles(): readonly FileAt[] {
  return groupPids().flatMap(writtenBy);
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

function writtenBy(pid: string): FileAt[] {
  return namesIn(`/proc/${pid}/fd`)
    .filter((fd) => isForWriting(pid, fd))
    .flatMap((fd) => fileBehind(`/proc/${pid}/fd/${fd}`));
}

/** Of a file that was removed the link says so in its text, and names nothing. */
function fileBehind(link: string): FileAt[] {
  const path = tryTo(() => fs.readlinkSync(link));
  const stat = path === undefined ? undefined : tryTo(() => fs.lstatSync(path, { bigint: true }));
  return path !== undefined && stat?.isFile() === true ? [{ path, id: fileId(stat) }] : [];
}

function isForWriting(pid: string, fd: string): boolean {
  const info = tryTo(() => fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1")) ?? "";
  const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
  return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
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
