import { dirname, join } from "node:path";
import { BoardDir } from "./disk/board-dir.ts";
import { BOARD, fileOf, nameOnBoard, ORDERS, REPORTS, isBoardFile } from "./disk/names.ts";
import { decisionText } from "../../core/board/decisions.ts";
import { decisionsOf } from "./user-decisions.ts";
import { iterationOf, roleOf } from "../../core/board/iterations.ts";
import type { RunEvent, RunResumed } from "../../core/event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { makeDirectories } from "../../platform/files/directories.ts";
import type { Digests } from "../../platform/files/digests.ts";
import type { RunPaths } from "../../core/journal/run-store.ts";
import { historyFile } from "./history.ts";
import type { RunFiles } from "../../engine/files.ts";
import { previousFeedbackOf } from "../../engine/feedback.ts";
import { writeIterationReport } from "./iteration-report.ts";
import { writeArtifact } from "../../platform/files/artifact.ts";
import { atMost, MAX_PATHS } from "../../engine/tree-change.ts";
import { keptInput } from "../../engine/turn-files.ts";

/**
 * The board's files. Only the foreman writes them, from the journal, after every event that changes the board. Foreign changes are kept aside,
 * reported and undone.
 */
export class BoardFiles implements RunFiles {
  readonly #paths: RunPaths;
  readonly #settings: OrchestrateSettings;
  #dir: BoardDir | undefined;
  #earlier: string | undefined;
  /** Names of files that this run has written. */
  readonly #written = new Set<string>();

  constructor(paths: RunPaths, settings: OrchestrateSettings) {
    this.#paths = paths;
    this.#settings = settings;
  }

  readonly changed = (digests: Digests): readonly string[] =>
    atMost(
      MAX_PATHS,
      this.#board.changed(digests).map((name) => join(this.#settings.boardDir, name)),
    );

  /** After an interrupted turn or a command, the origin of changes here is unknown. While a question is open, neither can be running. */
  readonly settle = (state: RunState): void => {
    if (state.question) return;
    this.#keepUnknown(state);
    this.#writeAll(state);
  };

  readonly filesToRestore = (state: RunState): NonNullable<RunResumed["restoredFiles"]> =>
    this.#unknown(state).map(([file, found]) => ({
      file,
      kept: found === undefined ? null : this.#asidePath(file, state.turns),
    }));

  readonly follow = (event: RunEvent, state: RunState): void => {
    const foreign = "changedInputs" in event ? this.#namesOf(event.changedInputs) : [];
    this.#keepForeign(foreign, state.turns);
    if (event.type === "run_resumed") this.#keepUnknown(state);
    const begins = event.type === "run_started" || event.type === "run_resumed";
    if (begins || foreign.length > 0) this.#writeAll(state);
    else this.#writeWhat(event, state);
  };

  readonly leave = (state: RunState): void => this.#writeAll(state);

  get #board(): BoardDir {
    return (this.#dir ??= new BoardDir(this.#settings.boardDir));
  }

  #namesOf(paths: readonly string[]): readonly string[] {
    return paths.flatMap((path) => nameOnBoard(path, this.#settings.boardDir) ?? []);
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
        // Differences found when a run resumes may count as a person's edits. So not even a power cut may bring the old text back.
        this.#put(BOARD.plan, board.text, true);
        this.#put(BOARD.context, board.context, true);
        this.#put(BOARD.env, board.projectEnv, true);
      }
      if (this.#hasHistory(state)) this.#writeHistory(state);
      this.#writeDecisions(state);
      for (const attempt of attempts) {
        this.#writeOrder(attempt, state);
        this.#writeReport(attempt, state);
      }
      this.#board.restore(this.#written);
    });
  }

  #put(name: string, text: string, durable = false): void {
    this.#written.add(name);
    this.#board.put(name, text, durable);
  }

  #writeDecision(attempt: Attempt, state: RunState): void {
    this.#put(BOARD.plan, state.board?.text ?? "", true);
    this.#writeHistory(state);
    this.#writeOrder(attempt, state);
  }

  #writeHistory(state: RunState): void {
    this.#put(BOARD.history, historyFile(this.#earlierHistory(), state));
  }

  #writeOrder(attempt: Attempt, state: RunState): void {
    const role = roleOf(attempt);
    const text = attempt.call?.answer.task ?? null;
    if (!role || text === null) return;
    this.#put(fileOf(ORDERS, iterationOf(state, attempt.index), role), `${text.trimEnd()}\n`);
  }

  #writeReport(attempt: Attempt, state: RunState): void {
    const role = roleOf(attempt);
    if (!role || !attempt.judged) return;
    this.#put(
      fileOf(REPORTS, iterationOf(state, attempt.index), role),
      previousFeedbackOf(state, attempt, writeIterationReport),
    );
  }

  /** Decisions of earlier runs stay. The file is left alone until there is something to add. */
  #writeDecisions(state: RunState): void {
    const decided = decisionsOf(state);
    if (decided.length === 0) return;
    this.#put(BOARD.decisions, [...this.#settings.decided, ...decided].map(decisionText).join("\n"));
  }

  #earlierHistory(): string {
    const { historySha256 } = this.#settings;
    if (historySha256 === null) return "";
    return (this.#earlier ??= keptInput({ paths: this.#paths }, { sha256: historySha256 }));
  }

  /** Foreign text is never lost, not even where it does not count. */
  #keepForeign(names: readonly string[], turn: number): void {
    for (const name of names) {
      const bytes = isBoardFile(name) ? this.#board.read(name) : undefined;
      if (bytes) this.#keepAside(name, bytes.toString("utf8"), turn);
    }
  }

  /** If the author of a text on the board is unknown, the journal counts, but nothing is thrown away. */
  #keepUnknown(state: RunState): void {
    for (const [name, found] of this.#unknown(state))
      if (found !== undefined) this.#keepAside(name, found, state.turns);
  }

  /** Files that differ from the journal, with their contents. */
  #unknown(state: RunState): readonly (readonly [name: string, found: string | undefined])[] {
    const { board } = state;
    if (!board) return [];
    const known = [
      [BOARD.plan, board.text],
      [BOARD.context, board.context],
      [BOARD.env, board.projectEnv],
      ...(this.#hasHistory(state)
        ? [[BOARD.history, historyFile(this.#earlierHistory(), state)] as const]
        : []),
    ] as const;
    return known.flatMap(([name, text]) => {
      const found = this.#board.read(name)?.toString("utf8");
      return found === text ? [] : [[name, found] as const];
    });
  }

  #hasHistory({ attempts }: RunState): boolean {
    return attempts.some(({ call }) => call !== null) || this.#settings.historySha256 !== null;
  }

  #keepAside(name: string, text: string, turn: number): void {
    const path = this.#asidePath(name, turn);
    this.#write(() => makeDirectories(dirname(path), 0o700));
    writeArtifact(path, text);
  }

  #asidePath(name: string, turn: number): string {
    return join(this.#paths.turns, String(turn), `board-${name.replaceAll("/", "-")}`);
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
