// Measures the cost of the clean room, in a repository with 10,000 files and 30,000 ignored ones.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { loadSource } from "./load.mjs";
import { median, ms, time, timeInTurns, x } from "./measure.mjs";

const FOLDERS = 100;
const FILES = 10_000;
const IGNORED = 30_000;
const TEST = `require("node:test").test("works", () => {});\n`;
const TEST_COMMAND = "node --test test/";
/** A shell library for the agent to change, and a test that sources it and reports with its exit code only. */
const SHELL_TEST = '. ./src/0/add.sh; [ "$(add 2 3)" = 5 ]\n';
const SHELL_LIBRARY = "add() { echo $(($1 + $2)); }\n";
const SHELL_COMMAND = "sh test/add.sh";

/** An agent that edits one file or does nothing, then says DONE. */
const agentOf = (work) =>
  `case $GA_LOOP_INDEX in 1) ${work}; say=NEEDS_WORK ;; 2) say=NEEDS_WORK ;; *) say=DONE ;; esac; echo "GA_STATUS=$say"; echo GA_EVIDENCE=x`;

export async function roomRows(cli, root, quick) {
  const project = join(root, "large");
  const options = {
    cwd: project,
    env: { ...process.env, AGENT_FOREMAN_HOME: join(root, "room-state"), HOME: root },
  };
  writeProject(project, options);
  try {
    return [
      ...(await hashRows(project, quick ? 3 : 9)),
      ...checkRows(cli, options, quick ? 1 : 7),
      ...smallRows(cli, root, quick ? 3 : 9),
      ...priceRows(cli, root, quick ? 1 : 5),
    ];
  } finally {
    for (const dir of [project, options.env.AGENT_FOREMAN_HOME]) rmSync(dir, { recursive: true });
  }
}

function writeProject(project, options) {
  const line = "exports.value = 1; // a code line of average length\n";
  const fill = (folder, count, parts, lines) => {
    for (let part = 0; part < parts; part++) {
      const dir = join(project, folder, String(part));
      mkdirSync(dir, { recursive: true });
      for (let at = 0; at < count / parts; at++)
        writeFileSync(join(dir, `${at}.js`), `// ${folder} ${part} ${at}\n${line.repeat(lines)}`);
    }
  };
  fill("src", FILES, FOLDERS, 36);
  fill("node_modules", IGNORED, FOLDERS * 3, 1);
  mkdirSync(join(project, "test"));
  writeFileSync(join(project, "test", "works.test.js"), TEST);
  writeFileSync(join(project, "test", "add.sh"), SHELL_TEST);
  writeFileSync(join(project, "src", "0", "add.sh"), SHELL_LIBRARY);
  writeFileSync(join(project, "plan.md"), "plan\n");
  writeFileSync(join(project, ".gitignore"), "node_modules/\n");
  commitAll(options);
}

function commitAll(options) {
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  for (const args of [["init"], ["add", "--all"], [...author, "commit", "--message", "Start"]])
    time("git", [...args, ...(args.includes("add") ? [] : ["--quiet"])], options);
}

/** Reads and hashes all files, first without and then with remembered stamps. */
async function hashRows(project, rounds) {
  const { WorkTree } = await loadSource("src/platform/git/tree.ts");
  const files = filesBelow(project);
  const times = { first: [], again: [], read: [] };
  const timed = (name, work) => {
    const start = performance.now();
    work();
    times[name].push(performance.now() - start);
  };
  for (let round = 0; round < rounds; round++) {
    const tree = new WorkTree(project);
    timed("read", () => files.forEach((path) => readFileSync(path)));
    timed("first", () => tree.snapshot()?.sha256);
    timed("again", () => tree.snapshot()?.sha256);
  }
  const [first, again, read] = [median(times.first), median(times.again), median(times.read)];
  const floor = `reading all files: ${ms(read)}`;
  return [
    [`hashing a tree of ${FILES} files`, ms(first), floor, x(first / read), "<= 250 ms"],
    ["the same, nothing changed", ms(again), floor, x(again / read), "listed"],
  ];
}

