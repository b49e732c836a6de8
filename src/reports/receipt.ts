import { weaknessesOf } from "../domain/room/weaknesses.ts";
import type { AdapterName } from "../domain/agent-profile.ts";
import { isBestEffort, type Answer, type Containment } from "../domain/event.ts";
import type { OracleChange } from "../domain/oracle/change.ts";
import type { Captured } from "../domain/process-end.ts";
import type { CandidateTaken, RoomKind, Weakness } from "../domain/room/event.ts";
import type { TestChanges } from "../domain/room/settings.ts";
import type { Settings } from "../domain/settings.ts";
import {
  COMMAND_AGENT,
  type Attempt,
  type ManualDecision,
  type QuestionAbout,
  type RunState,
} from "../domain/state.ts";
import type { Names } from "../domain/tests/findings.ts";
import type { TestResult } from "../domain/tests/result.ts";
import { commandsRun, testsNamed, type CommandReceipt } from "./receipt-commands.ts";
import { roomReports } from "./room-report.ts";

/** What others call these forms: an in-toto statement, and a predicate about the results of tests. */
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
export const PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1";
/** Version of our own part. */
export const RECEIPT_VERSION = 1;

/** That a tree was accepted, and on which evidence. Anybody who has the tree can hold it against this. */
export interface Receipt {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Resource[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: {
    readonly result: "PASSED" | "WARNED" | "FAILED";
    readonly configuration: readonly Resource[];
    /** Not where there are too many to be named. */
    readonly passedTests?: readonly string[] | undefined;
    readonly warnedTests?: readonly string[] | undefined;
    readonly failedTests?: readonly string[] | undefined;
    readonly agentForeman: ReceiptDetails;
  };
}

interface Resource {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

export interface ReceiptDetails {
  readonly version: typeof RECEIPT_VERSION;
  readonly run_id: string;
  readonly mode: Settings["mode"];
  readonly tool: {
    readonly name: "agent-foreman";
    readonly version: string;
    readonly node: string;
    readonly platform: string;
  };
  readonly started_at: string;
  readonly finished_at: string;
  readonly tree: TreeReceipt;
  readonly base: {
    readonly tree: string;
    readonly files: number;
    readonly commit: string | null;
    /** Where the run began; the base moves on with work that is accepted on the way. */
    readonly commit_at_start: string | null;
  };
  readonly oracle: {
    readonly sha256: string;
    readonly files: number;
    readonly changes: readonly OracleChangeReceipt[];
    readonly new_tests: Names;
  };
  readonly commands: readonly CommandReceipt[];
  readonly room: {
    readonly kind: RoomKind;
    readonly weak: readonly Weakness[];
    readonly setup: string | null;
    readonly allow: readonly string[];
    readonly prove_tests: boolean;
    readonly test_changes: TestChanges;
    readonly allow_no_change: boolean;
    readonly accept_tree: boolean;
    readonly test_timeout_ms: number;
    readonly max_output_bytes: number;
  };
  /** Names alone: of the variables that checks had besides the usual ones, and of those that were set for them. */
  readonly environment: {
    readonly policy: "allow_list";
    readonly passed: readonly string[];
    readonly set: readonly string[];
  };
  readonly containment: { readonly level: Containment; readonly best_effort: boolean };
  readonly sandbox: boolean;
  readonly attempts: number;
  readonly agents: readonly AgentReceipt[];
  readonly decisions: readonly DecisionReceipt[];
  readonly journal: { readonly records: number; readonly head: string };
  readonly not_covered: readonly string[];
}

/** How the digest of the subject can be had again. */
interface TreeReceipt {
  /** Where commands ran, below the tree's root. */
  readonly folder: string;
  /** Files and folders below the root that do not count. */
  readonly left_out: readonly string[];
}

interface OracleChangeReceipt extends OracleChange {
  readonly step: number | null;
  readonly attempt: number;
  /** `tests`: the checks passed with the original version, and none contradicts the change. */
  readonly allowed_by: "flag" | "person" | "tests";
}

interface AgentReceipt {
  readonly name: string;
  readonly adapter: AdapterName;
  /** Null: the one that the adapter knows. */
  readonly program: string | null;
  /** As far as its files tell; more than one: it was another when the run was resumed. */
  readonly versions: readonly string[];
  /** Which the person asked for. */
  readonly model: string | null;
  /** Which it told. */
  readonly models_told: readonly string[];
}

interface DecisionReceipt {
  readonly about: QuestionAbout;
  readonly attempt: number;
  readonly decision: string;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** What a receipt says besides the state. */
export interface ReceiptSources {
  readonly head: string;
  readonly records: number;
  /** What was kept of a command's tests. */
  readonly resultsIn: (kept: Captured) => readonly TestResult[];
}

/** Beside the report; null: there is none, for the run was not accepted, or nobody looked at the tree that was. */
export function receiptPath(state: RunState): string | null {
  return subjectOf(state) ? receiptPathFor(state.settings.reportPath) : null;
}

export function receiptPathFor(reportPath: string): string {
  return `${reportPath.replace(/\.json$/, "")}.receipt.json`;
}

/** What was accepted in the end; null: nothing was, or nobody looked at it. */
function subjectOf(state: RunState): CandidateTaken | null {
  const candidate = acceptedAttempts(state).at(-1)?.candidate;
  return state.ended?.status === "passed" && state.base && candidate?.confirmed ? candidate.taken : null;
}

/** The same for the same journal, byte by byte. Null: there is nothing that it could be about. */
export function receiptOf(state: RunState, sources: ReceiptSources): Receipt | null {
  const { ended, base } = state;
  const taken = subjectOf(state);
  if (!ended || !base || !taken) return null;
  const accepted = acceptedAttempts(state);
  const commands = accepted.flatMap(commandsRun);
  const { oracle, tree } = base.taken;
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: "work tree", digest: { sha256: taken.tree } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: resultOf(weaknessesOf(state), commands),
      configuration: [
        { name: "oracle", digest: { sha256: oracle.sha256 } },
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
function acceptedAttempts({ settings, attempts }: RunState): readonly Attempt[] {
  const accepted = attempts.filter(({ judged }) => judged?.verdict === "accepted");
  // Of a step that was re-opened, what it was accepted by before counts no longer.
  if (settings.mode === "run")
    return accepted.filter(({ step }, at) => !accepted.slice(at + 1).some((later) => later.step === step));
  return accepted.slice(-1);
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
    oracle: {
      sha256: taken.oracle.sha256,
      files: taken.oracle.files,
      changes: accepted.flatMap(oracleChanges),
      new_tests: accepted.at(-1)?.candidate?.taken.newTests ?? { count: 0, some: [] },
    },
    commands,
    room: {
      kind: taken.room,
      weak: weaknessesOf(state),
      setup: room?.setup ?? null,
      allow: room?.allow ?? [],
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

function oracleChanges({ step, index, candidate }: Attempt): readonly OracleChangeReceipt[] {
  const { oracle = [], allowed = [] } = candidate?.taken ?? {};
  const byPerson = candidate?.decided === "allow";
  return oracle.map(({ path, kind, how, entries }) => ({
    step,
    attempt: index,
    path,
    kind,
    how,
    entries,
    allowed_by: allowed.includes(path) ? "flag" : byPerson ? "person" : "tests",
  }));
}

function agentsOf({ settings, attempts, agentVersions }: RunState): readonly AgentReceipt[] {
  const records = attempts.flatMap(({ turn, review, main }) => [
    turn?.agent,
    review?.agent,
    ...main.map(({ agent }) => agent),
  ]);
  const toldBy = (name: string): readonly string[] => {
    const models = records.flatMap((agent) => (agent?.name === name ? (agent.model ?? []) : []));
    return [...new Set(models)].sort();
  };
  if (settings.mode === "supervise" && settings.agentCmd !== null) {
    const program = settings.agentCmd;
    return [{ name: COMMAND_AGENT, adapter: "command", program, versions: [], model: null, models_told: [] }];
  }
  return settings.agents.map(({ name, adapter, program, command, model }) => ({
    name,
    adapter,
    program: command ?? program,
    versions: agentVersions[name] ?? [],
    model,
    models_told: toldBy(name),
  }));
}

function decisionOf({ about, attempt, answer, note, via, at }: ManualDecision): DecisionReceipt {
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
