import { splitLines, visible } from "../text.ts";

/** What a person decided when MAIN asked. */
export interface BoardDecision {
  readonly iteration: number;
  readonly title: string;
  readonly question: string;
  readonly option: string;
  readonly description: string;
  readonly comment: string | null;
}

const HEAD = /^## Iteration (\d+)[:：]\s*(.*)$/;
const FIELD = /^(question|option|description|comment)[:：]\s*(.*)$/;

/** One entry of `user_decisions.md`: every value in one line, so that it can be read again. */
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

/** What stands in `user_decisions.md`. Entries that name no option decide nothing. */
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

/** Whether two questions are the same: layout and marks do not make another of one. */
export function sameQuestion(one: string, other: string): boolean {
  const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  return bare(one) === bare(other);
}

/**
 * Whether a text repeats words that its author was shown. They are shown as quotes, made visible: marks and layout are the quote's, not
 * theirs, so that only letters and digits are compared.
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
