import { z } from "zod";
import * as chat from "../events/chat.ts";
import * as run from "../events/run.ts";
import * as steps from "../events/steps.ts";
import * as judged from "../events/verdict.ts";
import { zodOf } from "../events/zod-of.ts";
import * as profile from "../agent-profile.ts";
import * as agents from "../agent-turn.ts";
import * as role from "../board/role-said.ts";
import * as check from "../check-phase.ts";
import * as process from "../../platform/process/process-end.ts";
import { STATUS_MARKERS } from "../claim/line.ts";
import * as judging from "../reason.ts";
import * as settings from "../settings.ts";
import * as language from "../../text/lang.ts";
import * as shapes from "../../text/shape.ts";
import * as step from "../step.ts";

/** Schema parts that reports share with events. */
export const timestamp = zodOf(shapes.timestamp);
export const sha256 = zodOf(shapes.sha256);
export const path = zodOf(shapes.path);
export const count = zodOf(shapes.count);
export const ordinal = zodOf(shapes.ordinal);
export const amount = zodOf(shapes.amount);
export const lang = zodOf(language.lang);
export const onStuck = zodOf(settings.onStuck);
export const keptFiles = zodOf(settings.keptFiles);
export const captured = zodOf(process.captured);
export const leaked = zodOf(process.leaked);
export const processEnd = zodOf(process.processEnd);
export const reason = zodOf(judging.reason);
export const verdict = zodOf(judged.verdict);
export const via = zodOf(judged.via);
export const phase = zodOf(check.phase);
export const finalStatus = zodOf(run.finalStatus);
export const endReason = zodOf(run.endReason);
export const impasse = zodOf(run.impasse);
export const containment = zodOf(run.containment);
export const stepStatus = zodOf(step.stepStatus);
export const unitTest = zodOf(step.unitTest);
export const reviewItems = zodOf(step.reviewItems);
export const plannedStep = zodOf(steps.plannedStep);
export const requirement = zodOf(steps.requirement);
export const treeChange = zodOf(role.treeChange);
export const failureClass = zodOf(agents.failureClass);
export const denials = zodOf(agents.denials);
export const adapter = zodOf(profile.adapter);
export const dropReason = zodOf(chat.dropReason);
export const reviews = zodOf(chat.reviews);

export const exitCode = z.number().int().nullable();
export const statusMarker = z.enum(STATUS_MARKERS);
export const usageReport = z.strictObject({
  input_tokens: amount,
  cached_input_tokens: amount,
  output_tokens: amount,
  total_tokens: amount,
  cost_usd: amount.nullable().describe("null: not reported"),
});
