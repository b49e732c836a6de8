import fs from "node:fs";
import { excerpt, type ExcerptLimits, type ExcerptLine } from "../domain/excerpt.ts";
import type { Captured } from "../domain/process-end.ts";

const PART_BYTES = 512 * 1024;

/**
 * The telling part of a transcript, whatever its size: its beginning and its end are looked through. Nothing, if somebody took
 * the file away.
 */
export function readExcerpt(
  output: Captured,
  limits: ExcerptLimits,
  redact: (text: string) => string,
): ExcerptLine[] {
  if (fs.statSync(output.path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const fd = fs.openSync(output.path, "r");
  try {
    const size = fs.fstatSync(fd).size;
    // Before it is cut into lines: a key may have several.
    const part = (from: number, length: number): string => redact(readPart(fd, from, length));
    if (size <= 2 * PART_BYTES) return excerpt({ head: part(0, size), tail: null }, limits);
    const head = part(0, PART_BYTES);
    return excerpt({ head, tail: part(size - PART_BYTES, PART_BYTES) }, limits);
  } finally {
    fs.closeSync(fd);
  }
}

function readPart(fd: number, position: number, length: number): string {
  const buffer = Buffer.alloc(length);
  const read = fs.readSync(fd, buffer, 0, length, position);
  return buffer.subarray(0, read).toString("utf8");
}
