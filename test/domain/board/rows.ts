import { DISPATCH } from "./rows-dispatch.ts";
import { RED } from "./rows-red.ts";
import { FINISHING, USER } from "./rows-end.ts";
import { HISTORY } from "./rows-history.ts";
import { ORDER } from "./rows-order.ts";
import { PLAN } from "./rows-plan.ts";
import { REVIEW } from "./rows-review.ts";
import type { Row } from "./row.ts";

export const ROWS: readonly Row[] = [
  ...HISTORY,
  ...PLAN,
  ...ORDER,
  ...DISPATCH,
  ...RED,
  ...REVIEW,
  ...USER,
  ...FINISHING,
];
