// Measures the cost of a `run` step in a git project. The agent is one line that works and reviews.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { time, timeInTurns } from "./measure.mjs";

const REVIEW = JSON.stringify({ verification: [{ item: 1, result: "pass", evidence: "x" }] });
const AGENT = `[ "$GA_ROLE" = worker ] && echo done || echo '${REVIEW}'`;
const CONFIG = `agents: [a]\nprofiles:\n  a:\n    extends: command\n    command: ${JSON.stringify(AGENT)}\n`;
const LOOP =
  'for ((i = 0; i < $1; i++)); do GA_ROLE=worker sh -c "$2" >out 2>err; sh -c true >unit 2>&1; sh -c "$2" >out 2>err; done';

/** Milliseconds per step, for the whole program and for the same commands in a bash loop. */
export function stepTimes(cli, root, { steps, rounds }) {
  const project = join(root, `${steps}-steps`);
  const options = {
    cwd: project,
    env: { ...process.env, AGENT_FOREMAN_HOME: join(root, "steps-state"), HOME: root },
  };
  mkdirSync(project);
  time("git", ["init", "--quiet"], options);
  writeFileSync(join(project, "agent-foreman.yaml"), CONFIG);
  const times = timeInTurns(rounds, {
    run: () => {
      writeSteps(join(project, "steps"), steps);
      const ms = time(process.execPath, [cli, "run", "--no-clean-room", "steps", "--quiet"], options);
      rmSync(options.env.AGENT_FOREMAN_HOME, { recursive: true });
      return ms / steps;
    },
    bash: () => time("bash", ["-c", LOOP, "-", String(steps), AGENT], options) / steps,
  });
  rmSync(project, { recursive: true });
  return times;
}

function writeSteps(dir, count) {
  mkdirSync(dir, { recursive: true });
  for (let number = 1; number <= count; number++) {
    const nnn = String(number).padStart(3, "0");
    const step = {
      id: `step-${nnn}`,
      description: `Do the work of step ${number}`,
      status: "🔴 待完成",
      verification: [{ type: "unit", description: "it works" }],
      unit_test: { command: "true" },
    };
    writeFileSync(join(dir, `${nnn}-step.json`), `${JSON.stringify(step, null, 2)}\n`);
  }
}
