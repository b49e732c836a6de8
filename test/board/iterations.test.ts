import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MainAnswer } from "../../src/core/board/answer.ts";
import { BoardRig, straight } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, partOf, planIn, refused } from "./refusals.ts";

const DECIDED = [
  "## Iteration 2: Storage",
  "question: Which storage is to be used?",
  "option: minio",
  "description: MinIO in the cellar",
  "comment: no clouds",
].join("\n");
const CONTEXT = "# Context\n\nFiles are to be there.";
const ENVIRONMENT = '{ "node": "20", "env": { "MODE": "fast" } }';
const REPORT = "Last report, with what the foreman itself found";

/** A board with every kind of information for MAIN. */
function furnished(...tasks: readonly string[]): BoardRig {
  const rig = new BoardRig(tasks);
  rig.write(join(rig.dir, "user_decisions.md"), `${DECIDED}\n`);
  rig.write(join(rig.dir, "project_env.json"), `${ENVIRONMENT}\n`);
  rig.write("src/old.txt", "old\n");
  return rig;
}

function answersIn(rig: BoardRig, runId: string): readonly MainAnswer[] {
  return rig
    .events(runId)
    .flatMap((event) => (event.type === "main_ended" && event.answer ? [event.answer] : []));
}

/** The initial plan and the plan after each answer. */
function plansOf(rig: BoardRig, runId: string): readonly string[] {
  const [started] = rig.events(runId);
  const settings = started?.type === "run_started" ? started.settings : undefined;
  const plans = [settings?.mode === "orchestrate" ? settings.plan : ""];
  for (const { devPlanNext } of answersIn(rig, runId)) plans.push(devPlanNext ?? plans.at(-1) ?? "");
  return plans;
}

/** The content of every iteration's prompt. */
function expectInjected(rig: BoardRig, runId: string): void {
  const plans = plansOf(rig, runId);
  mainPrompts(rig).forEach((prompt, index) => {
    expect(prompt).toContain(`# Iteration ${index + 1} of at most`);
    expect(planIn(prompt)).toBe(plans[index]?.trimEnd());
    expect(partOf(prompt, "Decisions of USER")).toMatch(
      /Iteration 2: Storage\n.*Which storage is to be used\?\n.*minio: MinIO in the cellar\n.*no clouds/,
    );
  });
  expect(partOf(mainPrompts(rig)[0] ?? "", REPORT)).toContain("None yet.");
}

