import fs from "node:fs";
import { resolve } from "node:path";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { RUN_ID } from "../text/run-id.ts";
import { verifyTexts, type VerifyTexts } from "./words/verify.ts";
import { padToWidth } from "../ui/format.ts";
import type { Line, Tone } from "../ui/page.ts";
import { resultOf, type Receipt } from "../evidence/receipt/receipt.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { redactorFor } from "./redactor.ts";
import { workDir } from "./run-flags.ts";
import { lookAtJournal } from "./verify-journal.ts";
import { lookAtProtected } from "./verify-protected.ts";
import { readReceipt } from "./verify-read.ts";
import { runAgain } from "./verify-rerun.ts";
import { saying, type Seen } from "./verify-seen.ts";
import { lookAtTree, treeNow } from "./verify-tree.ts";

export interface VerifyFlags {
  readonly rerun?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

const SIGNS: Readonly<Record<Seen["level"], { readonly sign: string; readonly tone?: Tone }>> = {
  ok: { sign: "✓", tone: "good" },
  unknown: { sign: "-" },
  refused: { sign: "✗", tone: "bad" },
};

/** `verify`: checks a receipt against the journal, the tree and the tests. Any mismatch rejects it; checks that are impossible here are reported. */
export async function verify(file: string, flags: VerifyFlags, io: Io): Promise<number> {
  const texts = verifyTexts[io.lang];
  const cwd = workDir(flags, "verify", io);
  const path = resolve(io.cwd, file);
  const receipt = readReceipt(path, texts);
  const all: Seen[] = [];
  const paper = flags.json === true ? null : openPaper(io);
  const show = (seen: Seen): void => {
    all.push(seen);
    paper?.print(linesOf(seen, texts));
  };
  await look({ receipt, path: fs.realpathSync(path), cwd, rerun: flags.rerun === true }, show, {
    begin: (command) =>
      paper?.print([{ text: `~ ${texts.running(command)}`, tone: "faint", mayBeCut: true }]),
    io,
  });
  const refused = all.find(({ level }) => level === "refused");
  if (flags.json === true) printJson(io, jsonOf(receipt, path, all));
  if (refused)
    throw new Failure("receipt_refused", { path, why: `${refused.code}: ${wordsOf(refused, texts)}` });
  paper?.print([{ text: texts.holds, tone: "good" }]);
  return ExitCode.accepted;
}

interface Wanted {
  readonly receipt: Receipt;
  readonly path: string;
  readonly cwd: string;
  readonly rerun: boolean;
}

async function look(
  { receipt, path, cwd, rerun }: Wanted,
  show: (seen: Seen) => void,
  { begin, io }: { readonly begin: (command: string) => void; readonly io: Io },
): Promise<void> {
  const shape = lookAtShape(receipt, path);
  show(shape);
  const journal = lookAtJournal(receipt, io.env);
  show(journal.seen);
  const redactor = redactorFor({ secrets: [], agents: [] }, io.env);
  const redact = (text: string): string => redactor.text(text);
  const now = treeNow(receipt, cwd, path);
  const tree = lookAtTree(receipt, now, cwd);
  show(tree);
  // A different tree allows no conclusions.
  const files = now && tree.level === "ok" ? lookAtProtected(receipt, now, redact) : null;
  if (files) show(files);
  if (!rerun) return;
  const holds = [shape, journal.seen, tree, files].every((seen) => seen?.level !== "refused");
  if (now && holds) await runAgain({ receipt, now, state: journal.state, show, begin }, io);
  else show(saying("rerun")("unknown", "rerun_left"));
}

/** A receipt of accepted work contains no failure, and its parts agree. */
export function lookAtShape(receipt: Receipt, path: string): Seen {
  const said = saying("shape");
  const { run_id: run, mode, finished_at: at } = receipt.predicate.agentForeman;
  const field = contradiction(receipt, path);
  return field === undefined
    ? said("ok", "shape_fits", { run, mode, at, result: receipt.predicate.result })
    : said("refused", "shape_contradicts", { field });
}

/** In the default file name, the run id is part of the name. */
const NAMED_BY_RUN = new RegExp(String.raw`-report-(${RUN_ID})\.receipt\.json$`);

function contradiction({ subject, predicate }: Receipt, path: string): string | undefined {
  const { run_id: runId, base, protected: files, commands, room } = predicate.agentForeman;
  const named = new Map(predicate.configuration.map(({ name, digest }) => [name, digest.sha256]));
  const lastTree = commands.findLast(({ tree }) => tree !== null)?.tree;
  const steps = new Set(commands.map(({ step }) => step));
  const wrong: readonly (readonly [field: string, isWrong: boolean])[] = [
    ["run_id", (NAMED_BY_RUN.exec(path)?.[1] ?? runId) !== runId],
    ["predicate.result", predicate.result !== resultOf(room.weak, commands)],
    [
      "predicate.configuration",
      named.get("protected files") !== files.sha256 || named.get("base") !== base.tree,
    ],
    ["commands.exit_code", commands.some((command) => command.exit_code !== 0)],
    ["commands.tests.failed", commands.some(({ tests }) => (tests?.failed ?? 0) > 0)],
    ["commands.own.exit_code", commands.some(({ own }) => own !== null && own.exit_code !== 0)],
    ["predicate.passedTests", commands.length === 0 && (predicate.passedTests ?? []).length > 0],
    // The last of several steps may have had nothing to run.
    ["commands.tree", steps.size === 1 && steps.has(null) && lastTree !== subject[0]?.digest.sha256],
  ];
  return wrong.find(([, isWrong]) => isWrong)?.[0];
}

function wordsOf({ code, about }: Seen, texts: VerifyTexts): string {
  return texts.seen[code](about);
}

function linesOf(seen: Seen, texts: VerifyTexts): readonly Line[] {
  const { sign, ...tone } = SIGNS[seen.level];
  const label = padToWidth(texts.check[seen.check], 7);
  return [
    { text: `${sign} ${label}  ${wordsOf(seen, texts)}`, ...tone },
    ...(seen.lines ?? []).map((text) => ({ lead: " ".repeat(11), text, mayBeCut: true })),
  ];
}

function jsonOf({ subject, predicate }: Receipt, path: string, all: readonly Seen[]): object {
  return {
    holds: all.every(({ level }) => level !== "refused"),
    receipt: path,
    run_id: predicate.agentForeman.run_id,
    tree: subject[0]?.digest.sha256,
    seen: all,
  };
}
