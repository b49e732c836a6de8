/**
 * The steps of `demo run` and its two scripted agents: one implements, the other verifies. The first attempt at step 2 is bad, and its unit test
 * shows it.
 */
const step = (id: string, description: string, verification: readonly string[]): string =>
  `${JSON.stringify(
    {
      id,
      description,
      status: "🔴 待完成",
      verification: verification.map((fact) => ({ type: "unit", description: fact })),
    },
    null,
    2,
  )}\n`;

const STEPS: Readonly<Record<string, string>> = {
  "steps/001-trim.json": step("step-001", "trim(text) in text.mjs removes white space at both ends", [
    'trim("  a ") is "a"',
  ]),
  "steps/002-words.json": step("step-002", "words(text) in text.mjs gives the words of a text", [
    'words("a  b") is ["a", "b"]',
    'words("") is []',
  ]),
  "steps/003-title.json": step(
    "step-003",
    "title(text) in text.mjs makes the first letter of each word upper case",
    ['title("hello world") is "Hello World"'],
  ),
};

export const STEPS_PROJECT: Readonly<Record<string, string>> = { "text.mjs": "", ...STEPS };

const IMPLEMENTER = `import { readFileSync, writeFileSync } from "node:fs";

const prompt = readFileSync(0, "utf8");
const id = process.env.GA_STEP_ID;
const round = Number(process.env.GA_LOOP_INDEX);
if (round > 1) console.log("repairing this: " + (prompt.match(/unit test failed.*|单元测试失败.*/)?.[0] ?? "what failed"));

const trim = "export const trim = (text) => text.trim();\\n";
const badWords = 'export const words = (text) => text.split(" ");\\n';
const words = "export const words = (text) => text.split(/\\\\s+/).filter((word) => word !== '');\\n";
const title = "export const title = (text) => words(text).map((word) => word[0].toUpperCase() + word.slice(1)).join(' ');\\n";
const text = { "step-001": trim, "step-002": trim + (round === 1 ? badWords : words), "step-003": trim + words + title }[id];
writeFileSync("text.mjs", text);

const cases = {
  "step-001": 'assert.equal(text.trim("  a "), "a");',
  "step-002": 'assert.deepEqual(text.words("a  b"), ["a", "b"]); assert.deepEqual(text.words(""), []);',
  "step-003": 'assert.equal(text.title("hello world"), "Hello World");',
}[id];
const file = id + ".test.mjs";
writeFileSync(file, 'import assert from "node:assert/strict";\\nimport { test } from "node:test";\\nimport * as text from "./text.mjs";\\ntest("' + id + '", () => { ' + cases + ' });\\n');
console.log("I implemented " + id + ".");
console.log(JSON.stringify({ unit_test: { command: process.env.DEMO_NODE + " --test " + file, files: [file] } }));
`;

const VERIFIER = `import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const prompt = readFileSync(0, "utf8");
const items = [...prompt.matchAll(/^(\\d+)\\. \\[unit\\] (\\w+)\\((.*)\\) is (.*)$/gm)];
const text = await import(pathToFileURL("text.mjs").href);
const verification = items.map(([, item, name, argument, wanted]) => {
  const got = JSON.stringify(text[name](JSON.parse(argument)));
  const passed = got === JSON.stringify(JSON.parse(wanted));
  return { item: Number(item), result: passed ? "pass" : "fail", evidence: name + "(" + argument + ") gave " + got };
});
console.log("I looked at text.mjs and called it.");
console.log(JSON.stringify({ verification }));
`;

/** Kept outside the project, like installed agents. */
export const STEP_AGENTS: Readonly<Record<string, string>> = {
  "implementer.mjs": IMPLEMENTER,
  "verifier.mjs": VERIFIER,
};
