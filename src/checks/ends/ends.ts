import { markC } from "./mark-c.ts";
import { markMake } from "./mark-make.ts";
import { markShell, type Place } from "./mark-shell.ts";

const SHELL = /\.(?:sh|bash|dash|ksh)$/;
const SHEBANG = /^#!.*\b(?:sh|bash|dash|ksh)\b/;
const C = /\.(?:c|cc|cpp|cxx)$/;
const MAKEFILE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$|\.mk$/;

/** What can end the process that tests it: what is read or linked into it. */
export function mayEndItsTest(path: string, text: string): boolean {
  return SHELL.test(path) || SHEBANG.test(text) || /\.(?:c|cc|cpp|cxx|h|hh|hpp|inc|s|S)$/.test(path);
}

/** A test as text that tells whether it came to its end; null: of this one nobody can tell. */
export function markEnds(path: string, text: string, place: Place): string | null {
  if (MAKEFILE.test(path)) return markMake(text, place);
  if (C.test(path)) return markC(text, place);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SHELL.test(path) || SHEBANG.test(text) ? markShell(text, name, place) : null;
}

/** `absent`: it did not run. `cut`: it began, and did not end by itself, or not well. */
export type Ended = "absent" | "cut" | "whole";

/** Automake's code of a test that was left out. */
const GOOD = new Set(["0", "77"]);

/** What other programs start, they may end as well: servers, say, that are there while tests run. */
const STARTS_TESTS = /^(?:\d*$|sh$|dash$|bash$|ksh|busybox|make|gmake|npm|yarn|pnpm)/;

/** By what was told: `begin <id> <pid> <by>`, `end <id> <pid> <code>`, `exit <pid> <code>`, `left <pid> <code>`. */
export function readEnds(told: string): (id: number) => Ended {
  const begun = new Map<string, Map<string, string | null>>();
  const exits = new Map<string, string>();
  const failed = new Set<string>();
  for (const line of told.split("\n")) {
    const [what = "", first = "", second = "", third = ""] = line.split(" ");
    if (what === "exit") exits.set(first, second);
    else if (what === "left" && second !== "0") failed.add(first);
    else if (what === "begin" && STARTS_TESTS.test(third))
      begun.set(first, (begun.get(first) ?? new Map()).set(second, null));
    else if (what === "end") begun.get(first)?.set(second, third);
  }
  return (id) => {
    const processes = begun.get(String(id));
    if (processes === undefined) return "absent";
    const isWhole = ([pid, code]: readonly [string, string | null]): boolean =>
      // A failure that whoever started it has seen is theirs to judge.
      failed.has(pid) || GOOD.has(code ?? exits.get(pid) ?? "");
    return [...processes].every(isWhole) ? "whole" : "cut";
  };
}
