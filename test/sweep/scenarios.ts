import { FAKE_CLOCK, type Rig, type SuperviseOptions } from "../rig/rig.ts";

/** A run whose outcome depends only on its records, so interruptions must not change it. */
export interface Scenario {
  readonly name: string;
  readonly options: SuperviseOptions;
  readonly prepare?: (rig: Rig) => void;
  readonly exitCode: number;
  /** The reasons of the verdicts, one list per attempt. */
  readonly reasons: readonly (readonly string[])[];
}

/** Does only what the feedback asks for. */
const OBEDIENT = `
grep -q fast_test_failed "$GA_PREV_FEEDBACK_FILE" && touch fast-is-mended
grep -q full_test_failed "$GA_PREV_FEEDBACK_FILE" && touch full-is-mended
printf 'GA_STATUS=DONE\\nGA_EVIDENCE=did what the feedback said\\n'
`;

export const accepted: Scenario = {
  name: "accepted at round 1",
  options: { agent: "agent done" },
  exitCode: 0,
  reasons: [[]],
};

export const feedbackDriven: Scenario = {
  name: "rejected twice, then accepted for what the feedback led to",
  options: { agent: "sh obedient.sh", fast: ["test -f fast-is-mended"], full: ["test -f full-is-mended"] },
  prepare: (rig) => rig.write("obedient.sh", OBEDIENT),
  exitCode: 0,
  reasons: [["fast_test_failed"], ["full_test_failed"], []],
};

export const limitReached: Scenario = {
  name: "limit reached",
  options: { agent: "agent done", full: ["echo 'Error: no'; exit 1"], loops: 2 },
  exitCode: 1,
  reasons: [["full_test_failed"], ["full_test_failed"]],
};

export const mixed: Scenario = {
  name: "NEEDS_WORK, BLOCKED, no evidence, a crash, then done",
  options: { agent: "agent needs_work blocked no_evidence crash done" },
  exitCode: 0,
  reasons: [["agent_needs_work"], ["agent_blocked"], ["missing_evidence_marker"], ["agent_exit_nonzero"], []],
};

export const manyTests: Scenario = {
  name: "two fast and two full tests",
  options: {
    agent: 'touch "round-$GA_LOOP_INDEX"; agent done',
    fast: ["true", "test -f round-1"],
    full: ["true", "test -f round-2"],
  },
  exitCode: 0,
  reasons: [["full_test_failed"], []],
};

export const timedOut: Scenario = {
  name: "a round that times out",
  options: {
    agent: '[ "$GA_LOOP_INDEX" = 1 ] && exec sleep 600; agent done',
    more: ["--agent-timeout-sec", "1"],
  },
  exitCode: 0,
  reasons: [["timeout", "missing_or_invalid_status_marker"], []],
};

export const planMissing: Scenario = {
  name: "plan missing",
  options: { agent: "agent done", plan: "nowhere.md" },
  exitCode: 2,
  reasons: [],
};

export const rejectedOnce: Scenario = {
  name: "rejected once, then accepted",
  options: { agent: "agent needs_work done" },
  exitCode: 0,
  reasons: [["agent_needs_work"], []],
};

export const takenOver: Scenario = {
  name: "an agent out of quota, another takes over and needs two rounds",
  options: { agents: "claude,codex", fast: ["test -f work.txt"], full: ["grep -q second work.txt"] },
  prepare: (rig) =>
    rig.alwaysWith({ env: rig.withAgents({ CLAUDE_DOES: "quota", CODEX_DOES: "work_by_round" }) }),
  exitCode: 0,
  reasons: [["full_test_failed"], []],
};

export const waited: Scenario = {
  name: "an agent out of quota that is waited for",
  options: { agents: "claude", fast: ["test -f work.txt"] },
  prepare: (rig) =>
    rig.alwaysWith({ env: rig.withAgents({ CLAUDE_DOES: "work_after_wait" }), preload: FAKE_CLOCK }),
  exitCode: 0,
  reasons: [[]],
};
