/**
 * `absent`: it did not begin. `whole`: it reached an end of its own. `failing`: its process failed, which its caller has seen and judges.
 * `cut`: its process succeeded without reaching an end of its own. `bent`: it reached its end, but its failure check was changed, or its
 * process ended differently than it reported. `gone`: the end of its process is unknown.
 */
export type Ended = "absent" | "whole" | "failing" | "bent" | "gone" | "cut";

const WORST: readonly Ended[] = ["cut", "bent", "gone", "failing", "whole"];

/** The product may end programs that others start, such as servers for the tests. */
const STARTS_TESTS = /^(?:\d*$|sh$|dash$|bash$|ksh|busybox|g?make|npm|yarn|pnpm|timeout|env|xargs|time)/;

interface Begun {
  readonly by: string;
  /** The end that it reported; null: none. */
  end: string | null;
  /** The exit code of its process; null: unknown. */
  left: string | null;
}

/**
 * The format of reports: `begin <id> <pid> <by>`, `end <id> <pid> <how>`, `exit <pid> <code>`, `exec <pid>`, `left <id> <pid> <code>`. Parts
 * of a test have ids below its own.
 */
export function readEnds(log: string): (id: string) => Ended {
  const states = new Map<string, Set<Ended>>();
  const open = new Map<string, Begun>();
  const close = (key: string): void => {
    const one = open.get(key);
    open.delete(key);
    const [id = ""] = key.split(/[ .]/, 1);
    if (one) states.set(id, (states.get(id) ?? new Set()).add(stateOf(one)));
  };
  for (const line of log.split("\n")) {
    const [what, first = "", second = "", ...rest] = line.split(" ");
    const key = `${first} ${second}`;
    const its = open.get(key);
    if (what === "begin") {
      close(key);
      open.set(key, { by: rest.join(" "), end: null, left: null });
    } else if (what === "end" && its) its.end = rest[0] ?? "";
    else if (what === "left" && its) {
      its.left = rest[0] ?? "";
      close(key);
    } else if (what === "exit" || what === "exec")
      for (const [other, one] of open) {
        if (!other.endsWith(` ${first}`)) continue;
        one.end ??= second;
        if (what === "exec") one.left ??= "0";
      }
  }
  for (const key of open.keys()) close(key);
  return (id) => WORST.find((state) => states.get(id)?.has(state)) ?? "absent";
}

function stateOf({ by, end, left }: Begun): Ended {
  if (end === "bent") return "bent";
  // Without a report the exit code of its process counts.
  const saysWell = end !== null && Number(end) % 256 === 0;
  if (left === null) return saysWell || !STARTS_TESTS.test(by) ? "whole" : "gone";
  if (left !== "0") return "failing";
  return end === null ? "cut" : saysWell ? "whole" : "bent";
}

/**
 * Whether the product ended a test, judged by how it ended on the base. If it ended the same way there, the test did it itself. `isBuilt`: it
 * can end before it begins, which leaves no mark.
 */
export function isEndedByProduct(
  now: Ended,
  base: Ended,
  { isBuilt, basePassed }: { readonly isBuilt: boolean; readonly basePassed: boolean },
): boolean {
  switch (now) {
    case "whole":
    case "failing":
      return false;
    case "cut":
    case "bent":
      return base !== now;
    case "gone":
      return base !== now && base !== "absent";
    case "absent":
      // A program that ran well on a failing base may have run because of the failure.
      return isBuilt && base !== now && (base !== "whole" || basePassed);
  }
}
