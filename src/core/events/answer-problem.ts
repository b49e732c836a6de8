import { codes, foreign, list, object, oneOf, ordinal, type TypeOf } from "../../text/shape.ts";
import { fieldFault } from "../../text/json/problem.ts";

/** The answer has this key twice. */
const ambiguous = object({ kind: codes(["ambiguous"]), key: foreign() });

/** Why an answer is not an analysis. */
export const analysisProblem = oneOf("kind", [
  object({ kind: codes(["missing"]) }),
  ambiguous,
  object({ kind: codes(["malformed"]), faults: list(fieldFault) }),
]);
export type AnalysisProblem = TypeOf<typeof analysisProblem>;

/**
 * Why an answer is not a verdict. `amid_text`: it does not begin a line or does not end the message, so later words may
 * take it back. `misled`: the reviewer's instructions changed while it worked.
 */
export const reviewProblem = oneOf("kind", [
  object({ kind: codes(["missing", "amid_text", "misled"]) }),
  ambiguous,
  object({ kind: codes(["malformed"]), fault: fieldFault }),
  object({ kind: codes(["incomplete"]), items: list(ordinal) }),
]);
export type ReviewProblem = TypeOf<typeof reviewProblem>;
