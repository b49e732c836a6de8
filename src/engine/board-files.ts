import { join } from "node:path";
import { BoardDir } from "../board/board-dir.ts";
import { BOARD, fileOf, ORDERS, REPORTS } from "../board/names.ts";
import { decisionText } from "../domain/board/decisions.ts";
import { decisionsOf, iterationOf, roleOf } from "../domain/board/iterations.ts";
import type { RunEvent } from "../domain/event.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { makeDirectories } from "../files/directories.ts";
import type { Digests } from "../files/digests.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import type { RunPaths } from "../journal/run-store.ts";
import { boardReport } from "../reports/board-report.ts";
import { historyFile } from "../reports/board-history.ts";
import type { RunFiles } from "./files.ts";
import { previousFeedbackOf } from "./feedback.ts";
import { keep } from "./keep.ts";
import { writeReportFile } from "./report-file.ts";
import { atMost, MAX_PATHS } from "./tree-change.ts";
import { sha256Of } from "./turn-files.ts";

/**
 * The board, which the foreman alone writes: from the journal, after every event that changes it. What somebody else makes of it is
 * kept aside, told, and put right.
 */
export class BoardFiles implements RunFiles {
  readonly #paths: RunPaths;
  readonly #settings: OrchestrateSettings;
  #dir: BoardDir | undefined;
  #earlier: string | undefined;

  constructor(paths: RunPaths, settings: OrchestrateSettings) {
    this.#paths = paths;
    this.#settings = settings;
  }

  readonly prepare = (): void => undefined;
  readonly discard = (): void => undefined;
  readonly prepareTurn = (): void => undefined;
  readonly environment = (): Record<string, string> => ({});

  readonly changed = (digests: Digests): readonly string[] =>
    atMost(
      MAX_PATHS,
      this.#board.changed(digests).map((name) => join(this.#settings.boardDir, name)),
    );

  readonly follow = (event: RunEvent, state: RunState): void => {
    const meddled = "changedInputs" in event && event.changedInputs.some((path) => this.#isOnBoard(path));
    if (meddled) this.#keepForeign(event.changedInputs, state.turns);
    if (event.type === "run_resumed") this.#keepUnknown(state);
    if (meddled || mustBeRight(event, state)) this.#writeAll(state);
    else this.#writeWhat(event, state);
  };

  readonly leave = (state: RunState): void => {
    this.#writeAll(state);
    writeReportFile(state, boardReport(state, this.#settings, this.#paths.journal), this.#paths.reserve);
  };

  get #board(): BoardDir {
    return (this.#dir ??= new BoardDir(this.#settings.boardDir));
  }

  #isOnBoard(path: string): boolean {
    return path.startsWith(`${this.#settings.boardDir}/`);
  }

  #writeWhat(event: RunEvent, state: RunState): void {
    const last = lastAttempt(state);
    switch (event.type) {
      case "main_ended":
        if (last?.call) this.#write(() => this.#writeDecision(last, state));
        break;
      case "attempt_judged":
        if (last) this.#write(() => this.#writeReport(last, state));
        break;
      case "question_answered":
        this.#write(() => this.#writeDecisions(state));
        break;
      default:
    }
  }

  #writeAll(state: RunState): void {
    const { board, attempts } = state;
    this.#write(() => {
      if (board) {
        this.#board.put(BOARD.plan, board.text);
        this.#board.put(BOARD.context, board.context);
        this.#board.put(BOARD.env, board.projectEnv);
      }
      const isTold = attempts.some(({ call }) => call !== null);
      if (isTold || this.#settings.historySha256 !== null) this.#writeHistory(state);
      this.#writeDecisions(state);
      for (const attempt of attempts) {
        this.#writeOrder(attempt, state);
        this.#writeReport(attempt, state);
      }
    });
  }

  #writeDecision(attempt: Attempt, state: RunState): void {
    this.#board.put(BOARD.plan, state.board?.text ?? "", true);
    this.#writeHistory(state);
    this.#writeOrder(attempt, state);
  }

  #writeHistory(state: RunState): void {
    this.#board.put(BOARD.history, historyFile(this.#earlierHistory(), state));
  }

  #writeOrder(attempt: Attempt, state: RunState): void {
    const role = roleOf(attempt);
    const text = attempt.call?.answer.task ?? null;
    if (!role || text === null) return;
    this.#board.put(fileOf(ORDERS, iterationOf(state, attempt.index), role), `${text.trimEnd()}\n`);
  }

  #writeReport(attempt: Attempt, state: RunState): void {
    const role = roleOf(attempt);
    if (!role || !attempt.judged) return;
    this.#board.put(
      fileOf(REPORTS, iterationOf(state, attempt.index), role),
      previousFeedbackOf(state, attempt),
    );
  }

  /** What was decided in earlier runs stays; the file is left alone until there is something to add. */
  #writeDecisions(state: RunState): void {
    const decided = decisionsOf(state);
    if (decided.length === 0) return;
    this.#board.put(BOARD.decisions, [...this.#settings.decided, ...decided].map(decisionText).join("\n"));
  }

  #earlierHistory(): string {
    const { historySha256 } = this.#settings;
    if (historySha256 === null) return "";
    if (this.#earlier !== undefined) return this.#earlier;
    const bytes = tryReadPlainFile(this.#paths.plan);
    if (!bytes || sha256Of(bytes) !== historySha256)
      throw new Failure("kept_plan_changed", { path: this.#paths.plan });
    return (this.#earlier = bytes.toString("utf8"));
  }

  /** Nobody's words are lost, not even where they do not count. */
  #keepForeign(paths: readonly string[], turn: number): void {
    const { boardDir } = this.#settings;
    for (const path of paths.filter((one) => this.#isOnBoard(one))) {
      const name = path.slice(boardDir.length + 1);
      const bytes = this.#board.isOurs(name) ? this.#board.read(name) : undefined;
      if (bytes) this.#keepAside(name, bytes.toString("utf8"), turn);
    }
  }

  /** After a crash it cannot be told who wrote what stands on the board: the journal counts, but nothing is thrown away. */
  #keepUnknown(state: RunState): void {
    const { board, turns } = state;
    if (!board) return;
    const known = [
      [BOARD.plan, board.text],
      [BOARD.context, board.context],
      [BOARD.env, board.projectEnv],
      [BOARD.history, historyFile(this.#earlierHistory(), state)],
    ] as const;
    for (const [name, text] of known) {
      const found = this.#board.read(name)?.toString("utf8");
      if (found !== undefined && found !== text) this.#keepAside(name, found, turns);
    }
  }

  #keepAside(name: string, text: string, turn: number): void {
    const dir = join(this.#paths.turns, String(turn));
    this.#write(() => makeDirectories(dir, 0o700));
    keep(join(dir, `board-${name.replaceAll("/", "-")}`), text);
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const about = { path: this.#settings.boardDir, why: messageOf(error) };
      throw new Failure("state_write_failed", about, { cause: error });
    }
  }
}

/**
 * When a process begins, and before a person may edit the board: what a turn that was cut off, or a command, has left there would be
 * taken for theirs. While a question is open nothing of that kind has run since it was asked.
 */
function mustBeRight(event: RunEvent, { question }: RunState): boolean {
  switch (event.type) {
    case "run_started":
    case "run_resumed":
    case "question_asked":
      return true;
    case "run_stopped":
      return question === null;
    default:
      return false;
  }
}
