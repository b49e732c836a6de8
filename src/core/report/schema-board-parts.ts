import { z } from "zod";
import { tools as eventTools } from "../events/board.ts";
import { zodOf } from "../events/zod-of.ts";
import { NEXT_AGENTS, REVIEW_MODES } from "../board/answer.ts";
import { TASK_STATUSES } from "../board/plan.ts";
import * as role from "../board/role-said.ts";
import { rule as boardRule } from "../board/rule.ts";
import { roles as settingsRoles } from "../settings.ts";

/** Schema parts of reports with a board. */
export const nextAgent = z.enum(NEXT_AGENTS);
export const taskStatus = z.enum(TASK_STATUSES);
export const claim = z.enum(role.ROLE_CLAIMS);
export const reviewMode = z.enum(REVIEW_MODES);
export const rule = zodOf(boardRule);
export const tools = zodOf(eventTools);
export const blockType = zodOf(role.blockType);
export const failureType = zodOf(role.failureType);
export const fault = zodOf(role.fault);
export const roles = zodOf(settingsRoles);
