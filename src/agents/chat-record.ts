import fs from "node:fs";
import type { ChatNews, RecordNews, RecordPlace } from "./chat.ts";

const CHUNK = 4 * 1024 * 1024;

/** The complete lines of a file from an offset, and where they end. Skips lines longer than one read. */
export function linesFrom(
  path: string,
  offset: number,
): { readonly lines: readonly string[]; readonly offset: number } {
  const chunk = read(path, offset, CHUNK);
  const end = chunk.lastIndexOf(0x0a) + 1;
  if (end === 0 && chunk.length === CHUNK) return { lines: [], offset: offset + CHUNK };
  const lines = chunk.toString("utf8", 0, end).split("\n");
  return { lines: lines.filter((line) => line !== ""), offset: offset + end };
}

/** Unread news in a session's own file. A person may switch to another session, and so to another file. */
export function newsOf(
  id: string,
  path: string,
  from: RecordPlace | null,
  newsIn: (line: string) => readonly ChatNews[],
): RecordNews {
  const begins = from?.path !== path;
  const { lines, offset } = linesFrom(path, begins ? 0 : from.offset);
  const news = lines.flatMap(newsIn);
  return { news: begins ? [{ kind: "session", id }, ...news] : news, place: { path, offset, of: id } };
}

/** The lines at the end of a file; the first may be a part of one. */
export function lastLines(path: string, bytes: number): readonly string[] {
  return read(path, Math.max(0, sizeOf(path) - bytes), bytes)
    .toString("utf8")
    .split("\n");
}

export function firstBytes(path: string, bytes: number): string {
  return read(path, 0, bytes).toString("utf8");
}

export function namesIn(dir: string): readonly string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}

export function sizeOf(path: string): number {
  return stat(path)?.size ?? 0;
}

/** Time of the last write; null: no such file. */
export function changedAt(path: string): number | null {
  return stat(path)?.mtimeMs ?? null;
}

/** The agent may create or remove its record at any time, so an unreadable file counts as empty. */
function read(path: string, offset: number, bytes: number): Buffer {
  let file: number | null = null;
  try {
    file = fs.openSync(path, "r");
    const left = Math.max(0, fs.fstatSync(file).size - offset);
    const buffer = Buffer.alloc(Math.min(bytes, left));
    return buffer.subarray(0, fs.readSync(file, buffer, 0, buffer.length, offset));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== null) fs.closeSync(file);
  }
}

function stat(path: string): fs.Stats | null {
  try {
    return fs.statSync(path);
  } catch {
    return null;
  }
}
