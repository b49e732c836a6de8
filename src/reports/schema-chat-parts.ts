import { z } from "zod";

/** What the schemas of report and journal say of conversations. */
export const dropReason = z.enum([
  "new_input",
  "went_on",
  "skipped",
  "unavailable",
  "budget_reached",
  "review_failed",
  "waiting_for_user",
  "limit_reached",
  "not_taken",
  "tree_changed",
]);
export const reviews = z.enum(["on", "paused", "stopped"]).describe("what the person wants of reviews");
