import { describe, expect, test } from "vitest";
import { classify } from "../../src/agents/classify.ts";
import { oneLine } from "../../src/agents/one-line.ts";
import { WORDINGS } from "../../src/agents/wordings.ts";
import corpus from "./corpus.json" with { type: "json" };

/**
 * Real messages and their classes, with dates moved near `now`. `from` is the source: a recorded run, a provider's documentation, or
 * an issue of a repository. A `message` of several lines is a list. `retryAt` is `some` if it depends on the machine's time zone, and
 * absent if the message names no time.
 */
interface Case {
  readonly class: string | null;
  readonly from: string;
  readonly status?: number;
  readonly code?: string;
  readonly message: string | readonly string[];
  readonly retryAt?: string;
}

const CASES: readonly Case[] = corpus.cases;
const NOW = new Date(corpus.now);

function classified({ status, code, message }: Omit<Case, "from" | "class">): ReturnType<typeof classify> {
  return classify({ status: status ?? null, code: code ?? null, message: [message].flat().join("\n") }, NOW);
}

describe("the corpus of real messages", () => {
  test.each(
    CASES.map((each) => [each.class, oneLine([each.message].flat().join(" ")).slice(0, 90), each] as const),
  )("%s: %s", (kind, _, each) => {
    const failure = classified(each);
    const dependsOnZone = each.retryAt === "some" && Boolean(failure?.retryAt);
    expect({
      class: failure?.class ?? null,
      retryAt: dependsOnZone ? "some" : (failure?.retryAt ?? null),
    }).toEqual({
      class: kind,
      retryAt: each.retryAt ?? null,
    });
  });

  test("has a message for every wording", () => {
    const errors = CASES.filter((each) => each.class !== null).map((each) => [each.message].flat().join(" "));
    const plain = errors.map((error) => error.replaceAll("\\n", " ").replaceAll(/\\(?=")/g, ""));
    const unheard = WORDINGS.flatMap((wording) => wording.says).filter(
      (pattern) => !plain.some((error) => pattern.test(error)),
    );
    expect(unheard).toEqual([]);
  });

  test("has every class of error, and work that only mentions errors", () => {
    expect(new Set(CASES.map((each) => each.class))).toEqual(
      new Set([
        "quota",
        "rate_limited",
        "overloaded",
        "unreachable",
        "auth",
        "permission",
        "session_lost",
        "refused",
        "own_limit",
        null,
      ]),
    );
  });
});

describe("known errors take precedence over guesses", () => {
  test("a status decides if the words are inconclusive", () => {
    const kinds = [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 529].map((status) => [
      status,
      classified({ status, message: "no" })?.class ?? null,
    ]);
    expect(kinds).toEqual([
      [400, null],
      [401, "auth"],
      [402, "quota"],
      [403, "auth"],
      [404, null],
      [408, "overloaded"],
      [413, "own_limit"],
      [429, "rate_limited"],
      [500, "overloaded"],
      [502, "overloaded"],
      [503, "overloaded"],
      [529, "overloaded"],
    ]);
  });

  test("an exact code goes before words, a broad one after them", () => {
    expect(
      classified({ code: "context_length_exceeded", message: "Rate limit reached for requests" })?.class,
    ).toBe("own_limit");
    expect(
      classified({ code: "rate_limit", message: "You've hit your limit · resets 3am (UTC)" })?.class,
    ).toBe("quota");
    expect(classified({ code: "rate_limit", message: "no" })?.class).toBe("rate_limited");
  });

  test("words count anywhere in an error of the service, but only at the beginning of a line of text", () => {
    const message = "The provider says: This request requires more credits";
    expect(classified({ status: 400, message })?.class).toBe("quota");
    expect(classified({ message })).toBeNull();
  });

  test("an error quoted in an error counts", () => {
    const inner = JSON.stringify({ error: { code: "1305", message: "no" } });
    expect(classified({ message: `429 ${JSON.stringify({ error: { message: inner } })}` })?.class).toBe(
      "overloaded",
    );
  });

  test("the last lines count most", () => {
    const early = "You've hit your usage limit. Try again later.";
    const late = "Prompt is too long";
    expect(classified({ message: `${early}\nwork\n${late}\nbye` })?.class).toBe("own_limit");
    expect(classified({ message: `${late}\nwork\n${early}\nbye` })?.class).toBe("quota");
  });
});

describe("when to come back", () => {
  test("a field goes before the message", () => {
    const clue = { status: 429, code: null, message: "try again in 2s" };
    expect(classify({ ...clue, retryAt: "2026-11-15T13:00:00+02:00" }, NOW)?.retryAt).toBe(
      "2026-11-15T11:00:00.000Z",
    );
    expect(classify({ ...clue, retryAt: "2026-11-15T09:00:00Z" }, NOW)?.retryAt).toBe(
      "2026-11-15T10:00:02.000Z",
    );
    expect(classify({ ...clue, retryAt: "soon" }, NOW)?.retryAt).toBe("2026-11-15T10:00:02.000Z");
  });

  test("is set only for temporary failures", () => {
    expect(
      classified({ message: "No conversation found with session ID: x. try again in 2s" })?.retryAt,
    ).toBeNull();
  });
});

describe("the message", () => {
  test("is the whole as one line where it is short", () => {
    expect(
      classified({ message: "work\n\u001B[31mNot logged in · Please run /login\u001B[0m\n" })?.message,
    ).toBe("work Not logged in · Please run /login");
  });

  test("is the decisive line of a long text", () => {
    const message = `${"work and more work\n".repeat(100)}Not logged in · Please run /login\nbye`;
    expect(classified({ message })?.message).toBe("Not logged in · Please run /login");
  });
});
