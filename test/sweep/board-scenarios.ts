import fs from "node:fs";
import { delimiter, join } from "node:path";
import type { BoardRig } from "../rig/board.ts";

/** An `orchestrate` run whose outcome depends only on its records and on the person's answer. */
export interface BoardScenario {
  readonly name: string;
  readonly prepare: (rig: BoardRig) => void;
  /** The reasons of every judged iteration in order; empty: accepted. */
  readonly reasons: readonly (readonly string[])[];
  readonly finalContext: string;
}

export const ARGS = ["orchestrate", "--lang", "en"] as const;

const CONTEXT = "# Context\n\nIt greets.\n";
export const EDITED_CONTEXT = "# Context\n\nIt greets, in capitals.\n";

const TEST = "sh test/greet.sh";

type Status = "TODO" | "DOING" | "DONE" | "VERIFIED";

function plan(status: Status, evidence = "none"): string {
  return [
    "# Dev plan",
    "",
    "## M1: greeting",
    "",
    "### M1-T1: greet",
    `- status: ${status}`,
    `- acceptance: \`${TEST}\` → exit 0`,
    `- evidence: ${evidence}`,
    "",
  ].join("\n");
}

type Next = "TEST" | "DEV" | "REVIEW" | "USER" | "FINISH";

/** MAIN's complete answer; `more` has further keys. */
function answer(iteration: number, next: Next, more: Readonly<Record<string, unknown>> = {}): string {
  const planned = more["dev_plan_next"] === undefined ? "no change" : "M1-T1 moved";
  const history = `## Iteration ${iteration}:\nnext_agent: ${next}\nreason: ${next} is next\ndev_plan: ${planned}`;
  const said = { next_agent: next, reason: `${next} is next`, history_append: history, task: null };
  return JSON.stringify({ ...said, dev_plan_next: null, ...more });
}

function order(iteration: number, head: readonly string[], sections: readonly string[]): string {
  return [`# Current Task (Iteration ${iteration})`, ...head, "", ...sections, ""].join("\n");
}

const ACCEPTANCE = ["## Goal", "M1-T1: greet", "", "## Acceptance", `1. \`${TEST}\` → exit 0`];

const test = (iteration: number): string =>
  order(
    iteration,
    ["assigned_agent: TEST"],
    [
      "## Test requirements",
      "1. it greets",
      "",
      "## Code under test",
      "- src/greeting.txt",
      "",
      ...ACCEPTANCE,
    ],
  );
const dev = (iteration: number): string =>
  order(iteration, ["assigned_agent: DEV", "self_test: enabled"], [`Round ${iteration}.`, "", ...ACCEPTANCE]);
const review = (iteration: number): string =>
  order(iteration, ["assigned_agent: REVIEW", "review_mode: milestone"], ACCEPTANCE);

const FEEDBACK = "The test wants capitals.";
const investigate = (iteration: number): string =>
  order(
    iteration,
    ["assigned_agent: REVIEW", "review_mode: investigate"],
    [
      ...["## Investigation", "Whose fault is it?", "", "## DEV feedback", FEEDBACK, ""],
      ...["## Files", "- test/greet.sh", "- src/greeting.txt", ""],
      ...["## Requirements", "1. compare", "2. weigh", "3. say what to change"],
    ],
  );

const WHICH = {
  decision_title: "Language",
  question: "In which language?",
  options: [
    { option_id: "english", description: "in English" },
    { option_id: "chinese", description: "in Chinese" },
  ],
  recommended_option_id: "english",
};
/** The person's answer. */
export const CHOICE = ["english", "--note", "as it is"] as const;

/** Scripts of an iteration by role. They use a shell, because it starts ten times faster than node. */
type Says = Readonly<Record<string, string>>;

const print = (text: string): string => `cat <<'END'\n${text}\nEND\n`;
const WRITES_TEST = `mkdir -p test; echo '. ../before-test; grep HELLO src/greeting.txt' > test/greet.sh\n${print(
  `Conclusion: PASS\nTest files: test/greet.sh\nTest commands: \`${TEST}\`\nCoverage: 1`,
)}`;
const works = (greeting: string, more = ""): string =>
  `mkdir -p src; echo ${greeting} > src/greeting.txt\n${print(`Self-test: PASS\nTest commands: \`${TEST}\`${more}`)}`;
const REVIEWED = print(`Conclusion: PASS\nTest commands: \`${TEST}\`\n- M1-T1: looked at`);

const doing = (iteration: number): string =>
  answer(iteration, "TEST", { task: test(iteration), dev_plan_next: plan("DOING") });
const EVERYTHING: Says = {
  "MAIN-1": `if grep -q '^- red_not_confirmed: '; then\n${print(doing(1))}else\n${print(
    answer(1, "DEV", { task: dev(1), dev_plan_next: plan("DOING") }),
  )}fi`,
  "TEST-1": WRITES_TEST,
  "MAIN-2": print(answer(2, "DEV", { task: dev(2) })),
  "DEV-2": works("hello", `\n\n## Test feedback\n${FEEDBACK}`),
  "MAIN-3": print(answer(3, "REVIEW", { task: investigate(3) })),
  "REVIEW-3": print("Conclusion: PASS\nFault: implementation"),
  "MAIN-4": print(answer(4, "DEV", { task: dev(4) })),
  "DEV-4": works("HELLO"),
  "MAIN-5": print(answer(5, "USER", WHICH)),
  "MAIN-6": print(
    answer(6, "REVIEW", { task: review(6), dev_plan_next: plan("DONE", "DEV Iteration 4 green") }),
  ),
  "REVIEW-6": REVIEWED,
  "MAIN-7": print(answer(7, "FINISH", { dev_plan_next: plan("VERIFIED", "REVIEW Iteration 6 PASS") })),
  "MAIN-8": print(answer(8, "FINISH")),
};

