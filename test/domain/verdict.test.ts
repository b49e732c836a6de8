import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";
import type { Claim } from "../../src/core/claim/claim.ts";
import type { Reason } from "../../src/core/reason.ts";
import { judge, passedChecks, type AttemptEvidence } from "../../src/core/verdict.ts";
import { DONE, exited } from "../rig/story.ts";

const OK = exited(0);
const fast = (end: ProcessEnd = OK) => ({ phase: "fast", end }) as const;
const full = (end: ProcessEnd = OK) => ({ phase: "full", end }) as const;
const TIMEOUT: ProcessEnd = { kind: "timeout", afterMs: 1000 };
const CAPPED: ProcessEnd = { kind: "output_cap", capBytes: 1 };
const NOT_STARTED: ProcessEnd = { kind: "not_started", message: "ENOENT" };
const STALLED: ProcessEnd = { kind: "stalled", afterMs: 1000 };
const OVER_BUDGET: ProcessEnd = { kind: "over_budget" };
const KILLED: ProcessEnd = { kind: "signaled", signal: "SIGKILL" };

const PERFECT: AttemptEvidence = {
  turnEnd: OK,
  claim: DONE,
  agentFailure: null,
  checks: [fast(), full()],
  fastTests: 1,
  fullTests: 1,
};

const says = (claim: Partial<Claim>): Partial<AttemptEvidence> => ({
  claim: { ...DONE, ...claim },
  checks: [fast()],
});

describe("rejected, and why", () => {
  test.each<[string, Partial<AttemptEvidence>, Reason[]]>([
    ["no status marker", says({ status: null }), ["missing_or_invalid_status_marker"]],
    [
      "an unknown status",
      says({ status: "invalid", statusText: "FINE" }),
      ["missing_or_invalid_status_marker"],
    ],
    ["NEEDS_WORK", says({ status: "NEEDS_WORK" }), ["agent_needs_work"]],
    ["BLOCKED", says({ status: "BLOCKED" }), ["agent_blocked"]],
    ["DONE without evidence", { claim: { ...DONE, evidence: null } }, ["missing_evidence_marker"]],
    ["DONE, but exit 3", { turnEnd: exited(3) }, ["agent_exit_nonzero"]],
    ["DONE, but killed", { turnEnd: KILLED }, ["agent_exit_nonzero"]],
    ["DONE, but timed out", { turnEnd: TIMEOUT }, ["timeout"]],
    ["DONE, but wrote too much", { turnEnd: CAPPED }, ["output_cap_exceeded"]],
    ["DONE, but stood still", { turnEnd: STALLED }, ["stalled"]],
    ["DONE, but cut off at the budget", { turnEnd: OVER_BUDGET }, ["budget_reached"]],
    ["DONE, but the agent crashed", { agentFailure: "crashed" }, ["agent_crashed"]],
    ["DONE, but the agent asked a person", { agentFailure: "question" }, ["agent_asked_person"]],
    ["DONE, but the agent declined", { agentFailure: "refused" }, ["agent_refused"]],
    ["DONE, but at a limit of its own", { agentFailure: "own_limit" }, ["agent_own_limit"]],
    ["no output", { agentFailure: "no_output" }, ["agent_no_output"]],
    ["no result", { agentFailure: "protocol" }, ["agent_protocol_error"]],
    ["not started", { turnEnd: NOT_STARTED }, ["agent_execution_error"]],
    ["fast test red", { checks: [fast(exited(1))] }, ["fast_test_failed"]],
    ["fast test killed", { checks: [fast(KILLED)] }, ["fast_test_failed"]],
    ["fast test timed out", { checks: [fast(TIMEOUT)] }, ["fast_test_failed", "timeout"]],
    ["fast test wrote too much", { checks: [fast(CAPPED)] }, ["fast_test_failed", "output_cap_exceeded"]],
    ["fast test not started", { checks: [fast(NOT_STARTED)] }, ["fast_test_failed", "test_execution_error"]],
    ["full test red", { checks: [fast(), full(exited(1))] }, ["full_test_failed"]],
    ["full test timed out", { checks: [fast(), full(TIMEOUT)] }, ["full_test_failed", "timeout"]],
    [
      "several at once, each listed once",
      { turnEnd: TIMEOUT, claim: { ...DONE, status: null }, checks: [fast(TIMEOUT)] },
      ["timeout", "missing_or_invalid_status_marker", "fast_test_failed"],
    ],
  ])("%s", (_, change, reasons) => {
    expect(judge({ ...PERFECT, ...change })).toEqual({ verdict: "rejected", reasons });
  });

  test.each<[string, Partial<AttemptEvidence>]>([
    ["no test was run", { checks: [] }],
    ["the full test was not run", { checks: [fast()] }],
    ["the fast test was not run", { checks: [full()] }],
    ["one of two fast tests was not run", { fastTests: 2 }],
    ["one of two full tests was not run", { fullTests: 2 }],
    ["there are no fast tests", { fastTests: 0, checks: [full()] }],
    ["there are no full tests", { fullTests: 0, checks: [fast()] }],
    ["more tests were run than there are", { checks: [fast(), fast(), full()] }],
  ])("missing evidence is no pass: %s", (_, change) => {
    expect(judge({ ...PERFECT, ...change }).verdict).toBe("rejected");
  });
});

