import type {
  Analysis,
  ReviewEnded,
  RunEvent,
  RunStarted,
  StepWork,
  TurnEnded,
} from "../../src/core/event.ts";
import type { AnalyzeSettings, StepsSettings } from "../../src/core/settings.ts";
import { TODO, type Step, type StepStatus, type UnitTest } from "../../src/core/step.ts";
import { A_PROMPT, COMMON, exited, NOTHING, profile, ran, started, agentRecord, turnEnded } from "./story.ts";

/** Events of runs with steps, and of runs that create steps. */

/** A step before any work. */
export function aStep(number: string, more: Partial<Step> = {}): Step {
  return {
    file: `${number}-step.json`,
    number,
    id: `step-${number}`,
    description: `what step ${number} is about`,
    status: TODO,
    verification: [{ type: "unit", description: "it works" }],
    unitTest: null,
    sha256: NOTHING.sha256,
    ...more,
  };
}

/** A run of three steps. claude works, codex verifies. */
export function stepsStarted(
  settings: Partial<StepsSettings> = {},
  more: Partial<RunStarted> = {},
): RunStarted {
  return {
    ...started({}, more),
    settings: {
      mode: "run",
      ...COMMON,
      task: "the steps",
      agents: [profile("claude"), profile("codex")],
      maxLoops: 5,
      stepsDir: "/project/steps",
      steps: [aStep("001"), aStep("002"), aStep("003")],
      chosen: null,
      markedBefore: [],
      workers: ["claude"],
      verifiers: ["codex"],
      prompts: { implement: A_PROMPT, verify: A_PROMPT },
      fullVerify: false,
      reverify: true,
      onStuck: "continue",
      ...settings,
    },
  };
}

export function analyzeStarted(
  settings: Partial<AnalyzeSettings> = {},
  more: Partial<RunStarted> = {},
): RunStarted {
  return {
    ...started({}, more),
    settings: {
      mode: "analyze",
      ...COMMON,
      task: "the requirements",
      agents: [profile("claude")],
      maxLoops: 2,
      requirements: { path: "/project/needs.md", sha256: NOTHING.sha256 },
      outDir: null,
      dryRun: false,
      prompts: { analyze: A_PROMPT },
      ...settings,
    },
  };
}

export const stepStarted = (step: number, regression = false): RunEvent => ({
  type: "step_started",
  step,
  regression,
});

export function marked(
  step: number,
  status: StepStatus,
  unitTest: UnitTest | null = null,
  edited = false,
): RunEvent {
  return { type: "step_marked", step, status, unitTest, sha256: NOTHING.sha256, edited };
}

/** The result of a step worker's turn, or of an analysis. */
export function worked(
  attempt: number,
  turn: number,
  product: Partial<StepWork> | Analysis = {},
  more: Partial<TurnEnded> = {},
): TurnEnded {
  return {
    ...turnEnded(attempt, {}, exited(0), turn),
    claim: null,
    product:
      product.kind === "analysis"
        ? product
        : { kind: "step_work", unitTest: null, refused: null, tree: null, ...product },
    agent: agentRecord("claude"),
    ...more,
  };
}

export const reviewStarted = (attempt: number, turn: number, agent = "codex"): RunEvent => ({
  type: "turn_started",
  role: "reviewer",
  attempt,
  turn,
  agent,
  resumes: null,
  tree: null,
});

/** A review of one item that passed. */
export function reviewed(attempt: number, turn: number, more: Partial<ReviewEnded> = {}): ReviewEnded {
  return {
    type: "review_ended",
    attempt,
    turn,
    process: ran("codex", exited(0)),
    stdout: NOTHING,
    stderr: NOTHING,
    agent: agentRecord("codex"),
    readOnly: true,
    items: [{ item: 1, passed: true, evidence: "seen" }],
    problem: null,
    changed: [],
    changedInputs: [],
    ...more,
  };
}