/** The shortest way to the end. */
const STRAIGHT: Says = {
  "MAIN-1": print(doing(1)),
  "TEST-1": WRITES_TEST,
  "MAIN-2": print(answer(2, "DEV", { task: dev(2) })),
  "DEV-2": works("HELLO"),
  "MAIN-3": print(
    answer(3, "REVIEW", { task: review(3), dev_plan_next: plan("DONE", "DEV Iteration 2 green") }),
  ),
  "REVIEW-3": REVIEWED,
  "MAIN-4": print(answer(4, "FINISH", { dev_plan_next: plan("VERIFIED", "REVIEW Iteration 3 PASS") })),
  "MAIN-5": print(answer(5, "FINISH")),
};

/** Checks at each call that the board has everything recorded. The end of a run rewrites all files and would hide gaps. */
const UP_TO_DATE = `
told=$(cat blackboard/project_history.md 2>/dev/null | grep -c '^## Iteration')
case "$GA_ROLE $((GA_ITERATION - told))" in
"MAIN 1") ;;
*" 0") [ -f blackboard/orders/000$GA_ITERATION-$GA_ROLE.md ] || { echo "there is no order"; exit 1; } ;;
*) echo "the history has $told entries"; exit 1 ;;
esac`;

/** `before`: an agent's first action in a turn; `beforeTest`: the test's first action. */
function board(rig: BoardRig, says: Says, before = "", beforeTest = ""): void {
  for (const [name, script] of Object.entries(says)) {
    fs.mkdirSync(join(rig.root, "says"), { recursive: true });
    fs.writeFileSync(join(rig.root, "says", name), script);
  }
  fs.writeFileSync(join(rig.root, "before-test"), beforeTest);
  fs.writeFileSync(
    join(rig.root, "agent.sh"),
    `${UP_TO_DATE}\n${before}\n. ../says/$GA_ROLE-$GA_ITERATION\n`,
  );
  rig.write(join(rig.dir, "dev_plan.md"), plan("TODO"));
  rig.write(join(rig.dir, "global_context.md"), CONTEXT);
}

function commandAgents(rig: BoardRig): void {
  const roles = ["main", "test", "dev", "review"];
  const profile = "{ extends: command, command: sh ../agent.sh }";
  rig.write(
    "agent-foreman.yaml",
    [
      "roles:",
      ...roles.map((role) => `  ${role}: [${role}]`),
      "profiles:",
      ...roles.map((role) => `  ${role}: ${profile}`),
      "",
    ].join("\n"),
  );
}

export const everything: BoardScenario = {
  name: "a rule broken, a red DEV, an investigation, a person's choice and edit, a FINISH refused",
  prepare: (rig) => {
    board(rig, EVERYTHING);
    commandAgents(rig);
  },
  reasons: [[], ["acceptance_failed"], [], [], [], []],
  finalContext: EDITED_CONTEXT,
};

/** The same, but with a forbidden action first, in one turn (`DEV 4`) or in the test after it. */
export function meddled(turn: string, mischief: string, where: "turn" | "test" = "turn"): BoardScenario {
  const isNow = `[ "$GA_ROLE $GA_ITERATION" = "${turn}" ]`;
  const inTest = `grep -qs HELLO src/greeting.txt && { ${mischief}\n}\n`;
  return {
    ...everything,
    prepare: (rig) => {
      if (where === "turn") board(rig, EVERYTHING, `${isNow} && { ${mischief}\n}`);
      else board(rig, EVERYTHING, "", inTest);
      commandAgents(rig);
    },
  };
}

/** Speaks like claude. MAIN uses one session, which is lost in the third iteration. */
const CLAUDE = `#!/bin/sh
[ "$1" = --version ] && echo "2.1.325 (Claude Code)" && exit
case "$* $GA_ITERATION" in
*--resume*" 3") echo "No conversation found with session ID: 00000000-0000-4000-8000-000000000001" >&2; exit 1 ;;
*--resume*) session=$(printf %s "$*" | sed 's/.*--resume \\([^ ]*\\).*/\\1/') ;;
*) session=00000000-0000-4000-8000-00000000000$GA_ITERATION ;;
esac
said=$(sh ../agent.sh | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g')
usage='"usage":{"input_tokens":100,"output_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}'
printf '{"type":"system","subtype":"init","session_id":"%s","model":"scripted","tools":[]}\\n' "$session"
printf '{"type":"result","subtype":"success","is_error":false,"session_id":"%s","result":"%s","stop_reason":"end_turn","total_cost_usd":0.25,%s,"permission_denials":[]}\\n' "$session" "$said" "$usage"
`;

export const sessionLost: BoardScenario = {
  name: "MAIN's session is lost on the way",
  prepare: (rig) => {
    board(rig, STRAIGHT);
    const bin = join(rig.root, "bin");
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(join(bin, "claude"), CLAUDE, { mode: 0o755 });
    rig.alwaysWith({ env: { PATH: `${bin}${delimiter}${rig.env()["PATH"] ?? ""}` } });
    rig.write(
      "agent-foreman.yaml",
      "roles: { main: [claude], test: [ann], dev: [ann], review: [ann] }\nprofiles:\n  ann: { extends: command, command: sh ../agent.sh }\n",
    );
  },
  reasons: [[], [], [], []],
  finalContext: CONTEXT,
};
