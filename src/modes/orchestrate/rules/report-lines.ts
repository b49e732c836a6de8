import { headingOf, itemOf, linesOf, type Line } from "../../../text/lines.ts";
import { withoutCode } from "../../../text/without-code.ts";

const OPEN = "<!--";
const CLOSE = "-->";
const CODE_INDENT = 4;

/** The lines of a report. Comments and indented code are treated as fenced, because they are not shown as plain text. */
export function reportLines(text: string): Line[] {
  return withoutIndented(withoutComments(linesOf(text)));
}

/** The words of a comment are removed, because they would be a command below `Test commands:`. */
function withoutComments(lines: readonly Line[]): Line[] {
  const lastClose = lines.findLastIndex(({ text }) => text.includes(CLOSE));
  let isOpen = false;
  return lines.map((line, index) => {
    if (line.fenced && !isOpen) return line;
    const hidden = { ...line, text: "", fenced: true };
    if (isOpen) {
      isOpen = !line.text.includes(CLOSE);
      return hidden;
    }
    const shown = withoutCode(line.text);
    const from = shown.lastIndexOf(OPEN);
    if (from < 0) return line;
    const begins = shown.trimStart().startsWith(OPEN);
    // Within a line, an unclosed comment is text.
    isOpen = !shown.slice(from).includes(CLOSE) && (begins || index < lastClose);
    return begins ? hidden : line;
  });
}

/** Four spaces make code only if they do not continue a paragraph or a list item. */
function withoutIndented(lines: readonly Line[]): Line[] {
  let isFree = true;
  let within = 0;
  return lines.map((line) => {
    const { text, fenced } = line;
    if (fenced || text.trim() === "") {
      isFree = true;
      return line;
    }
    const indent = indentOf(text);
    if (isFree && indent < within) within = 0;
    if (isFree && indent >= within + CODE_INDENT) return { ...line, fenced: true };
    const isHeading = headingOf(text) !== null;
    if (isHeading) within = 0;
    else if (itemOf(text) !== null) within = indent + markLength(text);
    isFree = isHeading;
    return line;
  });
}

function indentOf(text: string): number {
  const blank = text.slice(0, text.length - text.trimStart().length);
  return blank.replaceAll("\t", " ".repeat(CODE_INDENT)).length;
}

/** The length from the item's mark to its text. */
function markLength(text: string): number {
  return /^(?:[-*+]|\d{1,4}[.)、．])[ \t]?/.exec(text.trimStart())?.[0].length ?? 0;
}
