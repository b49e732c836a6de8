import fs from "node:fs";
import { resolve } from "node:path";
import { iterationOf, roleOf } from "../../core/board/iterations.ts";
import { readRole } from "./rules/read-role.ts";
import type { RoleSaid } from "../../core/board/role-said.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { rolePrompt } from "./board-prompts.ts";
import type { Assignment } from "../../engine/assignment.ts";
import { forbiddenChanges, isSeenAsTest } from "./board-tree.ts";
import type { RunContext } from "../../engine/ports.ts";

/** The work that MAIN has ordered. */
export function roleAssignment(
  attempt: number,
  state: RunState,
  settings: OrchestrateSettings,
  context: RunContext,
): Assignment {
  const open = lastAttempt(state);
  const role = open && roleOf(open);
  const call = open?.call;
  if (!role || !call) throw new Error("MAIN called no role");
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  const iteration = iterationOf(state, attempt);
  return {
    prompt: rolePrompt(settings, role, {
      iteration,
      order: call.answer.task ?? "",
      environment: state.board?.projectEnv ?? "",
      task: call.tasks.length === 1 ? (call.tasks[0] ?? null) : null,
    }),
    tools: role === "REVIEW" ? "read" : "all",
    env: {
      ...state.board?.env.env,
      GA_ROLE: role,
      GA_ITERATION: String(iteration),
      GA_WORKDIR: settings.cwd,
    },
    answers: (finalText) => hasConcluded(readRole(finalText, role)),
    conclude: (finalText, ended) => {
      const said = readRole(finalText, role);
      // Reads the tree, which is then searched for the named test files.
      const forbidden = forbiddenChanges(role, before, state, context);
      return {
        type: "turn_ended",
        ...ended,
        claim: null,
        product: {
          kind: "role_report",
          said,
          absentFiles: said.testFiles.filter((path) => !isThere(path, state, context)),
          ...forbidden,
        },
      };
    },
  };
}

function hasConcluded({ claim, fault }: RoleSaid): boolean {
  return claim !== null || fault !== null;
}

/** The foreman can protect only files that it sees as tests: not those that git ignores or that are elsewhere. */
function isThere(path: string, state: RunState, context: RunContext): boolean {
  return context.tree.last ? isSeenAsTest(path, state, context) : isFile(resolve(state.settings.cwd, path));
}

/** A report may name anything as a path: a name that is too long, one with a NUL, a path through a file. */
function isFile(path: string): boolean {
  try {
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
