import { join } from "node:path";

/**
 * A path in the tree as text. Each high byte of a name that is not UTF-8 becomes a lone surrogate, which no UTF-8 name can contain.
 * So two names never share a text, and the bytes can be restored.
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

/** The absolute place of a tree path, in the form that the file system takes. */
export function placeOf(root: string, path: string): string | Buffer {
  const place = join(root, path);
  return isText(place) ? place : Buffer.concat(place.split("/").flatMap(withSlash));
}

/** Whether the name is UTF-8; git, as we call it, accepts no other. */
function isText(path: string): boolean {
  return !/\p{Surrogate}/u.test(path);
}

function withSlash(name: string, index: number): Buffer[] {
  const bytes = isText(name)
    ? Buffer.from(name)
    : Buffer.from(Uint8Array.from(name, (char) => char.charCodeAt(0) & 0xff));
  return index === 0 ? [bytes] : [Buffer.from("/"), bytes];
}
