import { runStore } from "./run-store.ts";
import picocolors from "picocolors";
import stringWidth from "fast-string-width";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { countsOf, diffsOf, keptDiff, type FileStat, type RunDiff } from "../evidence/base/run-changes.ts";
import { changeTexts } from "../evidence/words/changes.ts";
import { type RunPaths } from "../core/journal/run-store.ts";
import { padToWidth } from "../ui/format.ts";
import { isTerminal, wantsColor } from "../screens/terminal.ts";
import { BINARY } from "../platform/git/tree-diff.ts";
import type { Io } from "./io.ts";
import { changesSoFar } from "./open-run.ts";
import { whichRun } from "./which-run.ts";

/** `diff`: shows what a run changed. Git only sees copies of the files, so it cannot run anything that the tree configures. */
export async function diff(
  given: string | undefined,
  flags: { readonly stat?: boolean },
  io: Io,
): Promise<number> {
  const store = runStore(io.env);
  const runId = await whichRun(store, given, io);
  const paths = store.find(runId);
  const { state } = store.read(runId);
  const found = diffOf(state, paths);
  if (!found) throw new Failure("no_changes_kept", { runId });
  const terminal = isTerminal(io.stdout, io.env);
  if (flags.stat === true) io.stdout.write(statText(found.stats, io));
  else if (terminal) io.stdout.write(forPeople(found.bytes, wantsColor(io.env, terminal), io));
  else io.stdout.write(found.bytes);
  return ExitCode.accepted;
}

/** For a run that can go on: the changes up to now. Null: nothing to compare with. */
function diffOf(state: RunState, paths: RunPaths): RunDiff | null {
  if (state.ended) return keptDiff(state);
  const compared = changesSoFar(state, paths);
  if (!compared) return null;
  const stats: FileStat[] = [];
  const parts: Buffer[] = [];
  for (const { bytes, ...stat } of diffsOf(compared)) {
    stats.push(stat);
    parts.push(bytes);
  }
  return { stats, bytes: Buffer.concat(parts) };
}

function statText(stats: readonly FileStat[], { lang }: Io): string {
  const words = changeTexts[lang];
  const names = stats.map(({ path }) => visible(path));
  const width = Math.max(0, ...names.map((name) => stringWidth(name)));
  const lines = stats.map((stat, at) => {
    const how = stat.kind === "text" ? `+${stat.insertions} -${stat.deletions}` : words.stat[stat.kind];
    const note = stat.added ? ` (${words.stat.added})` : stat.deleted ? ` (${words.stat.deleted})` : "";
    return ` ${padToWidth(names[at] ?? "", width)} | ${how}${note}\n`;
  });
  return `${lines.join("")} ${stats.length === 0 ? words.none : words.counts(countsOf(stats))}\n`;
}

/** Adds colours; removes the encoded content of binary files and codes that could steer the terminal. */
function forPeople(bytes: Buffer, color: boolean, { lang }: Io): string {
  const colors = picocolors.createColors(color);
  const painted: string[] = [];
  let part: "header" | "hunk" | "binary" = "header";
  for (const line of bytes.toString("utf8").split("\n").slice(0, -1)) {
    const text = visible(line);
    if (line.startsWith("diff --git ")) part = "header";
    if (part === "binary") continue;
    if (line === BINARY) part = "binary";
    if (line.startsWith("@@")) part = "hunk";
    if (line === BINARY) painted.push(colors.dim(changeTexts[lang].stat.binary));
    else if (part === "header") painted.push(colors.bold(text));
    else if (line.startsWith("@@")) painted.push(colors.cyan(text));
    else if (line.startsWith("+")) painted.push(colors.green(text));
    else if (line.startsWith("-")) painted.push(colors.red(text));
    else painted.push(text);
  }
  return painted.map((line) => `${line}\n`).join("");
}