function filesBelow(project) {
  return ["src", "test"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
}

/** Takes the times of a three-round run from its journal, without the time of the tests. */
function checkRows(cli, options, rounds) {
  const seen = { base: [], nothing: [], accepted: [], fast: [], full: [], marked: [], shell: [] };
  for (let round = 0; round < rounds; round++) {
    seen.fast.push(time("sh", ["-c", "true"], options));
    seen.full.push(time("sh", ["-c", TEST_COMMAND], options));
    seen.shell.push(time("sh", ["-c", SHELL_COMMAND], options));
    const made = 'echo "exports.made = 1;" > src/0/made.js';
    const spans = spansOf(run(cli, options, made, TEST_COMMAND));
    for (const [name, span] of Object.entries(spans)) seen[name].push(span);
    seen.marked.push(spansOf(run(cli, options, 'echo "# made" >> src/0/add.sh', SHELL_COMMAND)).accepted);
  }
  const medians = Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
  const { base, nothing, accepted, fast, full, marked, shell } = medians;
  const tests = fast + full;
  const inTree = `the tests in the tree: ${ms(tests)}`;
  return [
    ["clean room: before the first turn", ms(base - tests), inTree, x(base / tests), "listed"],
    [
      "clean room: overhead of an acceptance",
      ms(accepted - tests),
      inTree,
      x(accepted / tests),
      "<= 500 ms added",
    ],
    [
      "clean room: the same, with an exit marker",
      ms(marked - fast - shell),
      `the tests in the tree: ${ms(fast + shell)}`,
      x(marked / (fast + shell)),
      "listed",
    ],
    [
      "clean room: overhead of a round without changes",
      ms(nothing - fast),
      `the fast test in the tree: ${ms(fast)}`,
      x(nothing / fast),
      "<= 150 ms added",
    ],
  ];
}

const ROUNDS = 20;
const FAST_AGENT = "echo GA_STATUS=NEEDS_WORK; echo GA_EVIDENCE=x";

/** In a small repository with a known base: the overhead per round, and the delay until the first agent starts. */
function smallRows(cli, root, times) {
  const project = join(root, "few");
  const options = {
    cwd: project,
    env: { ...process.env, AGENT_FOREMAN_HOME: join(root, "few-state"), HOME: root },
  };
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "src", "add.js"), "exports.add = (a, b) => a + b;\n");
  writeFileSync(join(project, "plan.md"), "plan\n");
  commitAll(options);
  const words = (loops) => [
    ...superviseFlags(FAST_AGENT, loops),
    "--test-fast",
    "true",
    "--test-full",
    "true",
  ];
  const supervise = (loops) => {
    const spent = time(process.execPath, [cli, "supervise", ...words(loops)], { ...options, expect: 1 });
    removeReports(project);
    return spent;
  };
  const untilAgent = () => {
    const startedAt = Date.now();
    supervise(1);
    return (
      Date.parse(newestJournal(options).find(({ event }) => event.type === "turn_started").at) - startedAt
    );
  };
  const both = `sh -c "$1" >out 2>err; sh -c true >fast 2>&1`;
  const loop = ["-c", `for ((i = 0; i < ${ROUNDS}; i++)); do ${both}; done`, "-", FAST_AGENT];
  supervise(1);
  const { one, many, bash, agent, node } = timeInTurns(times, {
    one: () => supervise(1),
    many: () => supervise(ROUNDS),
    bash: () => time("bash", loop, { ...options, cwd: root }) / ROUNDS,
    agent: untilAgent,
    node: () => time(process.execPath, ["-e", "0"]),
  });
  for (const dir of [project, options.env.AGENT_FOREMAN_HOME]) rmSync(dir, { recursive: true });
  const round = (many - one) / (ROUNDS - 1);
  return [
    [
      "clean room: overhead per round, small repository",
      ms(round - bash),
      `bash loop: ${ms(bash)}`,
      x(round / bash),
      "<= 25 ms added",
    ],
    [
      "clean room: start to first agent, small repository",
      ms(agent),
      `node -e 0: ${ms(node)}`,
      x(agent / node),
      "<= 200 ms",
    ],
  ];
}

/** Tests as slow as those of a small project. */
const PLAIN_TEST = `require("node:test").test("works", () => {
  const end = Date.now() + 2000;
  while (Date.now() < end) require("../src/add.js").add(1, 2);
});
`;

