import { decisiveOutput } from "../../evidence/set-ups.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { readExcerpt } from "../../platform/process/read-output.ts";
import type { ExcerptLimits } from "../../text/excerpt.ts";
import { iterationReport } from "./iteration-report.ts";

/** Many commands may fail at once. */
const CHECK_EXCERPT: ExcerptLimits = { tailLines: 15, errorLines: 5, bytes: 2000 };
const MESSAGE_EXCERPT: ExcerptLimits = { tailLines: 200, errorLines: 0, bytes: 8000 };

export const writeIterationReport: WriteFeedback = (state, attempt, verdict, safe) => {
  const { checks, turn } = attempt;
  const message = turn?.agent?.message;
  const excerpts = {
    checks: safe
      ? checks.map((check) =>
          checkPassed(check) ? [] : readExcerpt(decisiveOutput(check), CHECK_EXCERPT, safe),
        )
      : [],
    said: safe && message ? readExcerpt(message, MESSAGE_EXCERPT, safe) : [],
  };
  return iterationReport({ state, lang: state.settings.lang, attempt, verdict, excerpts });
};
