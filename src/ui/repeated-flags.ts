import type { CallFlag, Settings } from "../core/settings.ts";
import { shellWord } from "../text/shell-quote.ts";
import { nearPath } from "./near-path.ts";

/** Flags about one call only: its output, or a tree that the person has looked at. */
const ONCE = new Set(["--json", "--quiet", "--verbose", "--dry-run", "--accept-tree"]);

/** The flags of a run's call that a call in the directory `here` needs for the same effect. */
export function repeatedFlags(
  { callFlags = [], cwd, reportPath }: Settings,
  here: string,
  isWanted: (flag: string) => boolean = () => true,
): readonly string[] {
  const typed = callFlags.filter(({ flag }) => flag !== "--cwd" && !ONCE.has(flag) && isWanted(flag));
  const near = (path: string): readonly string[] => [nearPath(path, here)];
  return [
    ...(cwd === here ? [] : [{ flag: "--cwd", values: near(cwd) }]),
    ...typed.map(({ flag, values }) => ({ flag, values: flag === "--report" ? near(reportPath) : values })),
  ].flatMap(flagWords);
}

/** A value that begins like a flag would be taken for one. */
function flagWords({ flag, values }: CallFlag): readonly string[] {
  const [first] = values;
  if (values.length === 1 && first?.startsWith("-")) return [shellWord(`${flag}=${first}`)];
  return [flag, ...values.map(shellWord)];
}
