import fs from "node:fs";
import { resolve } from "node:path";
import { iterationOf, roleOf } from "../domain/board/iterations.ts";
import { readRole } from "../domain/board/read-role.ts";
import type { RoleSaid } from "../domain/board/role-said.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { rolePrompt } from "../reports/board-prompts.ts";
import type { Assignment } from "./assignment.ts";
import { forbiddenChanges, isSeenAsTest } from "./board-tree.ts";
import type { RunContext } from "./ports.ts";

/** The work that MAIN has called for. */
export function roleAssignment(
  attempt: number,
  state: RunState,
  settings: OrchestrateSettings,
  context: RunContext,
): Assignment {
  const open = lastAttempt(state);
  const role = open && roleOf(open);
  const call = open?.call;
  if (!role || !call) throw new Error("nobody was called on");
  // Seen when the turn was opened.
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
      // Looks at the tree, in which the named test files are then searched for.
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

/** What the foreman does not see as a test it cannot guard: one that git ignores, or that lies elsewhere. */
function isThere(path: string, state: RunState, context: RunContext): boolean {
  return context.tree.last ? isSeenAsTest(path, state, context) : isFile(resolve(state.settings.cwd, path));
}

/** A report may call anything a path: a name too long, one with a NUL, a way through a file. */
function isFile(path: string): boolean {
  try {
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
