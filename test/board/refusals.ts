import { expect } from "vitest";
import type { BoardReport } from "../../src/modes/orchestrate/board-report.ts";
import type { BoardRig } from "../rig/board.ts";

/** Every refused answer of MAIN with its iteration and broken rule: `1 task_lost M1-T2`. */
export function refused({ iterations }: BoardReport): string[] {
  return iterations.flatMap(({ iteration, main }) =>
    main
      .filter(({ broken }) => broken.length > 0)
      .map(
        ({ broken }) =>
          `${iteration} ${broken.map(({ rule, about }) => `${rule} ${about}`.trim()).join("; ")}`,
      ),
  );
}

/** The outcome of every iteration: `DEV rejected: acceptance_failed`. */
export function outcomes({ iterations }: BoardReport): string[] {
  return iterations.map(({ next_agent, decision, reasons }) =>
    [`${next_agent} ${decision}`, ...(reasons.length > 0 ? [reasons.join(", ")] : [])].join(": "),
  );
}

/** MAIN's prompts, one per answer. */
export function mainPrompts(rig: BoardRig): string[] {
  return rig
    .calls()
    .filter(({ role }) => role === "MAIN")
    .map(({ prompt }) => prompt);
}

/** The plan in a prompt. */
export function planIn(prompt: string): string {
  return /^## dev_plan\.md\n\n```\n(.*?)\n```$/ms.exec(prompt)?.[1] ?? "";
}

/** The part below a heading of MAIN's prompt; empty if it is missing. */
export function partOf(prompt: string, title: string): string {
  const at = prompt.lastIndexOf(`\n## ${title}`);
  return at < 0 ? "" : (prompt.slice(at + 1).split(/\n+(?=##? )/, 1)[0] ?? "");
}

const BROKEN = "Your last answer broke these rules";

/** After every refused answer, MAIN's prompt names each broken rule, and nothing of the answer is kept. */
export function expectRulesNamed(rig: BoardRig, report: BoardReport): void {
  const prompts = mainPrompts(rig);
  const answers = report.iterations.flatMap(({ main, finish_refused }) =>
    main.map(({ broken }) => ({ broken, applied: finish_refused || broken.length === 0 })),
  );
  expect(prompts).toHaveLength(answers.length);
  answers.forEach(({ broken, applied }, index) => {
    const [asked = "", next] = prompts.slice(index);
    if (next === undefined) return;
    const section = partOf(next, BROKEN);
    expect(section.match(/^- \w+(?=: )/gm) ?? []).toEqual(broken.map(({ rule }) => `- ${rule}`));
    if (!applied) expect(planIn(next)).toBe(planIn(asked));
  });
  const stand = report.iterations.filter(({ next_agent }) => next_agent !== null);
  expect(rig.history().match(/^## Iteration \d+:$/gm)).toEqual(
    stand.map(({ iteration }) => `## Iteration ${iteration}:`),
  );
}
