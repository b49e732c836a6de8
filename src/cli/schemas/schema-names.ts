import { z } from "zod";
import * as events from "../../core/events/all.ts";
import * as answerProblems from "../../core/events/answer-problem.ts";
import * as notStarted from "../../core/events/not-started.ts";
import { zodOf } from "../../core/events/zod-of.ts";
import * as agentProfile from "../../core/agent-profile.ts";
import * as agentTurn from "../../core/agent-turn.ts";
import * as boardAnswer from "../../core/board/answer.ts";
import * as roleSaid from "../../core/board/role-said.ts";
import * as boardRule from "../../core/board/rule.ts";
import * as process from "../../platform/process/process-end.ts";
import * as claim from "../../core/claim/claim.ts";
import * as changes from "../../core/evidence/changes.ts";
import * as roomSettings from "../../core/evidence/settings.ts";
import * as settings from "../../core/settings.ts";
import { isShape } from "../../text/shape.ts";
import * as step from "../../core/step.ts";
import * as fault from "../../text/json/problem.ts";
import * as findings from "../../core/evidence/findings.ts";
import * as runners from "../../core/evidence/result.ts";
import * as boardParts from "../../core/report/schema-board-parts.ts";
import * as parts from "../../core/report/schema-parts.ts";
import * as reportParts from "../../modes/report/schema-report-parts.ts";
import * as roomParts from "../../evidence/report/schema-room.ts";

const modules = [
  events,
  answerProblems,
  notStarted,
  agentProfile,
  agentTurn,
  boardAnswer,
  roleSaid,
  boardRule,
  process,
  claim,
  changes,
  roomSettings,
  settings,
  step,
  fault,
  findings,
  runners,
  boardParts,
  parts,
  reportParts,
  roomParts,
];

/** Each named part becomes a shared definition of the schema. */
export function nameParts(): void {
  for (const [name, value] of modules.flatMap((module) => Object.entries<unknown>(module))) {
    const part = isShape(value) ? zodOf(value) : value;
    if (part instanceof z.ZodType) part.register(z.globalRegistry, { ...part.meta(), id: name });
  }
}
