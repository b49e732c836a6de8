import type {
  Analysis,
  ReviewEnded,
  RunEvent,
  RunStarted,
  StepWork,
  TurnEnded,
} from "../../src/domain/event.ts";
import type { AnalyzeSettings, StepsSettings } from "../../src/domain/settings.ts";
import { TODO, type Step, type StepStatus, type UnitTest } from "../../src/domain/step.ts";
import { exited, NO_AGENTS, NOTHING, profile, ran, started, told, turnEnded } from "./story.ts";

/** Events of runs that have steps, or make them. */

/** A step that nobody has worked at. */
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

const { prompt: _, ...NO_LIMITS } = NO_AGENTS;
const COMMON = {
  ...NO_LIMITS,
  cwd: "/project",
  calledFrom: "/project",
  reportPath: "/project/report.json",
  force: false,
  agentTimeoutMs: 0,
  testTimeoutMs: 0,
  maxOutputBytes: 1024 * 1024,
  lang: "en",
} as const;
const A_PROMPT = { text: "", sha256: NOTHING.sha256, path: null };

/** A run of three steps, with claude to work and codex to verify. */
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

/** What the turn of a step's worker, or an analysis, left. */
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
    agent: told("claude"),
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
    agent: told("codex"),
    readOnly: true,
    items: [{ item: 1, passed: true, evidence: "seen" }],
    problem: null,
    changed: [],
    changedInputs: [],
    ...more,
  };
}
