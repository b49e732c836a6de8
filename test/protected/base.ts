import { compareFile, type Compared } from "../../src/evidence/protected/compare.ts";
import type { ProtectedKind } from "../../src/core/evidence/change.ts";
import { protectedFilesOf, type ProtectedFiles } from "../../src/evidence/protected/protected-files.ts";
import { NO_USES, type CommandUses } from "../../src/evidence/protected/uses.ts";

type Files = Readonly<Record<string, unknown>>;

/** The protected files of a tree of texts. Other values are written as JSON. */
export function protectedFilesIn(files: Files, commands: readonly string[], cwd = ""): ProtectedFiles {
  return protectedFilesOf({
    files: Object.keys(files),
    read: (path) => textOf(files[path]),
    commands,
    cwd,
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The protected files of a tree with their kinds. */
export function kindsIn(files: Files, commands: readonly string[], cwd = ""): Record<string, ProtectedKind> {
  const { kindOf } = protectedFilesIn(files, commands, cwd);
  return Object.fromEntries(
    Object.keys(files).flatMap((path) => {
      const kind = kindOf(path);
      return kind === null ? [] : [[path, kind]];
    }),
  );
}

/** The tools of a tree's test commands, needed to compare one of its files. */
export function comparedIn(
  files: Files,
  commands: readonly string[],
): (path: string, after: string | null) => Compared {
  const protectedFiles = protectedFilesIn(files, commands);
  return (path, after) => {
    const kind = Object.hasOwn(files, path) ? protectedFiles.kindOf(path) : protectedFiles.kindOfNew(path);
    if (kind === null) throw new Error(`${path} is the product's`);
    const before = Object.hasOwn(files, path) ? textOf(files[path]) : null;
    return compareFile(path, kind, before, after, protectedFiles.uses);
  };
}

export function compared(
  path: string,
  before: string | null,
  after: string | null,
  uses: CommandUses = NO_USES,
  kind: ProtectedKind = "config",
): Compared {
  return compareFile(path, kind, before, after, uses);
}

export function tools(...names: string[]): CommandUses {
  return { ...NO_USES, tools: new Set(names) };
}
