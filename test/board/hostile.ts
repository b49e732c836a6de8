import * as fc from "fast-check";

/** Long texts that cause heavy backtracking in a careless parser, beyond the test's time limit. */
export const LONG_TEXTS: readonly (readonly [string, string])[] = [
  ["spaces", " ".repeat(300_000)],
  ["spaces and a word", `${" ".repeat(300_000)}x`],
  ["line ends", "\n".repeat(300_000)],
  ["backticks", "`".repeat(300_000)],
  [
    "runs of backticks that nothing closes",
    Array.from({ length: 700 }, (_, n) => "`".repeat(n + 1)).join(" "),
  ],
  ["spans", "`a` ".repeat(80_000)],
  ["fences", "```\n".repeat(80_000)],
  ["stars", `**${"*".repeat(300_000)} x`],
  ["hashes", `${"#".repeat(300_000)} x`],
  ["braces", "{".repeat(300_000)],
  ["quotes", '{"'.repeat(150_000)],
  ["items", "1. `a` → b\n".repeat(30_000)],
  ["digits", "1".repeat(300_000)],
  ["ids", "M1-T1 ".repeat(50_000)],
  ["keys", "结论: PASS\n测试文件:\n- a.ts\n".repeat(10_000)],
  ["sections", "## 测试问题反馈\nx\n## 验收标准\n".repeat(10_000)],
  ["comments", "<!-- ".repeat(60_000)],
  ["comments and spans", "`a` <!-- ".repeat(30_000)],
  ["keys and empty lines", "结论:\n\n\n\n".repeat(40_000)],
  ["a title and stars", `# Partial Milestone Review: M2 ${"*".repeat(300_000)}x`],
];

const PIECES = [
  "# Current Task (Iteration 3)",
  "## M1: a",
  "### M1-T1: b",
  "M01-t1：",
  "- status: TODO",
  "- **acceptance:**",
  "  1. `npm test` → exit 0",
  "`",
  "```",
  "~~~",
  "→",
  "->",
  "- evidence: 无",
  "- depends: M1-T1",
  "结论: PASS",
  "## 验收标准",
  "- 命令: `a`",
  "- 阈值: b",
  "## 测试问题反馈",
  "覆盖: 1-4",
  "<!--",
  "-->",
  "测试命令:",
  "Partial Milestone Review: M2 (excluding blocked tasks)",
  '{"next_agent":"DEV"}',
  '{"a":',
  "\n",
  "\r\n",
  " ",
  "**",
  "__proto__: 1",
  "constructor: 1",
  "\u0000",
  "\ud800",
];

/** Random texts with the keywords that parsers look for. */
export const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12, unit: "binary" })), {
    maxLength: 40,
  })
  .chain((pieces) => fc.constantFrom("", "\n", " ").map((between) => pieces.join(between)));
