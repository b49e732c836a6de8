import type { RunEvent } from "./event.ts";
import type { Redactor } from "./redact.ts";

/** Stays as it is: a code, a digest, an id, a time, a path of ours, or what the run itself goes by. */
const OURS = "ours";
/** Written by agents, programs or people. */
const FOREIGN = "foreign";

/** What kinds of strings a value holds: `code` is one of a fixed set, `free` can be anything. */
type Kinds<T> = T extends string
  ? string extends T
    ? "free"
    : "code"
  : T extends readonly (infer Item)[]
    ? Kinds<Item>
    : T extends object
      ? { [Key in keyof T]-?: Kinds<T[Key]> }[keyof T]
      : never;

/** How the strings of a value are handled. Codes are always ours, so a value that holds both kinds is described field by field. */
type Handling<T> =
  "free" extends Kinds<T>
    ? "code" extends Kinds<T>
      ? typeof OURS | Fields<T>
      : typeof OURS | typeof FOREIGN | Fields<T>
    : typeof OURS;

type Objects<T> = T extends readonly (infer Item)[] ? Objects<Item> : T extends object ? T : never;
type KeysOf<T> = T extends unknown ? keyof T : never;
type ValueAt<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;

/** Every field that holds strings has to be here, or this does not compile. Members of a union share one description. */
type Fields<T> = {
  readonly [
    Key in KeysOf<Objects<T>> as [Kinds<ValueAt<Objects<T>, Key>>] extends [never] ? never : Key
  ]: Handling<ValueAt<Objects<T>, Key>>;
};

type Events = { readonly [Event in RunEvent as Event["type"]]: Fields<Omit<Event, "type">> };

const leaked = { command: FOREIGN } as const;
const end = { kind: OURS, signal: OURS, message: FOREIGN } as const;
/** Of an agent: its words and its session's id may be in the command. */
const turnProcess = { command: FOREIGN, end, leaked } as const;
/** Of a check: what the run goes by, and found again by it. */
const checkProcess = { command: OURS, end, leaked } as const;
const agent = {
  name: OURS,
  failure: { class: OURS, message: FOREIGN, retryAt: OURS },
  sessionId: FOREIGN,
  model: FOREIGN,
  filesTouched: FOREIGN,
  denials: FOREIGN,
  message: OURS,
} as const;
const fault = { field: FOREIGN, expected: OURS, found: FOREIGN } as const;
const answer = { kind: OURS, option: FOREIGN } as const;
const lost = { some: { path: FOREIGN, was: OURS } } as const;
const changes = { lost, outside: FOREIGN, kept: OURS } as const;
const findings = {
  runners: OURS,
  regressed: FOREIGN,
  vanished: FOREIGN,
  alreadyFailing: FOREIGN,
  newFailing: FOREIGN,
  failing: FOREIGN,
  skippedNow: FOREIGN,
  failures: FOREIGN,
  exitedBy: FOREIGN,
  kept: OURS,
} as const;
const ownRun = { process: checkProcess, output: OURS, findings } as const;
const notStarted = { why: OURS, said: FOREIGN } as const;
const turn = { process: turnProcess, stdout: OURS, stderr: OURS } as const;

