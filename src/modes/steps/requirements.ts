import type { PlannedStep, Requirement } from "../../core/events/steps.ts";
import { cutTo, headingOf, linesOf } from "../../text/lines.ts";
import type { StepsWritten } from "../../core/event.ts";

export type { PlannedStep, Requirement };

const MAX_REQUIREMENTS = 500;
const MAX_TEXT = 200;
/** `- text`, `1. text`, `(1) text`, `一、text`: more forms than on a board. Deeper items belong to the item above them. */
const ITEM =
  /^ ?(?:[-*+•][ \t]+|[（(]?\d+(?:\.\d+)*(?:[.)][ \t]+|[）、][ \t]*)|[一二三四五六七八九十]+、[ \t]*)(\S.*)$/;
const CHECKBOX = /^\[[ xX]\][ \t]+/;

/** The outermost list items of a document, and the headings of sections that have text but no items. */
export function requirementsIn(document: string): readonly Requirement[] {
  const found: Omit<Requirement, "id">[] = [];
  let heading: Omit<Requirement, "id"> | null = null;
  let hasText = false;
  const endSection = (): void => {
    if (heading && hasText) found.push(heading);
    heading = null;
  };
  for (const { number: line, text, fenced } of linesOf(document)) {
    if (fenced || text.trim() === "") continue;
    const title = headingOf(text)?.title;
    const item = ITEM.exec(text)?.[1];
    if (title !== undefined) {
      endSection();
      heading = { line, text: cut(title).replace(/[ \t]*#+$/, "") };
      hasText = false;
    } else if (item !== undefined) {
      found.push({ line, text: cut(item.replace(CHECKBOX, "")) });
      heading = null;
    } else hasText = true;
  }
  endSection();
  return found.slice(0, MAX_REQUIREMENTS).map((one, index) => ({ id: `R${index + 1}`, ...one }));
}

function cut(text: string): string {
  return cutTo(text.trim(), MAX_TEXT);
}

export interface Covered {
  readonly requirement: Requirement;
  /** Files of steps; null: no step with a statement covers it, but some steps have no statement. */
  readonly by: readonly string[] | null;
}

/** The steps that cover each requirement, as the agent claims. */
export function coverageOf({ files, steps, requirements }: StepsWritten): readonly Covered[] {
  const isStated = steps.every(({ covers }) => covers !== null);
  return requirements.map((requirement) => {
    const by = files.filter((_, index) => steps[index]?.covers?.includes(requirement.id) === true);
    return { requirement, by: by.length > 0 || isStated ? by : null };
  });
}
