/*
 * Runs agent-foreman in the gauntlet. `--tool PATH` names such a module for another tool. Its default export is an object with
 *
 *   name                 its name in the table
 *   shell?               the command, quoted for a shell, with which an agent could call the tool (`@TOOL@` in a case's texts)
 *   command(place, one)  its start for a case: { argv, env }. `env` is added to the clean environment of the case
 *   verdict(place, ended) its result: { accepted, reasons, rounds, broken }
 *
 * `one` is the case (see case.mjs), with `@CASE@` and `@TOOL@` already replaced. `place` has its absolute paths:
 *   dir      the directory of the case, project the repository (or folder), cwd the folder in which the tool has to work
 *   agent    the agent's executable: start it once per round in cwd and the `GA_` variables of the protocol,
 *            of which a case uses GA_LOOP_INDEX (1, 2, … the round) and GA_TASK; some that attack agent-foreman's own files use more
 *   home, state, side, plan (a file in cwd), report (the path for a report), stdout and stderr (files with the tool's own output)
 * `ended` is { code, signal }. A tool without support for the markers judges by the agent's exit code and its own evidence.
 * It must ignore DONE lines, or wrap the agent.
 *
 *   accepted  whether a caller such as a pipeline would accept the work; for most tools: exit code 0
 *   reasons   the reasons of the last round in agent-foreman's words, or null: not compared
 *   rounds    the number of agent starts, or null: unknown
 *   broken    a sentence if the tool reached no verdict (it crashed, it refused its input), else null
 */
import fs from "node:fs";
import path from "node:path";

const cli = process.env.GAUNTLET_CLI ?? path.join(import.meta.dirname, "..", "dist", "cli.cjs");
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// Exit codes that are a verdict: accepted, rejected, waits for a person, budget, state.
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
  // The report and the exit code must agree.
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
