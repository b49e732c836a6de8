import { join } from "node:path";

/**
 * A path in the tree as text. A name that is not UTF-8 has each of its high bytes as a lone surrogate, which no UTF-8 name can
 * hold: so two names are never one text, and the bytes can be had back.
 */
export function pathOf(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes("\uFFFD")) return text;
  return bytes.toString("latin1").split("/").map(nameOf).join("/");
}

function nameOf(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  const text = bytes.toString();
  if (Buffer.from(text).equals(bytes)) return text;
  return latin1.replace(/[\x80-\xff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

/** Where a path of the tree lies, in the form that the file system takes. */
export function placeOf(root: string, path: string): string | Buffer {
  const place = join(root, path);
  return isText(place) ? place : Buffer.concat(place.split("/").flatMap(withSlash));
}

/** Whether it is the name of something in UTF-8; git, as we call it, takes no other. */
function isText(path: string): boolean {
  return !/\p{Surrogate}/u.test(path);
}

function withSlash(name: string, index: number): Buffer[] {
  const bytes = isText(name)
    ? Buffer.from(name)
    : Buffer.from(Uint8Array.from(name, (char) => char.charCodeAt(0) & 0xff));
  return index === 0 ? [bytes] : [Buffer.from("/"), bytes];
}
