/**
 * The sample project of `demo` and its scripted agent. Round 1 makes a false claim, round 2 breaks the full tests, round 3 is right. Everything runs
 * on Node alone.
 */
export const TASK = "Implement slugify(title) in slug.mjs";

const PLAN = `# Plan

slugify(title) turns a title into a part of an address:

1. lower case, words joined by one hyphen
2. no hyphen at either end
3. letters lose their accents ("Café" becomes "cafe")
`;

const EMPTY = `export function slugify(title) {
  throw new Error("not implemented");
}
`;

const FAST_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../slug.mjs";

test("joins words with hyphens", () => assert.equal(slugify("Hello World"), "hello-world"));
`;

const FULL_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../slug.mjs";

test("has no hyphen at the ends", () => assert.equal(slugify("  Hello, World! "), "hello-world"));
test("takes accents away", () => assert.equal(slugify("Café Olé"), "cafe-ole"));
`;

const AGENT = `import { readFileSync, writeFileSync } from "node:fs";

const round = Number(process.env.GA_LOOP_INDEX);
const say = (status, evidence) => console.log("GA_STATUS=" + status + "\\nGA_EVIDENCE=" + evidence);
console.log("working on: " + process.env.GA_TASK);

if (round === 1) {
  // Does nothing and claims success.
  say("DONE", "all tests pass");
} else if (round === 2) {
  const feedback = readFileSync(process.env.GA_PREV_FEEDBACK_FILE, "utf8");
  console.log("read " + feedback.length + " characters of feedback");
  writeFileSync("slug.mjs", 'export const slugify = (title) => title.toLowerCase().replaceAll(" ", "-");\\n');
  say("DONE", "the fast test passes");
} else {
  writeFileSync(
    "slug.mjs",
    [
      "export function slugify(title) {",
      '  const plain = title.normalize("NFD").replace(/\\\\p{M}/gu, "").toLowerCase();',
      '  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");',
      "}",
      "",
    ].join("\\n"),
  );
  say("DONE", "all rules of the plan are implemented");
}
`;

/** Its test covers only the first rule of the plan. */
export const BARELY_TESTED: Readonly<Record<string, string>> = {
  "plan.md": PLAN,
  "slug.mjs": EMPTY,
  "test/fast.test.mjs": FAST_TEST,
};

export const FILES: Readonly<Record<string, string>> = {
  ...BARELY_TESTED,
  "test/full.test.mjs": FULL_TEST,
};

/** Kept outside the project, like an installed agent. */
export const AGENT_FILES: Readonly<Record<string, string>> = { "agent.mjs": AGENT };
