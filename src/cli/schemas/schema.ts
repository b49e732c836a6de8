import { z } from "zod";
import { journalRecordSchema } from "../../core/events/journal-schema.ts";
import { receiptSchema } from "../../evidence/receipt/schema-receipt.ts";
import { chatReportSchema } from "../../modes/chat/schema-chat-report.ts";
import { boardReportSchema } from "../../modes/orchestrate/schema-board-report.ts";
import { analyzeReportSchema, stepsReportSchema } from "../../modes/steps/schema-report.ts";
import { attemptReportSchema, superviseReportSchema } from "../../modes/supervise/schema-report.ts";
import { jsonLineSchema } from "./json-line-schema.ts";
import { jsonText } from "./json-text.ts";

/** Public formats: file name → schema. The types of reports are inferred from them. Only the build and tests load them. */
export const publicSchemas = {
  "report.schema.json": superviseReportSchema,
  "run-report.schema.json": stepsReportSchema,
  "analyze-report.schema.json": analyzeReportSchema,
  "orchestrate-report.schema.json": boardReportSchema,
  "chat-report.schema.json": chatReportSchema,
  "attempt.schema.json": attemptReportSchema,
  "receipt.schema.json": receiptSchema,
  "journal-record.schema.json": journalRecordSchema,
  "json-line.schema.json": jsonLineSchema,
} as const;

export function jsonSchemaText(name: keyof typeof publicSchemas): string {
  const schema = z.toJSONSchema(publicSchemas[name], { target: "draft-2020-12" });
  return `${jsonText(schema)}\n`;
}
