import { describe, expect, test } from "vitest";
import type { FailureCode } from "../../src/platform/failure.ts";
import { FAILURES, failureText } from "../../src/cli/words/failures.ts";

/** A program with words, flags and values. No punctuation of a sentence, no Chinese. */
const COMMAND = /^(?:[\w.-]+|"<[^>]+>"|<[\w-]+>|'[^']*')(?: (?:[\w./=-]+|"<[^>]+>"|<[\w-]+>|'[^']*'))*$/;
/** English words that no command contains. */
const PROSE = / (?:or|then|and|with|makes|prints|lists|the|it) /;

/** Every parameter of a message, each with its own name as value. */
const about = (missing: readonly string[]): Record<string, string> =>
  new Proxy(
    {},
    {
      get: (_, key) =>
        missing.includes(String(key)) ? undefined : key === "command" ? "agent-foreman run" : "x",
    },
  );

describe.each(["en", "zh"] as const)("the next step of a failure, in %s", (lang) => {
  const codes = Object.keys(FAILURES) as FailureCode[];
  test.each(codes)("%s: a command is alone in its line", (code) => {
    for (const missing of [[], ["runId", "command", "killed", "program"]]) {
      const { next } = failureText({ code, about: about(missing) }, lang);
      if (next === undefined || !next.includes("agent-foreman ")) continue;
      expect(next).toMatch(/^agent-foreman /);
      expect(next).toMatch(COMMAND);
      expect(`${next} `).not.toMatch(PROSE);
    }
  });
});
