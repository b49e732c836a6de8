/**
 * The scripted agents of `demo chat`. One works and forgets the last rule of the plan until the review names it; the other reviews.
 * They read their words from `words.mjs`, which is written beside them in the viewer's language.
 */
const WORKER = `import { readFileSync, writeFileSync } from "node:fs";
import { words } from "./words.mjs";

const isReviewed = /^\\[agent-foreman review /m.test(readFileSync(0, "utf8"));
const plain = isReviewed ? 'title.normalize("NFD").replace(/\\\\p{M}/gu, "").toLowerCase()' : "title.toLowerCase()";
writeFileSync(
  "slug.mjs",
  ["export function slugify(title) {", "  const plain = " + plain + ";", '  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");', "}", ""].join("\\n"),
);
console.log(isReviewed ? words.fixed : words.done);
`;

/** Checks the work itself instead of trusting the agent. */
const REVIEWER = `import { pathToFileURL } from "node:url";
import { words } from "./words.mjs";

const { slugify } = await import(pathToFileURL("slug.mjs").href);
const examples = [
  ["Hello World", "hello-world"],
  ["  Hello, World! ", "hello-world"],
  ["Café Olé", "cafe-ole"],
];
const wrong = examples.findIndex(([title, slug]) => slugify(title) !== slug);
const called = ([title]) => "slugify(" + JSON.stringify(title) + ")";
if (wrong < 0) console.log(words.looked + "\\n\\n[TASK_COMPLETED]");
else
  console.log(
    [
      words.missing[wrong],
      called(examples[wrong]) + " → " + JSON.stringify(slugify(examples[wrong][0])) + ", " + words.wanted + " " + JSON.stringify(examples[wrong][1]),
    ].join("\\n"),
  );
`;

/** Kept outside the project, like installed agents. */
export const CHAT_AGENTS: Readonly<Record<string, string>> = {
  "agent.mjs": WORKER,
  "reviewer.mjs": REVIEWER,
};
