import fs from "node:fs";

/** Mount points below a folder, relative to it, outer ones first. Empty without /proc. */
export function mountsBelow(root: string): readonly string[] {
  const prefix = root === "/" ? "/" : `${root}/`;
  const points = mountInfo()
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map(unescaped);
  const below = points.filter((point) => point.startsWith(prefix) && point !== prefix);
  return [...new Set(below)].map((point) => point.slice(prefix.length)).sort();
}

function mountInfo(): string {
  try {
    return fs.readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

/** The kernel writes blanks and similar characters as three octal digits. */
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
