/**
 * `absent`: it did not begin. `whole`: it came to an end of its own. `failing`: its process failed, which whoever started it has seen and judges.
 * `cut`: its process succeeded, and it never came to an end of its own. `bent`: it came to its end, and what makes it fail was not what it was, or
 * its process did not end as it said. `gone`: nobody knows how its process ended.
 */
export type Ended = "absent" | "whole" | "failing" | "bent" | "gone" | "cut";

const WORST: readonly Ended[] = ["cut", "bent", "gone", "failing", "whole"];

/** What other programs start, they may end as well: servers, say, that are there while tests run. */
const STARTS_TESTS = /^(?:\d*$|sh$|dash$|bash$|ksh|busybox|g?make|npm|yarn|pnpm|timeout|env|xargs|time)/;

interface Begun {
  readonly by: string;
  /** What it said of its end; null: nothing. */
  end: string | null;
  /** With which code its process ended; null: nobody knows. */
  left: string | null;
}

/**
 * By what was told: `begin <id> <pid> <by>`, `end <id> <pid> <how>`, `exit <pid> <code>`, `exec <pid>`, `left <id> <pid> <code>`. Parts of a test have
 * ids below its own.
 */
export function readEnds(told: string): (id: string) => Ended {
  const states = new Map<string, Set<Ended>>();
  const open = new Map<string, Begun>();
  const close = (key: string): void => {
    const one = open.get(key);
    open.delete(key);
    const [id = ""] = key.split(/[ .]/, 1);
    if (one) states.set(id, (states.get(id) ?? new Set()).add(stateOf(one)));
  };
  for (const line of told.split("\n")) {
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
  // Where it says nothing, its process does.
  const saysWell = end !== null && Number(end) % 256 === 0;
  if (left === null) return saysWell || !STARTS_TESTS.test(by) ? "whole" : "gone";
  if (left !== "0") return "failing";
  return end === null ? "cut" : saysWell ? "whole" : "bent";
}

/**
 * Whether a test was ended by what it tests, by how it ended on the base: whoever judges it there as well is the test itself. `isBuilt`: it can be
 * ended before it begins, which nobody tells of.
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
      // What ran well on a base that failed may have been there for the failure.
      return isBuilt && base !== now && (base !== "whole" || basePassed);
  }
}
