import { expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

test("passes a command, the task and the paths to the shell unchanged", async () => {
  const rig = new Rig();
  const task = `it's "quoted" \\ $HOME \`id\` $nl\n\n第二行\t!`;
  // Line ends, quotes, a comment and a here-document, as in a script.
  const agent = `# a comment
cat <<'END' > here.txt
$nl '"' \\n
END
printf '%s' "$GA_TASK" > "task it's.txt" # another
agent done`;
  const { code } = await rig.supervise({ agent, task });
  expect(code).toBe(0);
  expect(rig.read("task it's.txt")).toBe(task);
  expect(rig.read("here.txt")).toBe(`$nl '"' \\n\n`);
});

test("an agent cannot reach the shell that starts commands, nor forge exit codes", async () => {
  const rig = new Rig();
  const agent = `for fd in /proc/[0-9]*/fd/3; do echo 0 > "$fd"; done 2>/dev/null
ps ax -o args= > seen.txt
agent done`;
  const { report } = await rig.supervise({ agent, fast: ["exit 7"], loops: 2 });
  expect(report.attempts.map((attempt) => attempt.tests.map((check) => check.exit_code))).toEqual([[7], [7]]);
  expect(report.attempts.map((attempt) => attempt.agent_exit_code)).toEqual([0, 0]);
  expect(rig.read("seen.txt")).not.toContain("read -r order");
});

test("after a command that had to be killed the next one runs as usual", async () => {
  const rig = new Rig();
  const agent = `[ "$GA_LOOP_INDEX" = 2 ] || { trap '' TERM; kill -9 0; }; agent done`;
  const { report } = await rig.supervise({ agent, loops: 2 });
  expect(report.attempts.map((attempt) => attempt.decision)).toEqual(["rejected", "accepted"]);
  expect(report.attempts[0]?.reasons).toContain("agent_exit_nonzero");
  expect(rig.survivors()).toEqual([]);
});

test("a work directory that is gone is an error of the command, and costs the attempt", async () => {
  const rig = new Rig();
  rig.write("work/keep", "");
  // In a clean room, creating the room would fail instead.
  const { report } = await rig.supervise(
    { agent: 'rm -rf "$GA_WORKDIR"; agent done', loops: 2, more: ["--cwd", "work"] },
    { cleanRoom: false },
  );
  expect(report.attempts.map((attempt) => attempt.reasons)).toEqual([
    ["fast_test_failed", "test_execution_error"],
    ["agent_execution_error", "missing_or_invalid_status_marker", "fast_test_failed", "test_execution_error"],
  ]);
});
