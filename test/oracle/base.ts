import { compareFile, type Compared } from "../../src/domain/oracle/compare.ts";
import type { OracleKind } from "../../src/domain/oracle/change.ts";
import { oracleOf, type Oracle } from "../../src/domain/oracle/oracle.ts";
import { NO_USES, type OracleUses } from "../../src/domain/oracle/uses.ts";

type Files = Readonly<Record<string, unknown>>;

/** The oracle of a tree that is given by its texts; what is no text is written as JSON. */
export function oracleIn(files: Files, commands: readonly string[], cwd = ""): Oracle {
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

/** The files of a tree that are oracle, each with its kind. */
export function kindsIn(files: Files, commands: readonly string[], cwd = ""): Record<string, OracleKind> {
  const { kindOf } = oracleIn(files, commands, cwd);
  return Object.fromEntries(
    Object.keys(files).flatMap((path) => {
      const kind = kindOf(path);
      return kind === null ? [] : [[path, kind]];
    }),
  );
}

/** What the test commands of a tree use, for comparing a file of it. */
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
