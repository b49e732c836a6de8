import { stepTerms } from "./words/terminal.ts";
import type { StepsWritten } from "../../core/event.ts";
import { DONE, TODO } from "../../core/step.ts";
import { type PlannedStep, type Requirement, coverageOf, type Covered } from "./requirements.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { quoted } from "../../ui/output-lines.ts";
import type { Line } from "../../ui/page.ts";
import { labelled } from "../../ui/summary-parts.ts";

const MAX_STEPS = 100;
const MAX_UNCOVERED = 50;

/** The steps of an analysis, the requirements that each covers, and those that none covers. */
export function plannedLines(event: StepsWritten, texts: TerminalTexts): Line[] {
  const { coverage } = stepTerms[texts.lang];
  const covered = coverageOf(event);
  const isStated = covered.some(({ by }) => by !== null);
  const known = new Map(event.requirements.map((one) => [one.id, one]));
  const steps = event.steps.slice(0, MAX_STEPS).flatMap((step, index) => {
    const status = step.done ? DONE : TODO;
    const head = `${visible(event.files[index] ?? "")}  ${status}  ${visible(step.summary)}`;
    return [head, ...(isStated ? coversTexts(step, known, texts) : [])].map(foreign);
  });
  const left = event.steps.length - MAX_STEPS;
  const open = uncovered(covered);
  return [
    ...steps,
    ...(left > 0 ? [quoted(texts.moreLines(left))] : []),
    ...(open.length === 0 ? [] : [warning(coverage.uncovered(open.length))]),
    ...open.slice(0, MAX_UNCOVERED).map((one) => foreign(requirementText(one, texts))),
    ...(open.length > MAX_UNCOVERED ? [quoted(texts.moreLines(open.length - MAX_UNCOVERED))] : []),
    ...(isStated ? [] : [warning(covered.length === 0 ? coverage.noneFound : coverage.notStated)]),
  ];
}

/** `covers  7 of 9 requirements; no step covers R3, R8` */
export function coverageFact(event: StepsWritten, texts: TerminalTexts): Line {
  const { coverage, label } = stepTerms[texts.lang];
  const covered = coverageOf(event);
  const open = uncovered(covered).map(({ id }) => id);
  if (covered.length === 0) return labelled(label.covers, coverage.noneFound);
  if (!covered.some(({ by }) => by !== null)) return labelled(label.covers, coverage.notStated);
  const unknown = covered.flatMap(({ requirement, by }) => (by === null ? [requirement.id] : []));
  const parts = [
    coverage.count(covered.length - open.length - unknown.length, covered.length),
    ...(open.length === 0 ? [] : [coverage.open(open.join(", "))]),
    ...(unknown.length === 0 ? [] : [coverage.unknown(unknown.join(", "))]),
  ];
  return labelled(label.covers, parts.join(texts.partSeparator));
}

function uncovered(covered: readonly Covered[]): readonly Requirement[] {
  return covered.flatMap(({ requirement, by }) => (by?.length === 0 ? [requirement] : []));
}

function coversTexts(
  { covers }: PlannedStep,
  known: ReadonlyMap<string, Requirement>,
  texts: TerminalTexts,
): readonly string[] {
  const { coverage } = stepTerms[texts.lang];
  if (covers === null) return [`  ${coverage.stepNotStated}`];
  if (covers.length === 0) return [`  ${coverage.coversNothing}`];
  return covers.flatMap((id) => {
    const one = known.get(id);
    return one ? [`  ${coverage.covers(requirementText(one, texts))}`] : [];
  });
}

function requirementText({ id, line, text }: Requirement, texts: TerminalTexts): string {
  return `${id} ${visible(text)} ${stepTerms[texts.lang].coverage.line(line)}`;
}

function warning(text: string): Line {
  return { text: `! ${text}`, tone: "warn" };
}

function foreign(text: string): Line {
  return { ...quoted(text), mayBeCut: true };
}
