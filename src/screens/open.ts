import type { Lang } from "../core/settings.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { besideReporter, quietReporter } from "./at-the-end.ts";
import { systemClock, type Clock } from "./clock.ts";
import { JsonReporter } from "./json.ts";
import { LiveReporter } from "./live.ts";
import { OutputLines } from "../ui/output-lines.ts";
import { ignoreWriteErrors, Page } from "../ui/page.ts";
import { PlainReporter } from "./plain.ts";
import type { Reporter } from "../engine/reporter.ts";
import { isTerminal, wantsColor } from "./terminal.ts";

export interface ReporterOptions {
  readonly runId: string;
  readonly lang: Lang;
  /** quiet: only the final summary; live: an agent has the terminal until the end. */
  readonly mode: "auto" | "quiet" | "json" | "live";
  /** Shows what the agent writes while it writes it. */
  readonly verbose: boolean;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  /** Redacts live output. All other output is redacted before. */
  readonly redact: (line: string) => string;
}

export function openReporter(options: ReporterOptions, clock: Clock = systemClock): Reporter {
  const { stdout, stderr, env } = options;
  const output = options.verbose ? new OutputLines(options.redact) : undefined;
  ignoreWriteErrors(stdout);
  ignoreWriteErrors(stderr);
  const texts = terminalTexts[options.lang];
  const pageOf = (stream: NodeJS.WriteStream, terminal: boolean): Page =>
    new Page(stream, { terminal, color: wantsColor(env, terminal) });
  const stdoutIsTerminal = isTerminal(stdout, env);
  const stderrIsTerminal = isTerminal(stderr, env);

  if (options.mode === "json")
    return new JsonReporter(stdout, options.runId, options.verbose ? options.redact : undefined);
  if (options.mode === "live") return besideReporter(pageOf(stderr, stderrIsTerminal), texts);
  if (options.mode === "quiet") return quietReporter(pageOf(stdout, stdoutIsTerminal), texts);
  if (!stderrIsTerminal)
    return new PlainReporter(pageOf(stdout, false), pageOf(stderr, false), texts, output, clock);
  return new LiveReporter({
    page: pageOf(stdout, stdoutIsTerminal),
    historyIsPiped: !stdoutIsTerminal,
    terminal: stderr,
    color: wantsColor(env, true),
    texts,
    output,
    clock,
  });
}
