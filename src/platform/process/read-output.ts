import fs from "node:fs";
import { excerpt, type ExcerptLimits, type ExcerptLine } from "../../text/excerpt.ts";
import type { Artifact } from "./process-end.ts";

const PART_BYTES = 512 * 1024;

/** Reads the relevant part of a transcript of any size: only its beginning and its end. Empty if the file is gone. */
export function readExcerpt(
  output: Artifact,
  limits: ExcerptLimits,
  redact: (text: string) => string,
): ExcerptLine[] {
  if (fs.statSync(output.path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const fd = fs.openSync(output.path, "r");
  try {
    const size = fs.fstatSync(fd).size;
    // Redact before splitting into lines, because a key may span several.
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
