import type { CheckEnded } from "../../src/core/event.ts";
import { succeeded } from "../../src/platform/process/process-end.ts";
import type { OwnRun } from "../../src/core/evidence/event.ts";
import type { TestFindings } from "../../src/core/evidence/findings.ts";

/** The required findings of a test run, written independently of the product. */
function isSound(findings: TestFindings | null): boolean {
  if (findings === null) return true;
  const { runners, passed, vanished, skippedNow, complete, exitedBy } = findings;
  const ran = runners.length === 0 || passed > 0;
  return ran && complete && vanished.count + skippedNow.count + exitedBy.length === 0;
}

const isGreen = ({ process, findings }: Pick<OwnRun, "process" | "findings">): boolean =>
  succeeded(process.end) && isSound(findings);

export function supportsWork({ process, room: seen }: CheckEnded): boolean {
  if (!seen || seen.problem !== null || seen.rewritten.count > 0) return false;
  const own = seen.candidateTests === null || isGreen(seen.candidateTests);
  const stillFails = seen.baseControl === null || !succeeded(seen.baseControl.process.end);
  const proven = (seen.baseProduct?.unproven.count ?? 0) === 0 && stillFails;
  return isGreen({ process, findings: seen.findings }) && own && proven;
}

/** All original tests run and pass on the new code, and none that failed there passes on the original product. */
export function bearsOutEdits({ room: seen }: CheckEnded, onlyTests: boolean): boolean {
  if (!seen) return true;
  const { baseTests, lost, baseProduct } = seen;
  // Edits of other files may have disabled the failing tests.
  const originals =
    baseTests === null || (onlyTests && baseTests.findings?.failed === 0 && isSound(baseTests.findings));
  return originals && lost.count + (baseProduct?.revived.count ?? 0) === 0;
}