const EVENTS: Events = {
  // A secret in the settings is refused when the run starts.
  run_started: {
    runId: OURS,
    settings: OURS,
    config: OURS,
    missingAgents: OURS,
    containment: OURS,
    baseCommit: OURS,
    agentVersions: FOREIGN,
    toolVersion: OURS,
    outputs: OURS,
    node: OURS,
    platform: OURS,
  },
  run_resumed: {
    containment: OURS,
    agentVersions: FOREIGN,
    toolVersion: OURS,
    // A secret in a profile is refused when the run is resumed.
    verifiers: OURS,
    outputs: OURS,
    restoredFiles: OURS,
    ended: FOREIGN,
  },
  run_stopped: { by: OURS, changes },
  turn_started: { role: OURS, agent: OURS, resumes: FOREIGN, tree: OURS },
  turn_ended: {
    ...turn,
    claim: { status: OURS, statusText: FOREIGN, evidence: FOREIGN },
    product: {
      kind: OURS,
      unitTest: FOREIGN,
      refused: FOREIGN,
      tree: OURS,
      problem: { kind: OURS, key: FOREIGN, faults: fault },
      // Made from an answer that is redacted already.
      dir: OURS,
      changed: FOREIGN,
      said: {
        claim: OURS,
        testFiles: FOREIGN,
        commands: FOREIGN,
        blockType: OURS,
        failureType: OURS,
        fault: OURS,
        testFeedback: FOREIGN,
        clarification: FOREIGN,
        tasks: FOREIGN,
      },
      absentFiles: FOREIGN,
      unrestored: FOREIGN,
      tests: OURS,
    },
    agent,
    changedInputs: OURS,
    notStarted,
  },
  turn_failed: { ...turn, agent },
  turn_interrupted: {},
  wait_started: { agent: OURS, class: OURS, until: OURS },
  wait_ended: {},
  check_ended: {
    phase: OURS,
    process: checkProcess,
    output: OURS,
    room: {
      findings,
      lost: FOREIGN,
      flaky: FOREIGN,
      frozen: ownRun,
      own: ownRun,
      without: { ...ownRun, revived: FOREIGN, unproven: FOREIGN },
      control: ownRun,
      rewritten: FOREIGN,
      problem: FOREIGN,
      setUps: { folder: FOREIGN, command: OURS, problem: OURS, subject: FOREIGN, output: OURS },
    },
  },
  attempt_judged: { verdict: OURS, reasons: OURS, changedByChecks: FOREIGN, feedback: OURS },
  step_started: {},
  step_marked: { status: OURS, unitTest: OURS, sha256: OURS },
  step_refused: { why: OURS, message: FOREIGN },
  review_ended: {
    ...turn,
    agent,
    items: FOREIGN,
    problem: { kind: OURS, key: FOREIGN, fault },
    changed: FOREIGN,
    changedInputs: OURS,
  },
  main_ended: {
    ...turn,
    agent,
    tools: OURS,
    answer: {
      nextAgent: OURS,
      reason: FOREIGN,
      historyAppend: FOREIGN,
      task: FOREIGN,
      devPlanNext: FOREIGN,
      question: FOREIGN,
    },
    broken: { rule: OURS, about: FOREIGN },
    refusedCommands: FOREIGN,
    changed: FOREIGN,
    changedInputs: OURS,
  },
  // A board with a secret in it is refused.
  board_edited: { plan: OURS, context: OURS, projectEnv: OURS },
  steps_written: { dir: OURS, files: FOREIGN, steps: FOREIGN, requirements: FOREIGN },
  live_started: { resumes: FOREIGN },
  input_taken_back: {},
  input_given: { text: OURS, session: FOREIGN },
  live_turn_ended: { session: FOREIGN, message: OURS },
  feedback_sent: {},
  review_dropped: { why: OURS, messageId: OURS },
  reviews_set: { to: OURS, messageId: OURS },
  live_ended: { process: turnProcess },
  base_taken: {
    tree: OURS,
    // Commands run there, and `leftOut` is left out again of every later look at the tree.
    folder: OURS,
    leftOut: OURS,
    commit: OURS,
    oracle: OURS,
    listing: OURS,
    pack: OURS,
    stamps: OURS,
    room: OURS,
    weak: OURS,
    inherited: { some: { path: FOREIGN, runId: OURS, found: OURS } },
  },
  base_checked: {
    phase: OURS,
    process: checkProcess,
    output: OURS,
    tests: OURS,
    rewritten: FOREIGN,
    notStarted,
    key: OURS,
    from: OURS,
  },
  candidate_taken: {
    tree: OURS,
    oracle: { path: FOREIGN, kind: OURS, how: OURS, entries: FOREIGN },
    allowed: FOREIGN,
    changesSha256: OURS,
    newTests: FOREIGN,
    hidden: FOREIGN,
    programs: FOREIGN,
    lost,
    silenced: { comment: OURS, files: FOREIGN },
  },
  candidate_confirmed: { tree: OURS },
  question_asked: { id: OURS },
  question_answered: { id: OURS, answer, note: FOREIGN, via: OURS, messageId: OURS },
  answer_refused: { messageId: OURS, why: OURS, answer, note: FOREIGN },
  run_ended: { status: OURS, reason: OURS, messageId: OURS, changes },
};

type Described = typeof OURS | typeof FOREIGN | { readonly [key: string]: Described };

/** Takes secrets out of every string of an event that is not described as ours. */
export function redactEvent<E extends RunEvent>(event: E, redactor: Pick<Redactor, "text">): E;
export function redactEvent({ type, ...fields }: RunEvent, redactor: Pick<Redactor, "text">): unknown {
  return { type, ...(redacted(fields, EVENTS[type], redactor) as object) };
}

function redacted(
  value: unknown,
  described: Described | undefined,
  redactor: Pick<Redactor, "text">,
): unknown {
  if (described === OURS) return value;
  if (typeof value === "string") return redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, described, redactor));
  const within = typeof described === "object" ? described : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redacted(item, within[key], redactor)]),
  );
}
