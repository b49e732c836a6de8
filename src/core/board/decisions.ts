import { count, nullable, object, ours, type TypeOf } from "../../text/shape.ts";
import { splitLines, visible } from "../../text/text.ts";

/** A person's decision on MAIN's question. */
export const boardDecision = object({
  iteration: count,
  title: ours(),
  question: ours(),
  option: ours(),
  description: ours(),
  comment: nullable(ours()),
});
export type BoardDecision = TypeOf<typeof boardDecision>;

const HEAD = /^## Iteration (\d+)[:：]\s*(.*)$/;
const FIELD = /^(question|option|description|comment)[:：]\s*(.*)$/;

/** One entry of `user_decisions.md`, with every value on one line so that it can be parsed again. */
export function decisionText({
  iteration,
  title,
  question,
  option,
  description,
  comment,
}: BoardDecision): string {
  const lines = [
    `## Iteration ${iteration}: ${oneLine(title)}`,
    `question: ${oneLine(question)}`,
    `option: ${option}`,
    `description: ${oneLine(description)}`,
    ...(comment === null ? [] : [`comment: ${oneLine(comment)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The entries of `user_decisions.md`. Entries without an option decide nothing. */
export function readDecisions(text: string): readonly BoardDecision[] {
  const found: BoardDecision[] = [];
  let open: BoardDecision | undefined;
  for (const line of text.split(/\r?\n/)) {
    const head = HEAD.exec(line);
    const field = FIELD.exec(line);
    if (head) {
      if (open) found.push(open);
      const [, iteration, title = ""] = head;
      open = {
        iteration: Number(iteration),
        title,
        question: "",
        option: "",
        description: "",
        comment: null,
      };
    } else if (open && field) open = { ...open, [field[1] ?? ""]: field[2] ?? "" };
  }
  if (open) found.push(open);
  return found.filter(({ option }) => option !== "");
}

/** Whether two questions are the same, ignoring layout and punctuation. */
export function sameQuestion(one: string, other: string): boolean {
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  return bare(one) === bare(other);
}

/**
 * Whether a text repeats words that its author was shown. The author saw them as an escaped quote with its own marks and layout,
 * so only letters and digits are compared.
 */
export function repeatsWords(text: string, words: string): boolean {
  const shown = (part: string): string =>
    splitLines(part)
      .map((line) => visible(line))
      .join("\n");
  const bare = (part: string): string => shown(part).replace(/[^\p{L}\p{N}]+/gu, "");
  return bare(text).includes(bare(words));
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
