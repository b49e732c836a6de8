import fs from "node:fs";
import { join } from "node:path";
import { DONE, type StepsRig } from "../rig/steps.ts";

/** A `run` or `analyze` whose outcome depends only on its records. */
export interface StepScenario {
  readonly name: string;
  readonly args: readonly string[];
  readonly prepare: (rig: StepsRig) => void;
  readonly exitCode: number;
  /** The reasons of rejected attempts in order; empty: accepted. */
  readonly reasons: readonly (readonly string[])[];
}

/** A shell starts ten times faster than node, and a sweep starts thousands of agents. */
function agents(rig: StepsRig, script: string): void {
  fs.writeFileSync(join(rig.root, "agent.sh"), script);
  const profile = "{ extends: command, command: sh ../agent.sh }";
  rig.write("agent-foreman.yaml", `agents: [ann, ben]\nprofiles:\n  ann: ${profile}\n  ben: ${profile}\n`);
}

function verdicts(...results: readonly ("pass" | "fail")[]): string {
  const verification = results.map((result, at) => ({
    item: at + 1,
    result,
    evidence: `looked at ${at + 1}`,
  }));
  return `echo '${JSON.stringify({ verification })}'`;
}

const TWO_ITEMS = [
  { type: "unit", description: "it is there" },
  { type: "manual", description: "it reads well" },
];

const REPAIRING = `
case "$GA_ROLE $GA_STEP_ID $GA_LOOP_INDEX" in
"worker step-001 1") echo wrong > one.txt; echo done ;;
"worker step-001 2") echo right > one.txt; echo mended ;;
"worker step-003 1") echo short > three.txt; echo '{"unit_test": {"command": "test -s three.txt"}}' ;;
"worker step-003 2") echo longer > three.txt; echo mended ;;
"reviewer step-001 2") ${verdicts("pass")} ;;
"reviewer step-003 1") ${verdicts("pass", "fail")} ;;
"reviewer step-003 2") ${verdicts("pass", "pass")} ;;
*) echo "nobody asked for this"; exit 1 ;;
esac
`;

export const repaired: StepScenario = {
  name: "run: a test and a verification that fail once, a step that is done already",
  args: ["run", "steps", "--lang", "en"],
  prepare: (rig) => {
    agents(rig, REPAIRING);
    rig.step(1, { unit_test: { command: "grep right one.txt" }, note: "kept" });
    rig.step(2, { status: DONE });
    rig.step(3, { verification: TWO_ITEMS });
  },
  exitCode: 0,
  reasons: [["unit_test_failed"], [], ["verification_failed"], []],
};

const REOPENING = `
case "$GA_ROLE $GA_STEP_ID $GA_LOOP_INDEX" in
"worker step-002 1") echo right > two.txt; echo mended ;;
reviewer*) ${verdicts("pass")} ;;
*) echo "nobody asked for this"; exit 1 ;;
esac
`;

export const reopened: StepScenario = {
  name: "run --full-verify: a step that is done is put to the test, fails, and is mended",
  args: ["run", "steps", "--lang", "en", "--full-verify"],
  prepare: (rig) => {
    agents(rig, REOPENING);
    rig.step(1, { status: DONE });
    rig.step(2, { status: DONE, unit_test: { command: "grep right two.txt" } });
  },
  exitCode: 0,
  reasons: [[], ["unit_test_failed"], []],
};

export const gaveUp: StepScenario = {
  name: "run: a step that fails five times, and one that is never begun",
  args: ["run", "steps", "--lang", "zh"],
  prepare: (rig) => {
    agents(rig, 'echo "round $GA_LOOP_INDEX" > one.txt; echo done');
    rig.step(1, { unit_test: { command: "grep right one.txt" } });
    rig.step(2);
  },
  exitCode: 1,
  reasons: Array.from({ length: 5 }, () => ["unit_test_failed"]),
};

/** The directory that `analyze` uses for this name. */
export const ANALYSED = "greeter需求实现步骤";

const ANSWER = {
  name: "greeter",
  steps: [
    {
      slug: "hello",
      description: "Say hello",
      verification: [{ type: "unit", description: "hello is said" }],
    },
    { slug: "bye", description: "Say bye", done: true, verification: TWO_ITEMS },
  ],
};

export const analysed: StepScenario = {
  name: "analyze: the first answer cannot be used",
  args: ["analyze", "requirements.md", "--lang", "en"],
  prepare: (rig) => {
    agents(
      rig,
      `[ "$GA_LOOP_INDEX" = 1 ] && echo 'I would say two steps.' || echo '${JSON.stringify(ANSWER)}'`,
    );
    rig.write("requirements.md", "# Greeter\n\nIt greets.\n");
  },
  exitCode: 0,
  reasons: [["analysis_unusable"], []],
};
