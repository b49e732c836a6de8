import { agentTurn, failureClass, turnFailure } from "../agent-turn.ts";
import { roleReport, treeChange } from "../board/role-said.ts";
import { captured, turnProcess } from "../../platform/process/process-end.ts";
import { turnClaim } from "../claim/claim.ts";
import {
  about,
  codes,
  count,
  foreign,
  list,
  nullable,
  object,
  oneOf,
  optional,
  ordinal,
  ours,
  path,
  sha256,
  timestamp,
  type TypeOf,
} from "../../text/shape.ts";
import { namedTest } from "../step.ts";
import { analysisProblem } from "./answer-problem.ts";
import { defineEvent, type EventOf } from "./define-event.ts";
import { notStarted } from "./not-started.ts";

/** The one who works, the one who then checks independently, or the one who decides what work there is. */
const role = codes(["worker", "reviewer", "main"]);
export type Role = TypeOf<typeof role>;

export const turnStarted = defineEvent("turn_started", {
  durable: false,
  shape: {
    role,
    attempt: about(count, "0: a regression check of a finished step"),
    /** Over the whole run; an interrupted or failed turn is followed by another one of the same attempt. */
    turn: ordinal,
    /** The named agent; null: the person's command. */
    agent: nullable(ours()),
    /** The session that it continues, or null. */
    resumes: nullable(foreign()),
    tree: about(
      nullable(ours(/^[0-9a-f]{64}$|^[0-9a-f]{16}:[0-9a-f]{64}(?:\.[0-9a-f]{16}:[0-9a-f]{64}){2}$/)),
      "digest of the work tree; or digests of tests, product and the rest, each prefixed with the digest of the list that selects it; null: not needed or unknown",
    ),
  },
});
export type TurnStarted = EventOf<typeof turnStarted>;

/** A named agent's report of its turn, and its final message. */
export const agentRecord = object({ name: ours(), ...agentTurn.fields, message: nullable(captured) });
export type AgentRecord = TypeOf<typeof agentRecord>;

/** The turn's number, and how its command ran. */
export const ranTurn = { turn: ordinal, process: turnProcess, stdout: captured, stderr: captured };
/** Changed input files of the run: reported, and without effect. */
export const changedInputs = list(path);

/** The result of a turn at a step. */
const stepWork = object({
  kind: codes(["step_work"]),
  /** The agent's test command for the step; null: it named none, or a person has already set one. */
  unitTest: nullable(namedTest),
  /** Why its named command is not run. */
  refused: nullable(foreign()),
  /** The work tree after the turn, without the steps directory. */
  tree: nullable(sha256),
});
export type StepWork = TypeOf<typeof stepWork>;

/** Whether the answer can be used as steps. */
const analysis = object({
  kind: codes(["analysis"]),
  problem: nullable(analysisProblem),
  /** Made from an answer that is already redacted; null: there are no steps. */
  dir: about(nullable(path), "the target directory of the steps"),
  changed: treeChange,
});
export type Analysis = TypeOf<typeof analysis>;

/** A turn's result for its mode, besides the claim. */
export const product = oneOf("kind", [stepWork, analysis, roleReport]);
export type TurnResult = TypeOf<typeof product>;

export const turnEnded = defineEvent("turn_ended", {
  // A test that the agent names is written into the step's file next, and the file may survive what the journal loses.
  durable: (event) => event.product?.kind === "step_work" && event.product.unitTest !== null,
  shape: {
    attempt: ordinal,
    ...ranTurn,
    /** Null where the mode asks for none. */
    claim: nullable(turnClaim),
    product: nullable(product),
    agent: nullable(agentRecord),
    changedInputs,
    /** For the person's own command, by its output; absent if it started. */
    notStarted: optional(notStarted),
  },
});
export type TurnEnded = EventOf<typeof turnEnded>;

/** A turn of an unavailable agent. It says nothing about the work and costs no attempt. */
export const turnFailed = defineEvent("turn_failed", {
  durable: false,
  shape: {
    attempt: count,
    ...ranTurn,
    agent: object({ ...agentRecord.fields, failure: turnFailure }),
  },
});
export type TurnFailed = EventOf<typeof turnFailed>;

export const turnInterrupted = defineEvent("turn_interrupted", {
  durable: false,
  shape: {
    attempt: count,
    turn: ordinal,
    ranMs: optional(about(count, "known duration of a turn whose foreman was killed")),
  },
});
export type TurnInterrupted = EventOf<typeof turnInterrupted>;

/** The run does nothing until then. */
export const waitStarted = defineEvent("wait_started", {
  durable: true,
  shape: { agent: ours(), class: failureClass, until: timestamp },
});
export type WaitStarted = EventOf<typeof waitStarted>;

export const waitEnded = defineEvent("wait_ended", { durable: false, shape: {} });
export type WaitEnded = EventOf<typeof waitEnded>;
