// npm run bench [-- --quick]: measures the foreman's cost. Each figure is a ratio to a floor from the same run.
import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { adapterSpeeds, goodTurn } from "./adapters.mjs";
import { iterationTimes, promptBytes } from "./board.mjs";
import { chatRows } from "./chat.mjs";
import { failureRows } from "./failures.mjs";
import { ms, time, timeAndPeak, timeInTurns, x } from "./measure.mjs";
import { roomRows } from "./room.mjs";
import { stepTimes } from "./steps.mjs";

const quick = process.argv.includes("--quick");
const cli = join(import.meta.dirname, "..", "dist", "cli.cjs");
const root = mkdtempSync(join(tmpdir(), "foreman-bench-"));
const project = join(root, "project");
const env = { ...process.env, AGENT_FOREMAN_HOME: join(root, "state"), HOME: root };
mkdirSync(project);
writeFileSync(join(project, "plan.md"), "plan\n");

const rows = [];
const row = (what, measured, floor, ratio, goal) => rows.push([what, measured, floor, ratio, goal]);

const AGENT = "echo GA_STATUS=NEEDS_WORK; echo GA_EVIDENCE=x";
const superviseArgs = (agent, loops) => [
  cli,
  ...["supervise", "--no-clean-room", "--task", "t", "--plan-file", "plan.md", "--quiet"],
  // The agent does the same in every round.
  ...["--max-loops", String(loops), "--on-stuck", "continue"],
  ...["--agent-cmd", agent, "--test-fast", "true", "--test-full", "true"],
];
const supervise = (loops) =>
  time(process.execPath, superviseArgs(AGENT, loops), { cwd: project, env, expect: 1 });
const bashLoop = (loops) =>
  time(
    "bash",
    [
      "-c",
      'for ((i = 0; i < $1; i++)); do sh -c "$2" >out 2>err; sh -c true >fast 2>&1; done',
      "-",
      String(loops),
      AGENT,
    ],
    {
      cwd: project,
      env,
    },
  );

function startUp() {
  const { node, version } = timeInTurns(quick ? 10 : 40, {
    node: () => time(process.execPath, ["-e", "0"]),
    version: () => time(process.execPath, [cli, "--version"]),
  });
  row("start-up: --version", ms(version), `node -e 0: ${ms(node)}`, x(version / node), "<= 1.4 x");
}

function rounds() {
  const few = 20;
  const many = quick ? 100 : 2000;
  const cost = (times, loops) => (times.run - times.one) / (loops - 1);
  const short = timeInTurns(quick ? 3 : 9, {
    one: () => supervise(1),
    run: () => supervise(few),
    bash: () => bashLoop(few) / few,
  });
  const long = timeInTurns(1, { run: () => supervise(many), bash: () => bashLoop(many) / many });
  const perShort = cost(short, few);
  const perLong = cost({ ...long, one: short.one }, many);
  row(
    `overhead per round (${few} rounds)`,
    ms(perShort - short.bash),
    `bash loop: ${ms(short.bash)}`,
    x(perShort / short.bash),
    "<= 8 ms added",
  );
  row(
    `overhead per round (${many} rounds)`,
    ms(perLong - long.bash),
    `bash loop: ${ms(long.bash)}`,
    x(perLong / perShort),
    `<= 1.2 x the cost at ${few}`,
  );
  resumeOf(many);
}

/** The overhead of `run` for each step. A step has a working agent, a unit test and a review. */
function steps() {
  const [few, many] = [10, quick ? 60 : 1000];
  const short = stepTimes(cli, root, { steps: few, rounds: quick ? 3 : 9 });
  const long = stepTimes(cli, root, { steps: many, rounds: 1 });
  row(
    `overhead per step (run, ${few} steps)`,
    ms(short.run - short.bash),
    `bash loop: ${ms(short.bash)}`,
    x(short.run / short.bash),
    "listed",
  );
  row(
    `overhead per step (run, ${many} steps)`,
    ms(long.run - long.bash),
    `bash loop: ${ms(long.bash)}`,
    x((long.run - long.bash) / (short.run - short.bash)),
    `<= 2 x the time at ${few}`,
  );
}

