import type { OracleUses } from "./uses.ts";

/** What makefiles have for people, by the names that are usual: no other name is safe, for rules may be made by patterns. */
const CHORES = new Set(
  "lint fmt format clean distclean install uninstall start serve dev watch docs doc help release docker deploy".split(
    " ",
  ),
);
/** Without variables: what they hold may run as soon as the line is read. The mark stands for sources. */
const CHORE = /^([\w-]+)[ \t]*:[\w./ \t\u0001-]*$/;
const RULE = /^[^\s#.:=][^:=]*:(?!=)/;
const PHONY = /^\.PHONY[ \t]*:(.*)$/;

/** A makefile without the chores that no test needs: nothing depends on them, nor do the commands ask for them. */
export function withoutChores(text: string, { tools }: OracleUses): string {
  const lines = text.split("\n").filter((line) => !/^\s*(?:#|$)/.test(line));
  const inChore = choreOfLines(lines);
  const needed = new Set<string>();
  lines.forEach((line, at) => {
    if (inChore[at] === null && !PHONY.test(line))
      for (const [word] of line.matchAll(/[\w-]+/g)) needed.add(word);
  });
  const isLeft = (name: string | null): boolean =>
    name !== null && !needed.has(name) && !tools.has(`make ${name}`);
  return lines
    .filter((_, at) => !isLeft(inChore[at] ?? null))
    .flatMap((line) => {
      const phony = PHONY.exec(line)?.[1]?.split(/\s+/);
      if (phony === undefined) return [line];
      const names = phony.filter((name) => name !== "" && !(CHORES.has(name) && isLeft(name)));
      return names.length === 0 ? [] : [`.PHONY: ${names.join(" ")}`];
    })
    .join("\n");
}

/** For each line, the chore that it belongs to. The first rule is none: it is what is made where nobody says what. */
function choreOfLines(lines: readonly string[]): (string | null)[] {
  let isFirst = true;
  let now: string | null = null;
  return lines.map((line) => {
    if (line.startsWith("\t")) return now;
    const name = CHORE.exec(line)?.[1];
    now = name !== undefined && !isFirst && CHORES.has(name) ? name : null;
    if (RULE.test(line)) isFirst = false;
    return now;
  });
}
