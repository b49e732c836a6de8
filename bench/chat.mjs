// Measures what `chat` adds: outside a terminal to the commands of a round, and inside one to agent and person.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ms, time, timeInTurns, x } from "./measure.mjs";
import { keyLatency, outputSpeed } from "./terminal.mjs";

const AGENT = `[ "$GA_ROLE" = worker ] && echo done || echo not yet`;
const CONFIG = `chat: { agent: a }\nprofiles:\n  a:\n    extends: command\n    command: ${JSON.stringify(AGENT)}\n`;
const LOOP =
  'for ((i = 0; i < $1; i++)); do GA_ROLE=worker sh -c "$2" >out 2>err; sh -c true >check 2>&1; sh -c "$2" >out 2>err; done';

export async function chatRows(cli, root, quick) {
  return [...roundRows(cli, root, quick), ...(await terminalRows(quick))];
}

function roundRows(cli, root, quick) {
  const [few, many] = [10, quick ? 30 : 100];
  const short = roundTimes(cli, root, few, quick ? 1 : 5);
  const long = roundTimes(cli, root, many, quick ? 1 : 3);
  return [
    [
      `overhead per round (chat --print, ${few} rounds)`,
      ms(short.run - short.bash),
      `bash loop: ${ms(short.bash)}`,
      x(short.run / short.bash),
      "listed",
    ],
    [
      `overhead per round (chat --print, ${many} rounds)`,
      ms(long.run - long.bash),
      `bash loop: ${ms(long.bash)}`,
      x((long.run - long.bash) / (short.run - short.bash)),
      `<= 1.5 x the time at ${few}`,
    ],
  ];
}

async function terminalRows(quick) {
  const keys = await keyLatency(quick ? 200 : 2000);
  const speed = await outputSpeed(quick ? 20e6 : 50e6);
  const rate = (value) => `${value.toFixed(0)} MB/s`;
  return [
    [
      "key to echo (chat --supervisor)",
      ms(keys.withUs),
      `the agent's pty alone: ${ms(keys.direct)}; a plain relay: ${ms(keys.relay)}`,
      `${ms(keys.withUs - keys.direct)} added`,
      "<= 2 ms added",
    ],
    [
      "terminal output (chat --supervisor)",
      rate(speed.withUs),
      `a plain relay: ${rate(speed.relay)}; the agent's pty alone: ${rate(speed.direct)}`,
      `${x(speed.withUs / speed.relay)}; ${x(speed.withUs / speed.direct)}`,
      ">= 0.8 x a plain relay",
    ],
  ];
}

/**
 * Milliseconds per round, for the whole program without its start and for the same commands in a bash loop. The agent is one line that works
 * and reviews; the check does nothing.
 */
function roundTimes(cli, root, reviews, measurements) {
  const project = join(root, `${reviews}-reviews`);
  const state = join(root, "chat-state");
  const options = { cwd: project, env: { ...process.env, AGENT_FOREMAN_HOME: state, HOME: root } };
  mkdirSync(project);
  time("git", ["init", "--quiet"], options);
  writeFileSync(join(project, "agent-foreman.yaml"), CONFIG);
  writeFileSync(join(project, "SUPERVISOR.md"), "Believe nothing.\n");
  const chat = (count) => {
    const flags = ["--check", "true", "--max-reviews", String(count), "--no-clean-room", "--quiet"];
    const args = [cli, "chat", "--print", "t", ...flags];
    const took = time(process.execPath, args, { ...options, expect: 1 });
    rmSync(state, { recursive: true });
    return took;
  };
  const times = timeInTurns(measurements, {
    one: () => chat(1),
    run: () => chat(reviews),
    bash: () => time("bash", ["-c", LOOP, "-", String(reviews), AGENT], options) / reviews,
  });
  rmSync(project, { recursive: true });
  return { run: (times.run - times.one) / (reviews - 1), bash: times.bash };
}
