import type { Step, UnitTest } from "../../core/step.ts";

/** The identity of a step, without its status. */
export type StepField = "id" | "description" | "verification" | "unit_test";

/** `unitTests`: any of them counts as the known one. */
export function changedFields(
  known: Step,
  now: Step,
  unitTests: readonly (UnitTest | null)[] = [known.unitTest],
): StepField[] {
  const same: Readonly<Record<StepField, boolean>> = {
    id: now.id === known.id,
    description: now.description === known.description,
    verification:
      now.verification.length === known.verification.length &&
      now.verification.every(({ type, description }, index) => {
        const before = known.verification[index];
        return type === before?.type && description === before.description;
      }),
    unit_test: unitTests.some((unitTest) => sameUnitTest(unitTest, now.unitTest)),
  };
  return (["id", "description", "verification", "unit_test"] as const).filter((field) => !same[field]);
}

export function sameUnitTest(one: UnitTest | null, other: UnitTest | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.command === other.command &&
    one.notes === other.notes &&
    sameTexts(one.files ?? null, other.files ?? null)
  );
}

function sameTexts(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
