import { isSameAgent, type Order, type OrderSectionName } from "../../../core/board/answer.ts";
import { commandsOf, milestoneToReview } from "../call.ts";
import { overIn } from "../../../core/board/iterations.ts";
import { openFeedback } from "../task-evidence.ts";
import { repeatsWords } from "../../../core/board/decisions.ts";
import type { Broken, BoardRule } from "../../../core/board/rule.ts";
import type { Case, Rules } from "./rules-case.ts";

const LEAST_REQUIREMENTS = 3;

/** The required content of a work order. */
export const orderRules: Rules = (seen) => {
  const { answer, order } = seen;
  if (!order) return [];
  return [
    ...headRules(seen, order),
    ...sectionRules(seen, order),
    ...(answer.nextAgent === "REVIEW" && order.reviewMode === "investigate" ? [] : commandRules(seen, order)),
  ];
};

function headRules({ answer, iteration, plan, tasks }: Case, order: Order): readonly Broken[] {
  const broken: Broken[] = [];
  const unknown = (key: string): string | undefined =>
    order.unknownValues.find((value) => value.key === key)?.value;
  if (order.iteration !== iteration) broken.push({ rule: "order_header", about: String(iteration) });
  if (!isSameAgent(order.assignedAgent ?? "", answer.nextAgent))
    broken.push({ rule: "order_agent", about: `${order.assignedAgent ?? "-"}, ${answer.nextAgent}` });
  if (answer.nextAgent === "DEV" && order.selfTest === null)
    broken.push({ rule: "order_self_test", about: unknown("self_test") ?? "" });
  if (answer.nextAgent === "REVIEW" && order.reviewMode === null)
    broken.push({ rule: "order_review_mode", about: unknown("review_mode") ?? "" });
  if (order.task !== null && !tasks.some(({ id }) => id === order.task)) {
    const done = milestoneToReview(plan)?.tasks.filter(({ status }) => status === "DONE") ?? [];
    const isReview = answer.nextAgent === "REVIEW" && order.reviewMode !== "investigate";
    const allowed = isReview ? done : tasks;
    broken.push({ rule: "order_task", about: [order.task, ...allowed.map(({ id }) => id)].join(", ") });
  }
  return broken;
}

function sectionRules({ answer, state }: Case, order: Order): readonly Broken[] {
  const textOf = (name: OrderSectionName): string =>
    order.sections.find((section) => section.name === name)?.text.trim() ?? "";
  const lacking = (rule: BoardRule, names: readonly OrderSectionName[]): readonly Broken[] =>
    names.filter((name) => textOf(name) === "").map((about) => ({ rule, about }));
  if (answer.nextAgent === "REVIEW" && order.reviewMode === "investigate") {
    const feedback = openFeedback(overIn(state));
    const isCopied = feedback === null || repeatsWords(textOf("dev_feedback"), feedback);
    const asks = textOf("investigation_requirements")
      .split("\n")
      .filter((line) => /^\s*(?:\d+[.)、]|[-*])/.test(line));
    return [
      ...lacking("investigation_incomplete", ["investigation", "files", "investigation_requirements"]),
      ...(isCopied ? [] : [{ rule: "investigation_incomplete", about: "dev_feedback" } as const]),
      ...(asks.length < LEAST_REQUIREMENTS && textOf("investigation_requirements") !== ""
        ? [{ rule: "investigation_incomplete", about: "investigation_requirements" } as const]
        : []),
    ];
  }
  const tested: readonly Broken[] =
    answer.nextAgent === "TEST"
      ? [
          ...lacking("test_order_incomplete", ["test_requirements", "code_under_test"]),
          ...(order.requirements === 0 && textOf("test_requirements") !== ""
            ? [{ rule: "test_order_incomplete", about: "test_requirements" } as const]
            : []),
        ]
      : [];
  return [...lacking("order_section", ["goal", "acceptance"]), ...tested];
}

/** An order must list all commands with their thresholds, because an omitted one costs another iteration. */
function commandRules({ tasks }: Case, order: Order): readonly Broken[] {
  const listed = new Set(order.commands.map(({ command }) => command));
  const absent = commandsOf(tasks).filter((command) => !listed.has(command));
  return absent.map((about) => ({ rule: "order_commands", about }) as const);
}
