import { compareFile, type Compared } from "../../src/evidence/protected/compare.ts";
import type { OracleKind } from "../../src/core/evidence/change.ts";
import { oracleOf, type ProtectedFiles } from "../../src/evidence/protected/oracle.ts";
import { NO_USES, type OracleUses } from "../../src/evidence/protected/uses.ts";

type Files = Readonly<Record<string, unknown>>;

/** The protected files of a tree of texts. Other values are written as JSON. */
export function oracleIn(files: Files, commands: readonly string[], cwd = ""): ProtectedFiles {
  return oracleOf({
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
export function kindsIn(files: Files, commands: readonly string[], cwd = ""): Record<string, OracleKind> {
  const { kindOf } = oracleIn(files, commands, cwd);
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
  const oracle = oracleIn(files, commands);
  return (path, after) => {
    const kind = Object.hasOwn(files, path) ? oracle.kindOf(path) : oracle.kindOfNew(path);
    if (kind === null) throw new Error(`${path} is the product's`);
    const before = Object.hasOwn(files, path) ? textOf(files[path]) : null;
    return compareFile(path, kind, before, after, oracle.uses);
  };
}

export function compared(
  path: string,
  before: string | null,
  after: string | null,
  uses: OracleUses = NO_USES,
  kind: OracleKind = "config",
): Compared {
  return compareFile(path, kind, before, after, uses);
}

export function tools(...names: string[]): OracleUses {
  return { ...NO_USES, tools: new Set(names) };
}
