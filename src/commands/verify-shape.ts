import type { Receipt } from "../reports/receipt.ts";
import type { Seen } from "./verify-seen.ts";

/** A receipt of accepted work says nothing that speaks against it, and the same thing in all its parts. */
export function lookAtShape(receipt: Receipt, path: string): Seen {
  const { run_id: run, mode, finished_at: at } = receipt.predicate.agentForeman;
  const field = contradiction(receipt, path);
  return field === undefined
    ? {
        check: "shape",
        level: "ok",
        code: "shape_fits",
        about: { run, mode, at, result: receipt.predicate.result },
      }
    : { check: "shape", level: "refused", code: "shape_contradicts", about: { field } };
}

/** As the program names the file, the run's id is in it. */
const NAMED_BY_RUN = /-report-(\d{4}-[0-9a-z]{4})\.receipt\.json$/;

function contradiction({ subject, predicate }: Receipt, path: string): string | undefined {
  const { run_id: runId, base, oracle, commands, room } = predicate.agentForeman;
  const named = new Map(predicate.configuration.map(({ name, digest }) => [name, digest.sha256]));
  const isCertain = room.weak.length === 0 && commands.every(({ flaky }) => flaky === null);
  const lastTree = commands.findLast(({ tree }) => tree !== null)?.tree;
  const steps = new Set(commands.map(({ step }) => step));
  const wrong: readonly (readonly [field: string, isWrong: boolean])[] = [
    ["run_id", (NAMED_BY_RUN.exec(path)?.[1] ?? runId) !== runId],
    ["predicate.result", predicate.result !== (isCertain ? "PASSED" : "WARNED")],
    ["predicate.configuration", named.get("oracle") !== oracle.sha256 || named.get("base") !== base.tree],
    ["commands.exit_code", commands.some((command) => command.exit_code !== 0)],
    ["commands.tests.failed", commands.some(({ tests }) => (tests?.failed ?? 0) > 0)],
    ["commands.own.exit_code", commands.some(({ own }) => own !== null && own.exit_code !== 0)],
    // Of several steps the last one may have had nothing to run.
    ["commands.tree", steps.size === 1 && steps.has(null) && lastTree !== subject[0]?.digest.sha256],
  ];
  return wrong.find(([, isWrong]) => isWrong)?.[0];
}
