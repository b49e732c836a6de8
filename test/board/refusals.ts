import { expect } from "vitest";
import type { BoardReport } from "../../src/reports/board-report.ts";
import type { BoardRig } from "../rig/board.ts";

/** `1 task_lost M1-T2`: for every answer of MAIN's that was refused, its iteration and what it broke. */
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

/** `DEV rejected: acceptance_failed` and so on, for every iteration. */
export function outcomes({ iterations }: BoardReport): string[] {
  return iterations.map(({ next_agent, decision, reasons }) =>
    [`${next_agent} ${decision}`, ...(reasons.length > 0 ? [reasons.join(", ")] : [])].join(": "),
  );
}

/** What MAIN was told, one prompt an answer. */
export function mainPrompts(rig: BoardRig): string[] {
  return rig
    .calls()
    .filter(({ role }) => role === "MAIN")
    .map(({ prompt }) => prompt);
}

/** The plan as it stands in a prompt. */
export function planIn(prompt: string): string {
  return /^## dev_plan\.md\n\n```\n(.*?)\n```$/ms.exec(prompt)?.[1] ?? "";
}

/** The part under a heading of MAIN's prompt; empty where there is none. */
export function partOf(prompt: string, title: string): string {
  const at = prompt.lastIndexOf(`\n## ${title}`);
  return at < 0 ? "" : (prompt.slice(at + 1).split(/\n+(?=##? )/, 1)[0] ?? "");
}

const BROKEN = "Your last answer broke these rules";

/** After every refused answer MAIN was told each rule that it broke, and nothing of the answer was taken over. */
export function expectRetold(rig: BoardRig, report: BoardReport): void {
  const prompts = mainPrompts(rig);
  const answers = report.iterations.flatMap(({ main, finish_refused }) =>
    main.map(({ broken }) => ({ broken, applied: finish_refused || broken.length === 0 })),
  );
  expect(prompts).toHaveLength(answers.length);
  answers.forEach(({ broken, applied }, index) => {
    const [asked = "", next] = prompts.slice(index);
    if (next === undefined) return;
    const told = partOf(next, BROKEN);
    expect(told.match(/^- \w+(?=: )/gm) ?? []).toEqual(broken.map(({ rule }) => `- ${rule}`));
    if (!applied) expect(planIn(next)).toBe(planIn(asked));
  });
  const stand = report.iterations.filter(({ next_agent }) => next_agent !== null);
  expect(rig.history().match(/^## Iteration \d+:$/gm)).toEqual(
    stand.map(({ iteration }) => `## Iteration ${iteration}:`),
  );
}