/** Time from start to acceptance when an agent changed the product only, or a test as well. */
function priceRows(cli, root, rounds) {
  const project = join(root, "small");
  const options = {
    cwd: project,
    env: { ...process.env, AGENT_FOREMAN_HOME: join(root, "price-state"), HOME: root },
  };
  for (const folder of ["src", "test"]) mkdirSync(join(project, folder), { recursive: true });
  const product = join(project, "src", "add.js");
  const reset = () => {
    writeFileSync(product, "exports.add = (a, b) => a + b;\n");
    writeFileSync(join(project, "test", "works.test.js"), PLAIN_TEST);
  };
  reset();
  writeFileSync(join(project, "plan.md"), "plan\n");
  commitAll(options);
  const agentThat = (works) => `${works}; echo GA_STATUS=DONE; echo GA_EVIDENCE=x`;
  const PRODUCT = 'echo "// seen" >> src/add.js';
  const tests = ["--test-fast", TEST_COMMAND, "--test-full", TEST_COMMAND];
  const accepted = (works) => {
    reset();
    const words = [...superviseFlags(agentThat(works), 1), ...tests];
    const spent = time(process.execPath, [cli, "supervise", ...words], options);
    removeReports(project);
    return spent;
  };
  const { plain, first, again, edited } = timeInTurns(rounds, {
    plain: () => time("sh", ["-c", TEST_COMMAND], options),
    first: () => {
      rmSync(options.env.AGENT_FOREMAN_HOME, { recursive: true, force: true });
      return accepted(PRODUCT);
    },
    again: () => accepted(PRODUCT),
    edited: () => accepted(`${PRODUCT}; sed -i 's/^});/  \\n});/' test/works.test.js`),
  });
  for (const dir of [project, options.env.AGENT_FOREMAN_HOME]) rmSync(dir, { recursive: true });
  const inTree = `the tests in the tree: ${ms(plain)}`;
  return [
    ["product changed, base untested", ms(first), inTree, x(first / plain), "<= 2.3 x"],
    ["product changed, base tested by an earlier run", ms(again), inTree, x(again / plain), "<= 1.3 x"],
    ["product and a test changed, base tested", ms(edited), inTree, x(edited / plain), "<= 3.3 x"],
  ];
}

function superviseFlags(agent, loops) {
  const task = ["--task", "t", "--plan-file", "plan.md", "--quiet"];
  return [...task, "--max-loops", String(loops), "--on-stuck", "continue", "--agent-cmd", agent];
}

function run(cli, options, work, command) {
  rmSync(join(options.cwd, "src", "0", "made.js"), { force: true });
  writeFileSync(join(options.cwd, "src", "0", "add.sh"), SHELL_LIBRARY);
  rmSync(options.env.AGENT_FOREMAN_HOME, { recursive: true, force: true });
  const tests = ["--test-fast", "true", "--test-full", command];
  time(process.execPath, [cli, "supervise", ...superviseFlags(agentOf(work), 3), ...tests], options);
  removeReports(options.cwd);
  return newestJournal(options);
}

function newestJournal({ env }) {
  const runs = join(env.AGENT_FOREMAN_HOME, "runs");
  const journals = readdirSync(runs).map((id) => join(runs, id, "journal.jsonl"));
  const records = journals.map((path) =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  return records.toSorted((one, other) => (one[0].at < other[0].at ? 1 : -1))[0];
}

function removeReports(project) {
  for (const name of readdirSync(project)) if (name.startsWith("goldagent-")) rmSync(join(project, name));
}

function spansOf(records) {
  const at = (type, attempt) => {
    const found = records.find(
      ({ event }) => event.type === type && (attempt ?? event.attempt) === event.attempt,
    );
    if (!found) throw new Error(`the journal has no ${type} ${attempt ?? ""}`);
    return Date.parse(found.at);
  };
  const between = (from, to, attempt) => at(to, attempt) - at(from, attempt);
  return {
    base: at("turn_started", 1) - at("run_started"),
    nothing: between("turn_ended", "attempt_judged", 2),
    accepted: between("turn_ended", "attempt_judged", 3),
  };
}
