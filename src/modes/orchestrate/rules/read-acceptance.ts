import { oneLine } from "../../../text/json/values.ts";
import { codeSpans, fieldOf, itemOf, squashed, type Line } from "../../../text/lines.ts";
import type { Acceptance } from "../../../core/board/plan.ts";
import type { BoardProblem, BoardProblemKind } from "../../../core/board/problem.ts";

const MAX_COMMAND = 2000;
const MAX_ABOUT = 80;
const SEPARATOR = /^(?:→|->|=>)/;
/** A placeholder from the prompt's example names no command. */
const PLACEHOLDER = /^<[^<>]*>$/;
const CONTROL = /[\u0000-\u001f\u007f]/;
const LABELS: ReadonlyMap<string, "command" | "threshold"> = new Map([
  ["命令", "command"],
  ["command", "command"],
  ["阈值", "threshold"],
  ["threshold", "threshold"],
]);

/** A command whose threshold may be on the next line. */
interface Pending {
  readonly command: string;
  readonly line: number;
}

/**
 * The items of a list of commands and thresholds: ``1. `npm test` → exit 0``, with or without a number, or `- Command:` followed by `- Threshold:`.
 * Other lines are comments.
 */
export function readAcceptance(lines: readonly Line[]): {
  readonly items: readonly Acceptance[];
  readonly problems: readonly BoardProblem[];
} {
  const items: Acceptance[] = [];
  const problems: BoardProblem[] = [];
  const note = (kind: BoardProblemKind, line: number, text: string): void => {
    problems.push({ kind, line, about: oneLine(text, MAX_ABOUT) });
  };
  const complete = ({ command, line }: Pending, threshold: string): null => {
    const text = threshold.replace(/\s+/g, " ").trim();
    if (text === "") note("acceptance_without_threshold", line, command);
    else items.push({ command, threshold: text });
    return null;
  };
  const begin = (text: string, line: number): Pending | null => {
    const [first, ...others] = codeSpans(text);
    const command = first?.code ?? "";
    const after = text.slice(first?.end ?? 0).trim();
    if (command === "" || PLACEHOLDER.test(command)) note("acceptance_without_command", line, text);
    else if (command.length > MAX_COMMAND || CONTROL.test(command)) note("value_wrong", line, command);
    // With two of them on a line it is unclear whether the second is a command or part of the threshold.
    else if (others.some(({ end }) => SEPARATOR.test(text.slice(end, end + 20).trimStart())))
      note("too_many_commands", line, text);
    else if (after === "") return { command, line };
    else if (SEPARATOR.test(after)) return complete({ command, line }, after.replace(SEPARATOR, ""));
    else note("acceptance_without_threshold", line, text);
    return null;
  };
  let pending: Pending | null = null;
  for (const { number, text, fenced } of lines) {
    if (fenced) continue;
    const item = itemOf(text);
    const body = item?.body ?? text.trim();
    const field = fieldOf(body);
    const label = field === null ? undefined : LABELS.get(squashed(field.key));
    if (pending !== null && label === "threshold") pending = complete(pending, field?.value ?? "");
    else if (pending !== null && SEPARATOR.test(body))
      pending = complete(pending, body.replace(SEPARATOR, ""));
    else if (
      label === "command" ||
      typeof item?.number === "number" ||
      beginsCriterion(body, item !== null)
    ) {
      if (pending !== null) complete(pending, "");
      pending = begin(label === "command" ? (field?.value ?? "") : body, number);
    }
  }
  if (pending !== null) complete(pending, "");
  return { items, problems };
}

/** Without a number: a line that begins with its command, or a list item with words before its command. */
function beginsCriterion(body: string, isItem: boolean): boolean {
  if (body.startsWith("`")) return true;
  const [first] = isItem ? codeSpans(body) : [];
  return first !== undefined && SEPARATOR.test(body.slice(first.end).trimStart());
}
