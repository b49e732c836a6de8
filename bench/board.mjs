// Measures the cost of an `orchestrate` iteration and the size of MAIN's prompts, early and late in a run.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardStory } from "./board-story.mjs";
import { median, time, timeInTurns } from "./measure.mjs";

const SESSION = "00000000-0000-4000-8000-000000000001";
/** Average over this many prompts, because they do not all include the same report. */
const PROMPTS = 10;

const MAIN = "cat ../says/$GA_ITERATION";
const WORKER = ". ../does/$GA_ITERATION";
const CLAUDE = `#!/bin/sh
[ "$1" = --version ] && echo "2.1.325 (Claude Code)" && exit
exec cat ../streams/$GA_ITERATION
`;
const LOOP = `for ((i = 1; i <= $1; i++)); do
  export GA_ITERATION=$i
  sh -c "$2" >out 2>err; sh -c "$3" >out 2>err
  while read -r command; do sh -c "$command" >log 2>&1; done <../checks/$i
done; true`;

/** Milliseconds per iteration: the whole program without its start, and the same commands in a bash loop. */
export function iterationTimes(cli, root, { iterations, rounds }) {
  const place = prepare(root);
  const run = (count) => orchestrate(cli, place, count, "main");
  const floor = () => {
    resetProject(place);
    return time("bash", ["-c", LOOP, "-", String(iterations), MAIN, WORKER], place.options);
  };
  const times = timeInTurns(rounds, { one: () => run(1), run: () => run(iterations), bash: floor });
  rmSync(place.dir, { recursive: true });
  return { run: (times.run - times.one) / (iterations - 1), bash: times.bash / iterations };
}

/** Bytes of MAIN's prompts up to each iteration, for an agent without sessions ("main") and one that resumes its session ("claude"). */
export function promptBytes(cli, root, { main, at }) {
  const place = prepare(root);
  orchestrate(cli, place, Math.max(...at), main);
  const runs = join(place.state, "runs");
  const run = join(runs, readdirSync(runs)[0]);
  const sizes = readFileSync(join(run, "journal.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"type":"turn_started","role":"main"'))
    .map((line) => JSON.parse(line).event.turn)
    .map((turn) => statSync(join(run, "turns", String(turn), "prompt.md")).size);
  if (sizes.length !== Math.max(...at)) throw new Error(`MAIN was asked ${sizes.length} times`);
  rmSync(place.dir, { recursive: true });
  return at.map((iteration) => median(sizes.slice(iteration - PROMPTS, iteration)));
}

function orchestrate(cli, place, iterations, main) {
  resetProject(place);
  rmSync(place.state, { recursive: true, force: true });
  const roles = { main: [main], test: ["worker"], dev: ["worker"], review: ["worker"] };
  const profiles = {
    main: { extends: "command", command: MAIN },
    worker: { extends: "command", command: WORKER },
  };
  // YAML reads JSON.
  writeFileSync(join(place.project, "agent-foreman.yaml"), JSON.stringify({ roles, profiles }));
  const flags = ["--no-clean-room", "--quiet", "--lang", "en", "--max-iterations", String(iterations)];
  const args = [cli, "orchestrate", ...flags];
  return time(process.execPath, args, { ...place.options, expect: 1 });
}

/** Creates a git project and one file per iteration with its answers and commands. */
function prepare(root) {
  const dir = join(root, "board");
  const project = join(dir, "project");
  const state = join(dir, "state");
  const env = {
    ...process.env,
    AGENT_FOREMAN_HOME: state,
    HOME: root,
    PATH: `${dir}/bin:${process.env.PATH}`,
  };
  const options = { cwd: project, env };
  for (const name of ["project", "bin", "says", "does", "checks", "streams"])
    mkdirSync(join(dir, name), { recursive: true });
  time("git", ["init", "--quiet"], options);
  writeFileSync(join(dir, "bin", "claude"), CLAUDE, { mode: 0o755 });
  const { plan, iterations } = boardStory();
  for (const [at, { main, does, commands }] of iterations.entries()) {
    const file = (name) => join(dir, name, String(at + 1));
    writeFileSync(file("says"), `${main}\n`);
    writeFileSync(file("does"), `${does}\n`);
    writeFileSync(file("checks"), commands.map((command) => `${command}\n`).join(""));
    writeFileSync(file("streams"), streamOf(main));
  }
  return { dir, project, state, options, plan };
}

function streamOf(text) {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const lines = [
    { type: "system", subtype: "init", session_id: SESSION, model: "scripted", tools: [] },
    {
      ...{ type: "result", subtype: "success", is_error: false, session_id: SESSION, result: text },
      ...{ stop_reason: "end_turn", total_cost_usd: 0, usage, permission_denials: [] },
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function resetProject({ project, plan }) {
  for (const name of ["blackboard", "src", "test"]) {
    rmSync(join(project, name), { recursive: true, force: true });
    mkdirSync(join(project, name));
  }
  for (const name of readdirSync(project).filter((one) => one.startsWith("goldagent-")))
    rmSync(join(project, name));
  writeFileSync(join(project, "test", "all.sh"), "true\n");
  writeFileSync(join(project, "blackboard", "dev_plan.md"), plan);
  writeFileSync(join(project, "blackboard", "global_context.md"), "# Context\n\nFiles are to be made.\n");
  writeFileSync(join(project, "blackboard", "project_env.json"), "{}\n");
}
