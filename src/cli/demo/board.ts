/**
 * The project of `demo orchestrate` and its scripted agents. The agents read their words from `words.mjs`, which is written beside them in the
 * viewer's language.
 */
export const BOARD_PROJECT: Readonly<Record<string, string>> = {
  "duration.mjs": 'export const parse = () => 0;\nexport const format = () => "";\n',
};

/** MAIN follows a list. It only thinks again when its FINISH is refused. */
const MAIN = `import { readFileSync } from "node:fs";
import { words } from "./words.mjs";

const prompt = readFileSync(0, "utf8");
const iteration = Number(process.env.GA_ITERATION);
const isRefused = prompt.includes("finish_done_left:");

const moves = [
  { next: "TEST", to: { "M1-T1": "DOING" } },
  { next: "DEV" },
  { next: "DEV" },
  { next: "TEST", to: { "M1-T1": "DONE", "M1-T2": "DOING" } },
  { next: "DEV" },
  { next: "REVIEW", mode: "investigate" },
  { next: "TEST", waiver: words.waiver },
  { next: "DEV" },
  { next: "REVIEW", mode: "milestone", to: { "M1-T2": "DONE" } },
  { next: "TEST", to: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED", "M2-T1": "DOING" } },
  { next: "USER" },
  { next: "DEV", replies: true },
  isRefused ? { next: "REVIEW", mode: "milestone", to: { "M2-T1": "DONE" } } : { next: "FINISH", to: { "M2-T1": "DONE" } },
  { next: "FINISH", to: { "M2-T1": "VERIFIED" } },
  { next: "FINISH" },
];
const { next, to = {}, mode, waiver, replies } = moves[iteration - 1];
const reason = [words.reasons[iteration - 1]].flat()[isRefused ? 1 : 0];

const fenced = /^## dev_plan\\.md\\n\\n(\`{3,})\\n([^]*?)\\n\\1$/m;
const plan = fenced.exec(prompt.slice(prompt.lastIndexOf("\\n## dev_plan.md\\n") + 1))[2];
const evidence = { DONE: "DEV Iteration " + (iteration - 1), VERIFIED: "REVIEW Iteration " + (iteration - 1) + " PASS" };
const parts = plan.split(/^(?=##)/m).map((part) => {
  const status = to[/^### (\\S+):/.exec(part)?.[1]];
  if (status === undefined) return part;
  const marked = part.replace(/^- status: .*/m, "- status: " + status);
  return evidence[status] === undefined ? marked : marked.replace(/^- evidence: .*/m, "- evidence: " + evidence[status]);
});

const tasks = parts.flatMap((part) => {
  const [, id, title] = /^### (\\S+): (.*)/.exec(part) ?? [];
  const status = /^- status: (\\w+)/m.exec(part)?.[1];
  return id === undefined ? [] : [{ id, title, status, command: /^- acceptance: \`(.*)\` →/m.exec(part)[1] }];
});
const about =
  mode === "milestone"
    ? tasks.filter(({ status }) => status === "DONE")
    : tasks.filter(({ status }) => status === "TODO" || status === "DOING").slice(0, 1);

const numbered = (lines) => lines.map((line, index) => index + 1 + ". " + line).join("\\n");
const section = (title, text) => "## " + title + "\\n" + text;
const feedback = () => prompt.slice(prompt.lastIndexOf("\\n## " + words.testFeedback)).match(/^\\| .*/gm).join("\\n");
const decided = [...prompt.matchAll(/ (?:short|long): (.*)$/gm)].at(-1)?.[1];

function order() {
  const acceptance = section(words.acceptance, numbered(about.map(({ command }) => "\`" + command + "\` → " + words.threshold)));
  const goal = section(words.goal, about.map(({ id, title }) => id + ": " + title).join("\\n"));
  const head = [
    "# Current Task (Iteration " + iteration + ")",
    "assigned_agent: " + next,
    ...(next === "DEV" ? ["self_test: enabled"] : []),
    ...(mode === undefined ? ["task: " + about[0].id] : ["review_mode: " + mode]),
    ...(waiver === undefined ? [] : ["red_waiver: " + waiver]),
  ].join("\\n");
  const sections =
    mode === "investigate"
      ? [
          section(words.investigation, words.investigate),
          section(words.devFeedback, feedback()),
          section(words.files, "- test/refuse.test.mjs\\n- duration.mjs"),
          section(words.asks, numbered(words.investigateAsks)),
        ]
      : [
          goal,
          ...(next === "TEST"
            ? [section(words.requirements, numbered(words.required[about[0].id])), section(words.code, "- duration.mjs")]
            : []),
          ...(replies ? [section(words.reply, words.question + " " + decided)] : []),
          acceptance,
        ];
  return [head, ...sections].join("\\n\\n");
}

const changes = Object.entries(to).map(([id, status]) => id + " " + status);
const history = [
  "## Iteration " + iteration + ":",
  "next_agent: " + next,
  "reason: " + reason,
  "dev_plan: " + (changes.join(", ") || words.unchanged),
  ...(next === "USER" ? ["user_cause: clarification"] : []),
];
const question = {
  decision_title: words.decisionTitle,
  question: words.question,
  options: [
    { option_id: "short", description: words.short },
    { option_id: "long", description: words.long },
  ],
  recommended_option_id: "short",
};
console.log(
  JSON.stringify({
    next_agent: next,
    reason,
    ...(next === "USER" && question),
    history_append: history.join("\\n"),
    task: next === "USER" || next === "FINISH" ? null : order(),
    dev_plan_next: changes.length > 0 ? parts.join("") : null,
  }),
);
`;