test("accepted: DONE with evidence, exit 0, every test green", () => {
  expect(judge(PERFECT)).toEqual({ verdict: "accepted", reasons: [] });
  const many = { checks: [fast(), fast(), full(), full(), full()], fastTests: 2, fullTests: 3 };
  expect(judge({ ...PERFECT, ...many })).toEqual({ verdict: "accepted", reasons: [] });
});

test("accepted: an agent that had finished and did not exit", () => {
  expect(judge({ ...PERFECT, turnEnd: { kind: "finished" } }).verdict).toBe("accepted");
});

test("accepts any text as evidence, even an empty one, because it is for people to read", () => {
  expect(judge({ ...PERFECT, claim: { ...DONE, evidence: "" } }).verdict).toBe("accepted");
});

const anyEnd = fc.oneof(fc.constant(OK), fc.constantFrom(exited(1), KILLED, TIMEOUT, CAPPED, NOT_STARTED));
const anyEvidence: fc.Arbitrary<AttemptEvidence> = fc.record({
  turnEnd: anyEnd,
  agentFailure: fc.option(
    fc.constantFrom("crashed", "question", "refused", "own_limit", "no_output", "quota"),
  ),
  claim: fc.record({
    status: fc.constantFrom("DONE", "NEEDS_WORK", "BLOCKED", "invalid", null),
    statusText: fc.constant(null),
    evidence: fc.option(fc.string()),
    orderCertain: fc.boolean(),
  }),
  checks: fc.array(fc.record({ phase: fc.constantFrom("fast", "full"), end: anyEnd }), { maxLength: 4 }),
  fastTests: fc.integer({ min: 0, max: 2 }),
  fullTests: fc.integer({ min: 0, max: 2 }),
});

test("accepts only with all evidence, and never with a reason", () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const { verdict, reasons } = judge(evidence);
      const complete =
        evidence.turnEnd === OK &&
        evidence.agentFailure === null &&
        evidence.claim.status === "DONE" &&
        evidence.claim.evidence !== null &&
        evidence.checks.every((check) => check.end === OK) &&
        evidence.fastTests > 0 &&
        evidence.fullTests > 0 &&
        passedChecks(evidence, "fast") === evidence.fastTests &&
        passedChecks(evidence, "full") === evidence.fullTests;
      expect(verdict === "accepted").toBe(complete);
      expect(new Set(reasons).size).toBe(reasons.length);
      expect(verdict === "accepted" && reasons.length > 0).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
