import { weaknessesOf } from "../weaknesses.ts";
import { isBestEffort, type Answer } from "../../core/event.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import type { CandidateTaken, Weakness } from "../../core/evidence/event.ts";
import { COMMAND_AGENT, type Attempt, type ManualDecision, type RunState } from "../../core/state.ts";
import type { TestResult } from "../../core/evidence/result.ts";
import type { Described } from "../../core/report/described.ts";
import { commandsRun, testsNamed } from "./receipt-commands.ts";
import { PREDICATE_TYPE, RECEIPT_VERSION, STATEMENT_TYPE } from "./receipt-format.ts";
import { roomReports } from "../report/room-report.ts";
import { NO_NAMES } from "../../core/evidence/findings.ts";
import type { receiptSchema } from "./schema-receipt.ts";

/** A tree was accepted, and on which evidence. Anybody who has the tree can check it against this. */
export type Receipt = Described<typeof receiptSchema>;
export type ReceiptDetails = Receipt["predicate"]["agentForeman"];
type CommandReceipt = ReceiptDetails["commands"][number];

/** Content of a receipt that is not in the state. */
export interface ReceiptSources {
  readonly head: string;
  readonly records: number;
  /** The kept test results of a command. */
  readonly resultsIn: (kept: Artifact) => readonly TestResult[];
}

/** Beside the report; null: no receipt, because the run was not accepted, or its tree was not confirmed. */
export function receiptPath(state: RunState): string | null {
  return subjectOf(state) ? receiptPathFor(state.settings.reportPath) : null;
}

export function receiptPathFor(reportPath: string): string {
  return `${reportPath.replace(/\.json$/, "")}.receipt.json`;
}

/** The accepted tree; null: none was accepted, or it was not confirmed. */
function subjectOf(state: RunState): CandidateTaken | null {
  const candidate = acceptedAttempts(state).at(-1)?.candidate;
  return state.ended?.status === "passed" && state.base && candidate?.confirmed ? candidate.taken : null;
}

/** Equal byte by byte for equal journals. Null: no tree was accepted. */
export function receiptOf(state: RunState, sources: ReceiptSources): Receipt | null {
  const { ended, base } = state;
  const taken = subjectOf(state);
  if (!ended || !base || !taken) return null;
  const accepted = acceptedAttempts(state);
  const commands = accepted.flatMap(commandsRun);
  const { protected: protectedFiles, tree } = base.taken;
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: "work tree", digest: { sha256: taken.tree } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: resultOf(weaknessesOf(state), commands),
      configuration: [
        { name: "protected files", digest: { sha256: protectedFiles.sha256 } },
        { name: "base", digest: { sha256: tree } },
      ],
      ...testsNamed(accepted, sources.resultsIn),
      agentForeman: detailsOf(state, base.taken, accepted, commands, ended.at, sources),
    },
  };
}

/** Of work that was accepted. Where no command spoke for it, it was by a reviewer's word alone. */
export function resultOf(
  weak: readonly Weakness[],
  commands: readonly Pick<CommandReceipt, "flaky">[],
): "PASSED" | "WARNED" {
  const isCertain = weak.length === 0 && commands.length > 0 && commands.every(({ flaky }) => flaky === null);
  return isCertain ? "PASSED" : "WARNED";
}

/** The text of its file. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}

/** In the order they were accepted; the last one left what was accepted in the end. */
function acceptedAttempts({ mode, attempts }: RunState): readonly Attempt[] {
  const accepted = attempts.filter(({ judged }) => judged?.verdict === "accepted");
  return mode.stillAccepted?.(accepted) ?? accepted.slice(-1);
}

function detailsOf(
  state: RunState,
  taken: NonNullable<RunState["base"]>["taken"],
  accepted: readonly Attempt[],
  commands: readonly CommandReceipt[],
  finishedAt: string,
  { records, head }: ReceiptSources,
): ReceiptDetails {
  const { settings, started } = state;
  const { room } = settings;
  return {
    version: RECEIPT_VERSION,
    run_id: state.runId,
    mode: settings.mode,
    tool: {
      name: "agent-foreman",
      version: started.toolVersion,
      node: started.node,
      platform: started.platform,
    },
    started_at: state.startedAt,
    finished_at: finishedAt,
    tree: { folder: taken.folder, left_out: taken.leftOut },
    base: {
      tree: taken.tree,
      files: taken.files,
      commit: taken.commit,
      commit_at_start: started.baseCommit,
    },
    protected: {
      sha256: taken.protected.sha256,
      files: taken.protected.files,
      changes: accepted.flatMap(protectedChanges),
      new_tests: accepted.at(-1)?.candidate?.taken.newTests ?? NO_NAMES,
    },
    commands,
    room: {
      kind: taken.room,
      weak: weaknessesOf(state),
      setup: room?.setup ?? null,
      allow: room?.allow ?? [],
      protect: room?.protect ?? [],
      product: room?.product ?? [],
      prove_tests: room?.proveTests ?? false,
      test_changes: room?.testChanges ?? "judge",
      allow_no_change: room?.allowNoChange ?? false,
      accept_tree: room?.acceptTree ?? false,
      test_timeout_ms: settings.testTimeoutMs,
      max_output_bytes: settings.maxOutputBytes,
    },
    environment: {
      policy: "allow_list",
      passed: room?.passEnv ?? [],
      set: Object.keys(state.board?.env.env ?? {}).sort(),
    },
    containment: { level: state.containment, best_effort: isBestEffort(state.containment) },
    sandbox: settings.sandbox,
    attempts: state.attempts.length,
    agents: agentsOf(state),
    decisions: state.decisions.map(decisionOf),
    journal: { records, head },
    not_covered: roomReports(state).not_covered,
  };
}

function protectedChanges({ step, index, candidate }: Attempt): ReceiptDetails["protected"]["changes"] {
  const { protected: changes = [], allowed = [] } = candidate?.taken ?? {};
  const byPerson = candidate?.decided === "allow";
  return changes.map(({ path, kind, how, entries }) => ({
    step,
    attempt: index,
    path,
    kind,
    how,
    entries,
    allowed_by: allowed.includes(path) ? "flag" : byPerson ? "person" : "tests",
  }));
}

function agentsOf({ mode, settings, attempts, agentVersions }: RunState): ReceiptDetails["agents"] {
  const records = attempts.flatMap(({ turn, review, main }) => [
    turn?.agent,
    review?.agent,
    ...main.map(({ agent }) => agent),
  ]);
  const modelsOf = (name: string): readonly string[] => {
    const models = records.flatMap((agent) => (agent?.name === name ? (agent.model ?? []) : []));
    return [...new Set(models)].sort();
  };
  const command = mode.command?.(settings) ?? null;
  if (command !== null)
    return [
      {
        name: COMMAND_AGENT,
        adapter: "command",
        program: command,
        versions: [],
        model: null,
        models_told: [],
      },
    ];
  return settings.agents.map((agent) => ({
    name: agent.name,
    adapter: agent.adapter,
    program: agent.command ?? agent.program,
    versions: agentVersions[agent.name] ?? [],
    model: agent.model,
    models_told: modelsOf(agent.name),
  }));
}

function decisionOf({
  about,
  attempt,
  answer,
  note,
  via,
  at,
}: ManualDecision): ReceiptDetails["decisions"][number] {
  return { about, attempt, decision: wordOf(answer), note, via, at };
}

function wordOf(answer: Answer): string {
  switch (answer.kind) {
    case "continue_n":
      return `continue ${answer.n}`;
    case "option":
      return answer.option;
    case "mark_pass":
    case "mark_fail":
      return answer.kind;
  }
}
