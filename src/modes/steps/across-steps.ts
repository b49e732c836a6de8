import type { Step } from "../../core/step.ts";
import { numberOf } from "./read-step.ts";
import { shown, type StepProblem, type StepWarning } from "../../text/json/problem.ts";

/** Two files with one number, or two steps with one id, are ambiguous. */
export function duplicates(files: readonly string[], steps: readonly Step[]): StepProblem[] {
  const byNumber = repeated(files, (file) => withoutZeros(numberOf(file)));
  const byId = repeated(steps, ({ id }) => id);
  return [
    ...byNumber.map(([first, again]) => ({
      kind: "duplicate_number" as const,
      file: again,
      number: numberOf(again),
      other: first,
    })),
    ...byId.map(([first, again]) => ({
      kind: "duplicate_id" as const,
      file: again.file,
      id: shown(again.id),
      other: first.file,
    })),
  ];
}

/** Steps whose id ends in another number than the one in the file name: `step-003` in `002-service.json`. */
export function mismatches(steps: readonly Step[]): StepWarning[] {
  return steps
    .filter(({ id, number }) => withoutZeros(trailingDigits(id)) !== withoutZeros(number))
    .map(({ file, id, number }) => ({ kind: "id_mismatch", file, id: shown(id), number }));
}

/** `1000-x.json` comes before `999-x.json`. */
export function mixedLengths(files: readonly string[]): StepWarning[] {
  const [shortest, ...longer] = files.toSorted((one, other) => numberOf(one).length - numberOf(other).length);
  const longest = longer.at(-1);
  if (shortest === undefined || longest === undefined) return [];
  if (numberOf(shortest).length === numberOf(longest).length) return [];
  return [{ kind: "number_lengths", file: longest, other: shortest }];
}

function trailingDigits(id: string): string {
  // Not /\d+$/: that takes quadratic time on a long run of digits within the text.
  let from = id.length;
  while (/^\d$/.test(id.charAt(from - 1))) from -= 1;
  return id.slice(from);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}

/** Pairs of each repeated item with the earlier one. */
function repeated<T>(all: readonly T[], keyOf: (one: T) => string): (readonly [T, T])[] {
  const first = new Map<string, T>();
  const pairs: (readonly [T, T])[] = [];
  for (const one of all) {
    const before = first.get(keyOf(one));
    if (before === undefined) first.set(keyOf(one), one);
    else pairs.push([before, one]);
  }
  return pairs;
}
