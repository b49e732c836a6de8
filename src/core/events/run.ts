import { agentProfiles } from "../agent-profile.ts";
import { leaked } from "../../platform/process/process-end.ts";
import { runChanges } from "../evidence/changes.ts";
import { keptFiles, limits, outputs, settings } from "../settings.ts";
import {
  about,
  codes,
  count,
  flag,
  foreign,
  list,
  nullable,
  object,
  optional,
  ours,
  record,
  type TypeOf,
} from "../../text/shape.ts";
import { containment, type Containment } from "../../platform/process/containment-level.ts";
import { defineEvent, type EventOf } from "./define-event.ts";
export { containment, type Containment };

/** By name; excludes agents with an unknown version. */
const agentVersions = record(foreign());
export type AgentVersions = TypeOf<typeof agentVersions>;

export const runStarted = defineEvent("run_started", {
  durable: true,
  shape: {
    runId: ours(),
    settings,
    config: keptFiles,
    /** Named agents that are not installed: the run continues without them. */
    missingAgents: list(ours()),
    containment,
    /** Whether this process can ask a person. */
    interactive: flag,
    baseCommit: nullable(ours()),
    agentVersions: optional(agentVersions),
    toolVersion: ours(),
    /** Files of the work tree that receive the foreman's own output; absent if there are none. */
    outputs: optional(outputs),
    node: ours(),
    platform: ours(),
  },
});
export type RunStarted = EventOf<typeof runStarted>;

export const runResumed = defineEvent("run_resumed", {
  durable: true,
  shape: {
    interactive: flag,
    containment,
    /** The limits from now on: a person may have raised them. */
    limits,
    /** A person wants the agents to be asked at once, whatever they said about when to come back. */
    askNow: flag,
    maxLoops: optional(about(count, "new limit of iterations; absent: unchanged")),
    /** A run does not resume with a secret in a profile. */
    verifiers: optional(about(agentProfiles, "new verifiers of steps; absent: unchanged")),
    agentVersions: optional(agentVersions),
    toolVersion: ours(),
    outputs: optional(outputs),
    /** `kept`: the copy; null: the file was gone. */
    restoredFiles: optional(
      about(
        list(object({ file: ours(), kept: nullable(ours()) })),
        "board files that differed from the journal, with copies of their content",
      ),
    ),
    /** Processes of the earlier supervisor that were still alive. */
    ended: leaked,
  },
});
export type RunResumed = EventOf<typeof runResumed>;

/** Problems that a person has to fix before the run can continue. */
export const IMPASSES = [
  "budget_reached",
  "wait_limit_reached",
  "no_agent_available",
  "no_verdict",
  "steps_dir_exists",
  "dependencies_missing",
] as const;
export const impasse = codes(IMPASSES);
export type Impasse = TypeOf<typeof impasse>;

/** The run can continue later: a signal stopped it, the open question got no answer, or it is at an impasse. */
export const runStopped = defineEvent("run_stopped", {
  durable: true,
  shape: {
    by: codes(["SIGINT", "SIGTERM", "SIGHUP", "undecided", ...IMPASSES]),
    /** Absent without a base to compare with. */
    changes: optional(runChanges),
  },
});
export type RunStopped = EventOf<typeof runStopped>;

export const finalStatus = codes(["passed", "failed", "manually_passed", "manually_failed"]);
export type FinalStatus = TypeOf<typeof finalStatus>;

export const endReason = codes([
  "accepted",
  "limit_reached",
  "marked_by_person",
  "plan_file_missing",
  "plan_file_unreadable",
  "test_cannot_start",
  "agent_cannot_start",
  "setup_failed",
  "stuck",
  "step_file_changed",
  "step_file_invalid",
  "step_write_failed",
  "cancelled",
  "review_failed",
  "nothing_asked",
  "nothing_to_do",
  "left_unaccepted",
  "waiting_for_user",
  "live_agent_failed",
]);
export type EndReason = TypeOf<typeof endReason>;

export const runEnded = defineEvent("run_ended", {
  durable: true,
  shape: {
    status: finalStatus,
    exitCode: count,
    reason: endReason,
    messageId: nullable(ours()),
    /** Absent without a base to compare with. */
    changes: optional(runChanges),
  },
});
export type RunEnded = EventOf<typeof runEnded>;