describe("each iteration of orchestrate", () => {
  test("B1 B3 B4 B5 B6 B8 B14 B15 B16 B17 B18 B19 B23 two milestones: MAIN's prompts and the results of its answers", async () => {
    const rig = furnished("M1-T1", "M1-T2", "M2-T1");
    rig.script(straight("M1-T1", "M1-T2", "M2-T1"));
    const { code, runId, report, stdout } = await rig.orchestrate();
    expect(code).toBe(0);

    // B6 The plan of an answer is on the board and in the next prompt.
    const plans = plansOf(rig, runId);
    expect(rig.plan()).toBe(plans.at(-1));
    expectInjected(rig, runId);
    const answers = answersIn(rig, runId);
    const histories = answers.map(({ historyAppend }) => historyAppend);
    const orders = answers.map(({ task }) => task);
    // B4, B5
    const note = "(FINISH refused; the plan was taken over)";
    const received = histories.with(8, `${histories[8]}\n${note}`);
    expect(rig.history()).toBe(`${received.join("\n\n")}\n`);
    expect(orders.slice(0, 8)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((iteration) => rig.order(iteration).trimEnd()),
    );
    expect(orders.slice(8)).toEqual([null, null]);

    // B1, B8 Only the latest report, with the foreman's own results.
    const prompts = mainPrompts(rig);
    for (let iteration = 1; iteration <= 8; iteration += 1) {
      expect(prompts[iteration]).toContain(rig.roleReport(iteration).trimEnd());
      expect(prompts[iteration]?.match(/^# Iteration \d+: /gm)).toHaveLength(1);
    }
    expect(prompts[1]).toMatch(/^1\. `sh test\/M1-T1\.sh` → red \(.*1\)$/m);
    expect(prompts[2]).toContain("1. `sh test/M1-T1.sh` → green");

    // B14 The first task that is TODO or DOING, whichever role is called.
    expect(prompts.map((prompt) => /^Current task: ([^\s.]+)/m.exec(prompt)?.[1])).toEqual([
      ...["M1-T1", "M1-T1", "M1-T1", "M1-T2", "M1-T2"],
      ...["M2-T1", "M2-T1", "M2-T1", "none", "none"],
    ]);
    // B15 to B19
    expect(report.iterations.map(({ next_agent, tasks }) => [next_agent, ...tasks].join(" "))).toEqual([
      ...["TEST M1-T1", "DEV M1-T1", "TEST M1-T2", "DEV M1-T2", "REVIEW M1-T1 M1-T2"],
      ...["TEST M2-T1", "DEV M2-T1", "REVIEW M2-T1", "FINISH", "FINISH M1-T1 M1-T2 M2-T1"],
    ]);
    expect(plans.slice(1).map(statuses)).toEqual([
      ...["DOING TODO TODO", "DOING TODO TODO", "DONE DOING TODO", "DONE DOING TODO", "DONE DONE TODO"],
      ...["VERIFIED VERIFIED DOING", "VERIFIED VERIFIED DOING", "VERIFIED VERIFIED DONE"],
      ...["VERIFIED VERIFIED VERIFIED", "VERIFIED VERIFIED VERIFIED"],
    ]);
    expect(report.milestones.flatMap(({ tasks }) => tasks.map(({ verified_in }) => verified_in))).toEqual([
      5, 5, 8,
    ]);

    // B3 The prompt has everything it needs. Agents whose tools cannot be disabled are asked not to use them.
    expect(prompts[0]).toContain("Read no files, run no commands, use no tools");
    expect(report.iterations[0]?.main[0]?.tools).toBe("all");
    expect(stdout.match(/main.*tools/gi)).toHaveLength(1);

    // B23 Every fifth iteration.
    const checks = prompts.flatMap((prompt, index) =>
      partOf(prompt, "Check yourself") === "" ? [] : [index + 1],
    );
    expect(checks).toEqual([5, 10]);
  });

  test("B2 B3 B7 MAIN's session continues without tools; each new session begins with the project, also after a loss", async () => {
    const rig = furnished("M1-T1");
    rig.write("agent-foreman.yaml", rig.read("agent-foreman.yaml").replace("main: [main]", "main: [claude]"));
    rig.script(straight("M1-T1"));
    // The third turn finds its session gone.
    const { code, report, runId } = await rig.orchestrate([], {
      env: rig.withAgents({ CLAUDE_DOES: "board board lost board board board" }),
    });
    expect(code).toBe(0);
    expect(rig.statuses()).toEqual(["M1-T1 VERIFIED"]);

    const args = [1, 2, 3, 4, 5, 6].map((turn) =>
      fs.readFileSync(join(rig.home, `claude-args-${turn}`), "utf8"),
    );
    const resumed = args.map((words) => /--resume \S+?(\d) /.exec(words)?.[1] ?? "new");
    expect(resumed).toEqual(["new", "1", "1", "new", "4", "4"]);
    for (const words of args) {
      expect(words).toContain(" --tools= ");
      expect(words).not.toContain("--dangerously-skip-permissions");
    }
    expect(report.iterations.map(({ main }) => main.map(({ tools }) => tools))).toEqual([
      ...[["none"], ["none"], ["none"], ["none"], ["none"]],
    ]);

    const prompts = [1, 2, 4, 5, 6].map((turn) =>
      fs.readFileSync(join(rig.home, `claude-prompt-${turn}.md`), "utf8"),
    );
    expectInjected(rig, runId);
    const reported = prompts.map((prompt) => /^# Iteration (\d+): /m.exec(prompt)?.[1]);
    expect(reported).toEqual([undefined, "1", "2", "3", "3"]);
    const received = prompts.map((prompt) =>
      [CONTEXT, ENVIRONMENT, "src/old.txt", "# You decide, you do not do"].map((part) =>
        prompt.includes(part),
      ),
    );
    const [all, none] = [Array(4).fill(true), Array(4).fill(false)];
    expect(received).toEqual([all, none, all, none, none]);
    // Content that the lost session knew.
    expect(prompts[2]).toContain("## Iteration 2:\nnext_agent: DEV");
    expect(prompts[0]).not.toContain("## Iteration 1:\nnext_agent: TEST");
    for (const prompt of prompts) expect(prompt).toContain('{"next_agent":"FINISH"');
  });

  test("B7 an agent without sessions gets the history instead, and iteration numbers continue from earlier runs", async () => {
    const rig = furnished("M1-T1");
    const earlier = "## Iteration 41:\nnext_agent: USER\nreason: the storage\ndev_plan: no change";
    rig.write(join(rig.dir, "project_history.md"), `${earlier}\n`);
    rig.script(straight("M1-T1"));
    const { code, report } = await rig.orchestrate();
    expect(code).toBe(0);
    expect(report).toMatchObject({ iterations_before: 41 });
    expect(report.iterations.map(({ iteration }) => iteration)).toEqual([42, 43, 44, 45, 46]);
    expect(rig.history()).toMatch(/^## Iteration 41:\n.*?\n\n## Iteration 42:\nnext_agent: TEST\n/s);
    const prompts = mainPrompts(rig);
    prompts.forEach((prompt, index) => {
      expect(prompt).toContain(earlier);
      expect(prompt).toContain(CONTEXT);
      const known = [...prompt.matchAll(/^## Iteration (\d+):$/gm)].map(([, number]) => Number(number));
      expect(known).toEqual([41, 42, 43, 44, 45].slice(0, index + 1));
    });
    expect(rig.order(42)).toMatch(/^# Current Task \(Iteration 42\)\n/);
    expect(rig.plan()).toContain("- evidence: REVIEW Iteration 44 PASS");
  });
});

describe("only the foreman writes the board", () => {
  test("B3 B6 refuses a MAIN that changes files; names, keeps and reverts every change of the board", async () => {
    const rig = furnished("M1-T1");
    const plan = rig.plan();
    const verified = plan.replace("status: TODO", "status: VERIFIED");
    rig.script(
      [
        { next: "TEST", moves: { "M1-T1": "DOING" }, write: { "src/M1-T1.txt": "MAIN did it\n" } },
        { next: "TEST", moves: { "M1-T1": "DOING" }, write: { "src/M1-T1.txt": null } },
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV", write: { "blackboard/project_history.md": "nothing happened\n" } },
        { next: "REVIEW", moves: { "M1-T1": "DONE" }, run: 'cp -r blackboard "$HOME/seen"' },
        ...straight("M1-T1").slice(3),
      ],
      {
        "DEV 2": {
          write: {
            "src/M1-T1.txt": "done\n",
            "blackboard/dev_plan.md": verified,
            "blackboard/reports/0001-TEST.md": null,
            "blackboard/orders/0009-DEV.md": "# Current Task (Iteration 9)\n",
          },
        },
      },
    );
    const { code, report, stdout, runId } = await rig.orchestrate();
    expect(code).toBe(0);

    expect(refused(report)).toEqual([
      "1 main_changed_files src/M1-T1.txt",
      "1 main_changed_files src/M1-T1.txt",
      "4 finish_with_update M1-T1",
    ]);
    expectRulesNamed(rig, report);

    const boardFiles = (names: readonly string[]): string[] =>
      names.map((name) => join(rig.project, rig.dir, name));
    expect(report.iterations[1]?.changed_inputs).toEqual(
      boardFiles(["project_history.md", "dev_plan.md", "orders/0009-DEV.md", "reports/0001-TEST.md"]),
    );
    // A file with a name of the foreman's that it did not write is removed and reported once.
    expect(report.iterations[2]?.changed_inputs).toEqual([]);
    expect(rig.exists(join(rig.dir, "orders", "0009-DEV.md"))).toBe(false);
    expect(outcomes(report)).toEqual([
      ...["TEST accepted", "DEV accepted", "REVIEW accepted", "FINISH null", "FINISH accepted"],
    ]);
    // Named to the person and to MAIN.
    expect(stdout).toContain("dev_plan.md, orders/0009-DEV.md, reports/0001-TEST.md");
    const received = mainPrompts(rig).map((prompt) =>
      partOf(prompt, "Board files that were changed without permission"),
    );
    expect(received.map((part) => part !== "")).toEqual([false, false, false, false, true, false, false]);
    for (const name of ["dev_plan.md", "project_history.md", "reports/0001-TEST.md"])
      expect(received[4]).toContain(name);
    // Restored before the next turn, so that prompts and board match the journal.
    expect(planIn(mainPrompts(rig)[4] ?? "")).toContain("- status: DOING");
    const seen = (name: string): string => fs.readFileSync(join(rig.home, "seen", name), "utf8");
    expect(seen("dev_plan.md")).toBe(plan.replace("status: TODO", "status: DOING"));
    expect(seen("project_history.md").match(/^## Iteration \d+:$/gm)).toHaveLength(2);
    expect(seen("reports/0001-TEST.md")).toContain("# Iteration 1: TEST");
    // Kept aside.
    const kept = fs
      .readdirSync(join(rig.state, "runs", runId, "turns"), { recursive: true, encoding: "utf8" })
      .filter((path) => /board-/.test(path))
      .map((path) => fs.readFileSync(join(rig.state, "runs", runId, "turns", path), "utf8"));
    const planted = "# Current Task (Iteration 9)\n";
    expect(kept.toSorted()).toEqual([verified, "nothing happened\n", planted].toSorted());
  });
});

function statuses(plan: string): string {
  return [...plan.matchAll(/^- status: (\w+)$/gm)].map(([, status]) => status).join(" ");
}
