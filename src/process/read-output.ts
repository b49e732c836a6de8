import fs from "node:fs";
import { excerpt, type ExcerptLimits, type ExcerptLine } from "../domain/excerpt.ts";
import type { Captured } from "../domain/process-end.ts";

const PART_BYTES = 512 * 1024;

/**
 * The telling part of a transcript, whatever its size: its beginning and its end are looked through. Nothing, if somebody took
 * the file away.
 */
export function readExcerpt(output: Captured, limits: ExcerptLimits): ExcerptLine[] {
  if (fs.statSync(output.path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const fd = fs.openSync(output.path, "r");
  try {
    const size = fs.fstatSync(fd).size;
    if (size <= 2 * PART_BYTES) return excerpt({ head: readPart(fd, 0, size), tail: null }, limits);
    const head = readPart(fd, 0, PART_BYTES);
    return excerpt({ head, tail: readPart(fd, size - PART_BYTES, PART_BYTES) }, limits);
  } finally {
    fs.closeSync(fd);
  }
}

function readPart(fd: number, position: number, length: number): string {
  const buffer = Buffer.alloc(length);
  const read = fs.readSync(fd, buffer, 0, length, position);
  return buffer.subarray(0, read).toString("utf8");
}