/** The overhead of `orchestrate` for each iteration, and the size of MAIN's prompts. */
function iterations() {
  const [few, many] = [30, quick ? 90 : 300];
  const short = iterationTimes(cli, root, { iterations: few, rounds: quick ? 1 : 5 });
  const long = iterationTimes(cli, root, { iterations: many, rounds: quick ? 1 : 2 });
  row(
    `overhead per iteration (orchestrate, ${few} iterations)`,
    ms(short.run - short.bash),
    `bash loop: ${ms(short.bash)}`,
    x(short.run / short.bash),
    "listed",
  );
  row(
    `overhead per iteration (orchestrate, ${many} iterations)`,
    ms(long.run - long.bash),
    `bash loop: ${ms(long.bash)}`,
    x((long.run - long.bash) / (short.run - short.bash)),
    `<= 1.5 x the time at ${few}`,
  );
  const agents = { main: "an agent without sessions", claude: "a resumed session" };
  for (const [main, words] of Object.entries(agents)) {
    const [early, late] = promptBytes(cli, root, { main, at: [few, many] });
    row(
      `MAIN's prompt in iteration ${many}, ${words}`,
      `${late} bytes`,
      `in iteration ${few}: ${early} bytes`,
      x(late / early),
      "<= 1.5 x",
    );
  }
}

/** The long run has the most turns. This reads and verifies its journal and writes its report again. */
function resumeOf(loops) {
  const runs = join(root, "state", "runs");
  const sizes = readdirSync(runs).map((id) => [readdirSync(join(runs, id, "turns")).length, id]);
  const [, id] = sizes.toSorted((a, b) => b[0] - a[0])[0];
  const times = timeInTurns(quick ? 3 : 7, {
    node: () => time(process.execPath, ["-e", "0"]),
    resume: () => time(process.execPath, [cli, "resume", id, "--quiet"], { cwd: project, env, expect: 1 }),
  });
  row(
    `resume: verify ${loops} rounds, write the report`,
    ms(times.resume),
    `node -e 0: ${ms(times.node)}`,
    x(times.resume / times.node),
    "listed",
  );
}

/** Captures 1 GB (quick: 200 MB) of text lines, and the same amount as a single line. */
async function output() {
  const bytes = quick ? 200e6 : 1e9;
  const block = Buffer.from("an output line of average length without any marker in it\n".repeat(15_000));
  const writeBig = (path, piece) => {
    const fd = openSync(path, "w");
    for (let written = 0; written < bytes; written += piece.length)
      writeSync(fd, piece, 0, Math.min(piece.length, bytes - written));
    closeSync(fd);
  };
  for (const [name, piece] of [
    ["lines", block],
    ["one line", Buffer.alloc(1 << 20, "x")],
  ]) {
    const big = join(root, "big");
    writeBig(big, piece);
    const copy = join(root, "copy");
    const results = [];
    for (let round = 0; round < 3; round++) {
      // The floor is a copy through a pipe, because a command's output arrives through one. A plain copy is listed beside it.
      rmSync(copy, { force: true });
      const floor = time("sh", ["-c", 'cat "$1" | cat > "$2"', "-", big, copy]);
      rmSync(copy, { force: true });
      const direct = time("sh", ["-c", 'cat "$1" > "$2"', "-", big, copy]);
      rmSync(copy, { force: true });
      const run = await timeAndPeak(process.execPath, superviseArgs(`cat '${big}'`, 1), {
        cwd: project,
        env,
        expect: 1,
      });
      rmSync(join(root, "state"), { recursive: true, force: true });
      results.push({ floor, direct, ...run });
    }
    // A busy disk slows the floor and the run alike, so the best of each counts.
    const floor = Math.min(...results.map((result) => result.floor));
    const direct = Math.min(...results.map((result) => result.direct));
    const best = Math.min(...results.map((result) => result.ms));
    const peak = Math.max(...results.map((result) => result.peakMb ?? 0));
    const rate = (value) => `${(bytes / 1e6 / value).toFixed(2)} GB/s`;
    row(
      `${bytes / 1e6} MB of output, ${String(name)}`,
      `${rate(best)}, ${peak.toFixed(0)} MB RSS`,
      `piped into cat > file: ${rate(floor)}; copied by cat > file: ${rate(direct)}`,
      `${x(floor / best)}; ${x(direct / best)}`,
      ">= 0.35 x, <= 120 MB",
    );
    rmSync(big);
  }
}

