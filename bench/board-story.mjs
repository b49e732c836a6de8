// The script of a long orchestration: 12 milestones with five tasks each and a review at the end, 312 iterations in all. Each task has a
// failing test, work that fails, work that passes, and two more rounds.
const MILESTONES = 12;
const TASKS = 5;

export const commandOf = (id) => `test -f src/${id}`;

/** The initial plan and, for each iteration, MAIN's answer, the shell script of the role it calls, and the command to run. */
export function boardStory() {
  const tasks = Array.from({ length: MILESTONES * TASKS }, (_, at) => ({
    id: `M${Math.floor(at / TASKS) + 1}-T${(at % TASKS) + 1}`,
    status: "TODO",
    evidence: "none",
  }));
  const move = (task, status, evidence) => Object.assign(task, { status, evidence });
  const first = planText(tasks);
  const iterations = [];
  let before = first;
  const add = (role, about, detail, does) => {
    const iteration = iterations.length + 1;
    const plan = planText(tasks);
    const ids = about.map(({ id }) => id);
    const main = answer(iteration, role, ids, detail, plan === before ? null : plan);
    iterations.push({ main, does: does.join("; "), commands: ids.map(commandOf) });
    before = plan;
    return iteration;
  };
  for (let at = 0; at < tasks.length; at += TASKS) {
    const milestone = tasks.slice(at, at + TASKS);
    for (const task of milestone) {
      const ran = `echo 'Test commands: \`${commandOf(task.id)}\`'`;
      const tested = ["Conclusion: PASS", "Test files: test/all.sh", "Coverage: 1"].map(
        (line) => `echo '${line}'`,
      );
      move(task, "DOING", "none");
      add("TEST", [task], "a test", [...tested, ran]);
      add("DEV", [task], "a first try", ["echo 'Self-test: FAIL'", ran]);
      add("DEV", [task], "a second try", [`: > src/${task.id}`, "echo 'Self-test: PASS'", ran]);
      add("DEV", [task], "more of it", ["echo 'Self-test: PASS'", ran]);
      const last = add("DEV", [task], "the rest", ["echo 'Self-test: PASS'", ran]);
      move(task, "DONE", `DEV Iteration ${last}: all commands green`);
    }
    const looked = milestone.map(({ id }) => `echo '- ${id}: looked at, as it should be'`);
    const review = add("REVIEW", milestone, "a review", ["echo 'Conclusion: PASS'", ...looked]);
    for (const task of milestone) move(task, "VERIFIED", `REVIEW Iteration ${review}: PASS`);
  }
  return { plan: first, iterations };
}

function planText(tasks) {
  const lines = tasks.flatMap(({ id, status, evidence }, at) => [
    ...(at % TASKS === 0 ? ["", `## M${at / TASKS + 1}: part ${at / TASKS + 1}`] : []),
    ...["", `### ${id}: make the file of ${id}`, `- status: ${status}`],
    ...[`- acceptance: \`${commandOf(id)}\` → exit 0`, `- evidence: ${evidence}`],
  ]);
  return `# Dev plan\n${lines.join("\n")}\n`;
}

function answer(iteration, role, ids, detail, plan) {
  const history = [
    `## Iteration ${iteration}:`,
    `next_agent: ${role}`,
    `reason: ${detail} is what ${ids[0]} needs, by the report of the iteration before`,
    `dev_plan: ${plan === null ? "no change" : `${ids[0]} and the task before it moved`}`,
  ];
  return JSON.stringify({
    next_agent: role,
    reason: `${detail} is next`,
    history_append: history.join("\n"),
    task: orderText(iteration, role, ids, detail),
    dev_plan_next: plan,
  });
}

function orderText(iteration, role, ids, detail) {
  const own = { TEST: [], DEV: ["self_test: enabled"], REVIEW: ["review_mode: milestone"] }[role];
  const asked = ["## Test requirements", "1. it is there", "", "## Code under test", `- src/${ids[0]}`, ""];
  return [
    ...[`# Current Task (Iteration ${iteration})`, `assigned_agent: ${role}`, ...own, ""],
    ...["## Goal", `${detail}: ${ids.join(", ")}`, "", ...(role === "TEST" ? asked : [])],
    ...["## Acceptance", ...ids.map((id, at) => `${at + 1}. \`${commandOf(id)}\` → exit 0`), ""],
  ].join("\n");
}