/** Its test of the second task is wrong at first. */
const TEST = `import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { words } from "./words.mjs";

const prompt = readFileSync(0, "utf8");
const iteration = Number(process.env.GA_ITERATION);
const file = (name, lines) => {
  const head = 'import assert from "node:assert/strict";\\nimport { test } from "node:test";\\nimport { format, parse } from "../duration.mjs";\\n\\n';
  mkdirSync("test", { recursive: true });
  writeFileSync(name, head + lines.join("\\n") + "\\n");
};
const name = { 1: "test/parse.test.mjs", 4: "test/refuse.test.mjs", 7: "test/refuse.test.mjs", 10: "test/format.test.mjs" }[iteration];
const cases = {
  1: ['test("hours", () => assert.equal(parse("1h30m"), 90));', 'test("minutes", () => assert.equal(parse("45m"), 45));'],
  4: ['test("words", () => assert.throws(() => parse("soon")));', 'test("no unit", () => assert.equal(parse("90"), 90));'],
  7: ['test("words", () => assert.throws(() => parse("soon")));', 'test("no unit", () => assert.throws(() => parse("90")));'],
  10: ['test("hours", () => assert.equal(format(90), "1h30m"));', 'test("minutes", () => assert.equal(format(45), "45m"));'],
};
file(name, cases[iteration]);
const order = prompt.slice(prompt.indexOf("# Current Task (Iteration"));
const command = /^1\\. (\`.*\`) →/m.exec(order)[1];
console.log([words.conclusion + "PASS", words.testFiles + name, words.commands + command, words.coverage + "1, 2"].join("\\n"));
if (iteration === 10) console.log("\\n## " + words.clarification + "\\n" + words.question);
`;

/** Its first work is wrong, but it claims success. Later it finds a test that it cannot make pass. */
const DEV = `import { readFileSync, writeFileSync } from "node:fs";
import { words } from "./words.mjs";

const prompt = readFileSync(0, "utf8");
const iteration = Number(process.env.GA_ITERATION);
const order = prompt.slice(prompt.indexOf("# Current Task (Iteration"));
const commands = Array.from(order.matchAll(/^\\d+\\. (\`.*\`) →/gm), ([, command]) => command);

const sum = ["export function parse(text) {", "  let minutes = 0;", "  for (const [, n, unit] of text.matchAll(/(\\\\d+)([hm])/g)) minutes += Number(n) * (unit === 'h' ? 60 : 1);", "  return minutes;", "}"];
const refuse = [sum[0], '  if (!/^(\\\\d+h)?(\\\\d+m)?$/.test(text) || text === "") throw new RangeError(text);', ...sum.slice(1)];
const noFormat = ['export const format = () => "";'];
const whole = order.includes(words.question + " " + words.long) ? "'0m'" : "''";
const format = ["export function format(minutes) {", "  const [h, m] = [Math.floor(minutes / 60), minutes % 60];", "  return (h > 0 ? h + 'h' : '') + (m > 0 || h === 0 ? m + 'm' : " + whole + ");", "}"];
const work = {
  2: ["export const parse = (text) => Number.parseInt(text, 10);", ...noFormat],
  3: [...sum, ...noFormat],
  5: [...refuse, ...noFormat],
  12: [...refuse, ...format],
}[iteration];
if (work !== undefined) writeFileSync("duration.mjs", work.join("\\n") + "\\n");
console.log(words.selfTest + (iteration === 5 ? "FAIL" : "PASS") + "\\n" + words.commands + commands.join(", "));
if (iteration === 5) console.log("\\n## " + words.testFeedback + "\\n" + words.feedback);
`;

const REVIEW = `import { readFileSync } from "node:fs";
import { words } from "./words.mjs";

const prompt = readFileSync(0, "utf8");
const order = prompt.slice(prompt.indexOf("# Current Task (Iteration"));
if (order.includes("review_mode: investigate")) console.log([words.conclusion + "PASS", words.fault + words.faultTest, "", words.found].join("\\n"));
else {
  const ids = [...new Set(order.match(/M\\d+-T\\d+/g))];
  console.log([words.conclusion + "PASS", ...ids.map((id) => "- " + id + ": " + words.looked)].join("\\n"));
}
`;

/** Kept outside the project, like installed agents. */
export const BOARD_AGENTS: Readonly<Record<string, string>> = {
  "main.mjs": MAIN,
  "test.mjs": TEST,
  "dev.mjs": DEV,
  "review.mjs": REVIEW,
};