async function adapters() {
  for (const { agent, speed, parsed } of await adapterSpeeds(quick ? 40e6 : 200e6))
    row(
      `adapter of ${agent}`,
      `${speed.toFixed(0)} MB/s`,
      `JSON.parse of every line: ${parsed.toFixed(0)} MB/s`,
      x(speed / parsed),
      ">= 150 MB/s",
    );
}

/** A named agent whose turn prints 1 GB (quick: 200 MB) of its own stream, through all of `supervise`; and a tenth of that. */
async function agentStream() {
  const bytes = quick ? 200e6 : 1e9;
  const bin = join(root, "bin");
  const big = join(root, "stream");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec cat '${big}'\n`, { mode: 0o755 });
  const swap = { "--agent-cmd": "--agent", x: "claude" };
  const args = superviseArgs("x", 1).map((word) => swap[word] ?? word);
  const options = { cwd: project, env: { ...env, PATH: `${bin}:${env.PATH}` }, expect: 1 };
  const supervised = async () => {
    const run = await timeAndPeak(process.execPath, args, options);
    rmSync(join(root, "state"), { recursive: true, force: true });
    return run;
  };
  writeRepeated(big, goodTurn("claude"), bytes / 10);
  const tenth = await supervised();
  writeRepeated(big, goodTurn("claude"), bytes);
  const wholes = [await supervised(), await supervised(), await supervised()];
  const whole = wholes.toSorted((one, other) => one.ms - other.ms)[0];
  const floor = time("sh", ["-c", 'cat "$1" | cat > "$2"', "-", big, join(root, "copy")]);
  const rate = (value) => `${(bytes / 1e3 / value).toFixed(0)} MB/s`;
  const mb = ({ peakMb }) => `${(peakMb ?? 0).toFixed(0)} MB RSS`;
  row(
    `${bytes / 1e6} MB of claude's stream, supervised`,
    `${rate(whole.ms)}, ${mb(whole)}`,
    `piped into cat > file: ${rate(floor)}; a tenth of it: ${mb(tenth)}`,
    `${x(floor / whole.ms)}; memory ${x((whole.peakMb ?? 0) / (tenth.peakMb ?? 1))}`,
    ">= 150 MB/s, memory <= 1.2 x",
  );
  for (const left of ["state", "copy", "stream"]) rmSync(join(root, left), { recursive: true, force: true });
}

function writeRepeated(path, piece, bytes) {
  const block = Buffer.concat(Array.from({ length: Math.ceil(1e6 / piece.length) }, () => piece));
  const fd = openSync(path, "w");
  for (let written = 0; written < bytes; written += block.length) writeSync(fd, block);
  closeSync(fd);
}

function hashing() {
  const block = Buffer.alloc(64 * 1024, "x");
  const start = performance.now();
  const hash = createHash("sha256");
  for (let index = 0; index < 4000; index++) hash.update(block);
  hash.digest();
  const seconds = (performance.now() - start) / 1000;
  row(
    "SHA-256 of 64 KiB chunks",
    `${((4000 * block.length) / 1e9 / seconds).toFixed(2)} GB/s`,
    "-",
    "-",
    "listed",
  );
}

/** Time until a second supervisor reports that the work tree is in use. */
function locking() {
  const args = superviseArgs(
    `'${process.execPath}' '${cli}' ${superviseArgs("true", 1)
      .slice(1)
      .map((word) => `'${word}'`)
      .join(" ")}`,
    1,
  );
  const times = timeInTurns(quick ? 3 : 9, {
    alone: () => time(process.execPath, superviseArgs("true", 1), { cwd: project, env, expect: 1 }),
    nested: () => time(process.execPath, args, { cwd: project, env, expect: 1 }),
  });
  row(
    "refusing a second supervisor",
    ms(times.nested - times.alone),
    `a whole run: ${ms(times.alone)}`,
    x((times.nested - times.alone) / times.alone),
    "listed",
  );
}

try {
  startUp();
  rows.push(...failureRows({ cli, root, project, env, quick }, superviseArgs));
  rounds();
  steps();
  iterations();
  rows.push(...(await chatRows(cli, root, quick)));
  rows.push(...(await roomRows(cli, root, quick)));
  locking();
  hashing();
  await adapters();
  await agentStream();
  await output();
  const lines = [["what", "measured", "floor", "ratio", "goal"], ["--", "--", "--", "--", "--"], ...rows];
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
