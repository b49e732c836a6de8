import fs from "node:fs";
import { join } from "node:path";
import { TextDecoder } from "node:util";
import type { BoardProblem } from "../../../core/board/problem.ts";
import { readPlan } from "../rules/read-plan.ts";
import { readProjectEnv } from "../rules/read-project-env.ts";
import type { ProjectEnv } from "../../../core/board/project-env.ts";
import type { DevPlan } from "../../../core/board/plan.ts";
import { errorCode, messageOf } from "../../../platform/failure.ts";
import { readPlainFile } from "../../../platform/files/read-file.ts";
import { BOARD } from "./names.ts";

const MAX_BYTES = 256 * 1024;
/** The foreman appends to these files, run after run. */
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** A problem in one of the board's files. */
export interface FileProblem extends BoardProblem {
  readonly file: string;
}

export interface Board {
  readonly planText: string;
  readonly plan: DevPlan;
  readonly context: string;
  readonly envText: string;
  readonly env: ProjectEnv;
  /** Null: there is none yet. */
  readonly history: string | null;
  readonly decisions: string;
}

type Read = { readonly text: string } | { readonly problem: BoardProblem };

/** The whole board, or all its problems. */
export function readBoard(
  dir: string,
): { readonly board: Board } | { readonly problems: readonly FileProblem[] } {
  const plan = readText(dir, BOARD.plan, MAX_BYTES);
  const context = readText(dir, BOARD.context, MAX_BYTES);
  const env = readText(dir, BOARD.env, MAX_BYTES);
  const history = orNone(readText(dir, BOARD.history, MAX_HISTORY_BYTES));
  const decisions = orNone(readText(dir, BOARD.decisions, MAX_HISTORY_BYTES));
  const planned = "text" in plan ? readPlan(plan.text) : { problems: [plan.problem] };
  const environment = "text" in env ? readProjectEnv(env.text) : { problems: [env.problem] };
  const problems = [
    ...("problems" in planned ? inFile(BOARD.plan, planned.problems) : []),
    ...inFile(BOARD.context, contextProblems(context)),
    ...("problems" in environment ? inFile(BOARD.env, environment.problems) : []),
    ...inFile(BOARD.history, problemOf(history)),
    ...inFile(BOARD.decisions, problemOf(decisions)),
  ];
  if ("problems" in planned || "problems" in environment || problems.length > 0) return { problems };
  return {
    board: {
      planText: textOf(plan),
      plan: planned.plan,
      context: textOf(context),
      envText: textOf(env),
      env: environment.env,
      history: history && textOf(history),
      decisions: decisions ? textOf(decisions) : "",
    },
  };
}

/** Texts that a person may write there, if they are readable as text. */
export function boardTexts(dir: string): Readonly<Record<"plan" | "context" | "env", string | null>> {
  const found = (name: string): string | null => {
    const read = readText(dir, name, MAX_BYTES);
    return "text" in read ? read.text : null;
  };
  return { plan: found(BOARD.plan), context: found(BOARD.context), env: found(BOARD.env) };
}

function inFile(file: string, problems: readonly BoardProblem[]): readonly FileProblem[] {
  return problems.map((problem) => ({ ...problem, file }));
}

function contextProblems(context: Read): readonly BoardProblem[] {
  const empty = "text" in context && context.text.trim() === "";
  return empty ? [{ kind: "empty", line: null, about: "" }] : problemOf(context);
}

function problemOf(read: Read | null): readonly BoardProblem[] {
  return read && "problem" in read ? [read.problem] : [];
}

function textOf(read: Read): string {
  return "text" in read ? read.text : "";
}

/** Files that the foreman creates when there is something to write. */
function orNone(read: Read): Read | null {
  return "problem" in read && read.problem.kind === "missing" ? null : read;
}

function readText(dir: string, name: string, limit: number): Read {
  const problem = (kind: BoardProblem["kind"], about = ""): Read => ({
    problem: { kind, line: null, about },
  });
  try {
    // The foreman would replace the link with a file, and its target would stay unchanged.
    if (fs.lstatSync(join(dir, name)).isSymbolicLink()) return problem("is_link");
    const bytes = readPlainFile(join(dir, name), limit + 1);
    if (bytes.length > limit) return problem("too_large", String(limit));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? problem("not_text") : { text };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return problem("missing");
    return error instanceof TypeError ? problem("not_text") : problem("unreadable", messageOf(error));
  }
}
