import type { Silenced } from "../../core/events/candidate.ts";

export type { Silenced };

interface Comment {
  readonly name: string;
  readonly pattern: RegExp;
  /** Programs that respect it. */
  readonly tools: readonly string[];
}

const TYPESCRIPT = ["tsc", "vue-tsc", "tsd"];
const LINTERS = ["eslint", "oxlint", "xo", "standard"];
const COVERAGE = ["coverage", "c8", "nyc"];

const COMMENTS: readonly Comment[] = [
  ...["@ts-nocheck", "@ts-ignore", "@ts-expect-error"].map((name) => ({
    name,
    pattern: new RegExp(`(?://|/?\\*)\\s*${name}\\b`, "g"),
    tools: TYPESCRIPT,
  })),
  { name: "eslint-disable", pattern: /\b(?:eslint|oxlint)-disable(?:-next-line|-line)?\b/g, tools: LINTERS },
  { name: "istanbul ignore", pattern: /\bistanbul ignore\b/g, tools: COVERAGE },
  { name: "c8 ignore", pattern: /\b(?:c8|node:coverage) (?:ignore|disable)\b/g, tools: COVERAGE },
  { name: "v8 ignore", pattern: /\bv8 ignore\b/g, tools: COVERAGE },
  { name: "# pragma: no cover", pattern: /#\s*pragma:\s*no ?cover/gi, tools: COVERAGE },
  {
    name: "# type: ignore",
    pattern: /#\s*(?:type|pyright|mypy):\s*ignore/g,
    tools: ["mypy", "pyright", "basedpyright", "pyre", "ty"],
  },
  {
    name: "# noqa",
    pattern: /#\s*(?:ruff:\s*|flake8:\s*)?noqa\b/gi,
    tools: ["ruff", "flake8", "pycodestyle"],
  },
];

interface Change {
  readonly path: string;
  /** Null: there was none. */
  readonly before: string | null;
  readonly after: string;
}

/** Added comments that programs of the test commands respect. */
export function addedComments(
  tools: ReadonlySet<string>,
  changes: () => Iterable<Change>,
): readonly Silenced[] {
  const minded = COMMENTS.filter((comment) => comment.tools.some((name) => tools.has(name)));
  if (minded.length === 0) return [];
  const all = [...changes()];
  return minded.flatMap(({ name, pattern }) => {
    const added = all
      .map(({ path, before, after }) => ({ path, count: countOf(after, pattern) - countOf(before, pattern) }))
      .filter(({ count }) => count > 0);
    const count = added.reduce((sum, one) => sum + one.count, 0);
    const paths = added.map(({ path }) => path);
    return count === 0
      ? []
      : [{ comment: name, count, files: { count: paths.length, some: paths.slice(0, MOST_FILES) } }];
  });
}

const MOST_FILES = 20;

function countOf(text: string | null, pattern: RegExp): number {
  return text === null ? 0 : [...text.matchAll(pattern)].length;
}
