import fs, { type BigIntStats } from "node:fs";
import { namesIn } from "./names-in.ts";

const STANDARD_OUTPUTS = [1, 2];

/** Identifies a file regardless of its name. */
export function fileId({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** The regular files behind our standard output and error. Their ids stay valid while we hold them open. */
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
 * The files that other processes of our process group write, as in `… | tee run.log`. A shell puts a whole pipeline into one group;
 * an agent gets its own.
 */
export function pipelineFiles(): readonly FileAt[] {
  return groupPids().flatMap(writtenBy);
}

/** Empty without /proc. */
function groupPids(): string[] {
  const group = groupOf("self");
  if (group === undefined) return [];
  return namesIn("/proc").filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
}

function groupOf(pid: string): string | undefined {
  const stat = tryTo(() => fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The program's name comes first and may contain anything. State, parent and group follow it.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
}

function writtenBy(pid: string): FileAt[] {
  return namesIn(`/proc/${pid}/fd`)
    .filter((fd) => isForWriting(pid, fd))
    .flatMap((fd) => fileBehind(`/proc/${pid}/fd/${fd}`));
}

/** The link of a removed file has " (deleted)" in its text and leads nowhere. */
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

/** Processes come and go during the look, and some belong to another user. */
function tryTo<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
