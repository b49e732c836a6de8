/*
 * How agent-foreman is run through the gauntlet. Another tool is a module like this one, given by `--tool PATH`; its default export
 * is an object with
 *
 *   name                 how the table calls it
 *   shell?               the command, quoted for a shell, by which an agent could call the tool itself (`@TOOL@` in a case's texts)
 *   command(place, one)  how it is started for a case: { argv, env }. `env` is added to the scrubbed environment of the case
 *   verdict(place, ended) what came of it: { accepted, reasons, rounds, broken }
 *
 * `one` is the case (case.mjs says what it holds), with `@CASE@` and `@TOOL@` already put in. `place` is where it lies, absolute paths:
 *   dir      the directory of the case, project the repository (or folder), cwd the folder in which the tool has to work
 *   agent    the agent's executable: to be started once a round with cwd as its directory and the `GA_` variables of the protocol,
 *            of which a case uses GA_LOOP_INDEX (1, 2, … the round) and GA_TASK; some that attack agent-foreman's own files use more
 *   home, state, side, plan (a file in cwd), report (where a report may go), stdout and stderr (files with the tool's own output)
 * `ended` is { code, signal }. A tool that does not know the markers takes the agent's exit and its own evidence; it must then count
 * DONE lines as nothing, or wrap the agent.
 *
 *   accepted  whether a caller, say a pipeline, would take the work as done: of most tools whether it exits with 0
 *   reasons   the reasons of the last round in agent-foreman's words, or null: not compared
 *   rounds    how often the agent was started, or null: not known
 *   broken    a sentence if the tool did not come to a verdict at all (it crashed, it refused its input), else null
 */
import fs from "node:fs";
import path from "node:path";

const cli = process.env.GAUNTLET_CLI ?? path.join(import.meta.dirname, "..", "dist", "cli.cjs");
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// What a caller can go on with: accepted, rejected, waits for a person, budget, state. Everything else is no verdict.
const VERDICTS = new Set([0, 1, 3, 4, 6]);

export default {
  name: "agent-foreman",
  shell: `${quoted(process.execPath)} ${quoted(cli)}`,

  command(place, one) {
    const tests = (flag, commands) => commands.flatMap((command) => [flag, command]);
    return {
      argv: [
        process.execPath,
        cli,
        "supervise",
        ...["--lang", "en", "--task", one.task, "--plan-file", place.plan, "--report", place.report],
        ...["--agent-cmd", quoted(place.agent), "--max-loops", String(one.loops)],
        ...tests("--test-fast", one.fast),
        ...tests("--test-full", one.full),
        ...one.flags,
      ],
      env: { AGENT_FOREMAN_HOME: place.state },
    };
  },

  verdict(place, { code, signal }) {
    const accepted = code === 0;
    const report = readReport(place.report);
    const attempts = Array.isArray(report?.attempts) ? report.attempts : [];
    const reasons = attempts.at(-1)?.reasons ?? [];
    return { accepted, reasons, rounds: attempts.length, broken: broken({ code, signal, accepted, report }) };
  },
};

function broken({ code, signal, accepted, report }) {
  if (signal) return `ended by ${signal}`;
  const isUnstarted = code === 5 && report?.end_reason === "agent_cannot_start";
  if (!VERDICTS.has(code) && !isUnstarted) return `exit code ${code}`;
  // Whoever reads the report must come to the same end as whoever looks at the exit code.
  if (report && (report.final_status === "passed") !== accepted)
    return `exit code ${code}, but the report says ${report.final_status}`;
  if (accepted && !report) return "accepted without a report";
  return null;
}

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
