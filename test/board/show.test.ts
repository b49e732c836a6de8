import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { board } from "../../src/cli/board.ts";
import { decisionText } from "../../src/core/board/decisions.ts";
import { decisionsOf } from "../../src/modes/orchestrate/user-decisions.ts";
import type { RunEnded, RunEvent, RunStarted } from "../../src/core/event.ts";
import type { OrchestrateSettings } from "../../src/core/settings.ts";
import { editLine, fakeIo, HOSTILE, makeRun, STEERS_TERMINAL, type FakeIo } from "../commands/fixtures.ts";
import { CHANGES } from "../reporters/run.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { A_QUESTION } from "../rig/board-says.ts";
import { RUN_ID } from "../rig/story.ts";

/** A story on the board of this environment. */
function story(io: FakeIo, settings: Partial<OrchestrateSettings> = {}): BoardStory {
  return new BoardStory({ boardDir: join(io.cwd, "blackboard"), ...settings }, { interactive: true });
}

function write(io: FakeIo, plan: string, decisions = ""): string {
  const dir = join(io.cwd, "blackboard");
  fs.mkdirSync(dir);
  const files = { "dev_plan.md": plan, "global_context.md": "# Goal\n", "project_env.json": "{}\n" };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(dir, name), text);
  if (decisions !== "") fs.writeFileSync(join(dir, "user_decisions.md"), decisions);
  return dir;
}

/** Writes the board as a run left it. */
function left(io: FakeIo, past: BoardStory): void {
  const { state, events } = past;
  write(io, state.board?.text ?? "", decisionsOf(state).map(decisionText).join("\n"));
  makeRun(io.home, events as [RunStarted, ...RunEvent[]]);
}

async function shown(io: FakeIo): Promise<string> {
  expect(await board("show", {}, io)).toBe(0);
  return io.text();
}

const M1 = { "M1-T1": ["VERIFIED", 5], "M1-T2": ["VERIFIED", 5] } as const;
const toM2 = (past: BoardStory): BoardStory =>
  past
    .test(aPlan({ "M1-T1": "DOING" }))
    .dev()
    .test(aPlan({ "M1-T1": "DONE", "M1-T2": "DOING" }))
    .dev()
    .review(aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }));

describe("board show", () => {
  test("shows a plan before any work", async () => {
    const io = fakeIo();
    write(io, aPlan());
    expect(await shown(io)).toBe(
      [
        "M1 upload API  0/2 VERIFIED",
        "  - M1-T1 TODO  store a file",
        "  - M1-T2 TODO  list files",
        "M2 resilience  0/1 VERIFIED",
        "  - M2-T1 TODO  retry failed uploads",
        "next  agent-foreman orchestrate",
        "",
      ].join("\n"),
    );
  });

  test("uses the evidence in the plan if no run has more", async () => {
    const io = fakeIo();
    write(io, aPlan({ "M1-T1": ["VERIFIED", 7], "M1-T2": ["VERIFIED", 9] }));
    expect(await shown(io)).toContain("M1 upload API  2/2 VERIFIED  REVIEW [9]\nM2 resilience  0/1");
  });

  test("shows what each task rests on", async () => {
    const io = fakeIo();
    left(
      io,
      story(io)
        .test(aPlan({ "M1-T1": "DOING" }))
        .dev()
        .test(aPlan({ "M1-T1": "DONE", "M1-T2": "DOING" })),
    );
    expect(await shown(io)).toBe(
      [
        `! the foreman was killed during run ${RUN_ID}, so these files may be outdated; restore them with: agent-foreman resume ${RUN_ID}`,
        "M1 upload API  0/2 VERIFIED",
        "  ~ M1-T1 DONE   store a file  green [2]",
        "  ~ M1-T2 DOING  list files    red [3]",
        "M2 resilience  0/1 VERIFIED",
        "  - M2-T1 TODO  retry failed uploads",
        `next  agent-foreman resume ${RUN_ID}`,
        "",
      ].join("\n"),
    );
  });

  test("shows the REVIEW of a milestone by its iteration, counted over all runs", async () => {
    const io = fakeIo();
    const reviewed = { "M1-T1": ["VERIFIED", 25], "M1-T2": ["VERIFIED", 25] } as const;
    left(io, toM2(story(io, { iterationsBefore: 20 })).test(aPlan({ ...reviewed, "M2-T1": "DOING" })));
    const text = await shown(io);
    expect(text).toContain("M1 upload API  2/2 VERIFIED  REVIEW [25]\n");
    expect(text).not.toContain("M1-T1");
    expect(text).toContain("M2-T1 DOING  retry failed uploads  red [26]\n");
  });

  test("green with a waiver is not red", async () => {
    const io = fakeIo();
    const past = story(io)
      .main({
        nextAgent: "TEST",
        header: ["red_waiver: it exists"],
        devPlanNext: aPlan({ "M1-T1": "DOING" }),
      })
      .role();
    left(io, past.checks(0).judge());
    expect(await shown(io)).toContain("M1-T1 DOING  store a file  TEST, red waived [1]\n");
  });

  test("B16 green tests that TEST put back were red before, and no waiver is named", async () => {
    const io = fakeIo();
    left(io, story(io).restores().judge());
    expect(await shown(io)).toContain("M1-T1 DOING  store a file  TEST, red before [3]\n");
  });

  test("shows rejections and their reasons", async () => {
    const io = fakeIo();
    const past = story(io)
      .test(aPlan({ "M1-T1": "DOING" }))
      .main({ nextAgent: "DEV" })
      .role()
      .checks(1)
      .judge();
    left(io, past);
    expect(await shown(io)).toContain("~ M1-T1 DOING  store a file  DEV rejected [2] (acceptance_failed)\n");
  });

  test("shows an open question, its options, and the task it names", async () => {
    const io = fakeIo();
    const question = {
      title: "S3 for M1-T1?",
      question: "Uploads need S3.\nWhich storage is to be used?",
      options: [
        { id: "wait", description: "wait" },
        { id: "minio", description: "use MinIO" },
      ],
      recommended: "minio",
    };
    const cause = { claim: "BLOCKED", blockType: "permission" } as const;
    const past = story(io).main({ nextAgent: "TEST" }).role(cause).judge();
    const blocked = aPlan({ "M1-T1": "BLOCKED" });
    const history = ["blockers: no credentials"];
    left(io, past.main({ nextAgent: "USER", question, devPlanNext: blocked, history }).ask());
    expect(past.state.question?.about).toBe("user");
    expect(await shown(io)).toBe(
      [
        "M1 upload API  0/2 VERIFIED",
        "  ! M1-T1 BLOCKED  store a file  asks you [2]",
        "  - M1-T2 TODO     list files",
        "M2 resilience  0/1 VERIFIED",
        "  - M2-T1 TODO  retry failed uploads",
        "? [2] S3 for M1-T1?",
        "  Uploads need S3.",
        "  Which storage is to be used?",
        "  wait: wait",
        "  minio: use MinIO (recommended)",
        `next  agent-foreman decide ${RUN_ID} minio`,
        "",
      ].join("\n"),
    );
  });

  test("shows the last decisions, of the file and of the run", async () => {
    const io = fakeIo();
    const entry = (iteration: number): string =>
      decisionText({
        iteration,
        title: `Q${iteration}`,
        question: "?",
        option: "yes",
        description: "",
        comment: null,
      });
    const cause = { claim: "BLOCKED", blockType: "permission" } as const;
    const past = story(io, { iterationsBefore: 10 }).main({ nextAgent: "TEST" }).role(cause).judge();
    past
      .main({ nextAgent: "USER", history: ["blockers: S3"] })
      .ask()
      .chooses("b", "next\nweek");
    write(io, aPlan(), [entry(2), entry(3), entry(4)].join("\n"));
    makeRun(io.home, past.events as [RunStarted, ...RunEvent[]]);
    const text = await shown(io);
    expect(text).toContain(
      'decided [3] Q3: yes\ndecided [4] Q4: yes\ndecided [12] S3 credentials?: b "next week"\n',
    );
    expect(text).not.toContain("[2]");
  });

  test("shows a decision once that file and run both know", async () => {
    const io = fakeIo();
    const cause = { claim: "BLOCKED", blockType: "permission" } as const;
    const past = story(io).main({ nextAgent: "TEST" }).role(cause).judge();
    left(
      io,
      past
        .main({ nextAgent: "USER", history: ["blockers: S3"] })
        .ask()
        .chooses("b"),
    );
    expect((await shown(io)).match(/^decided /gm)).toHaveLength(1);
  });

  test("says what MAIN broke when it asks about MAIN", async () => {
    const io = fakeIo();
    left(io, story(io).babbles().babbles().babbles().ask());
    const text = await shown(io);
    expect(text).toMatch(
      /\? \[1\] MAIN was asked 3 times.*\n {2}- .*one line of JSON.*\(not_one_json_line\)\n/,
    );
    expect(text).toContain("  ask_again: MAIN is asked again (recommended)\n  stop: ");
    expect(text).toContain(`next  agent-foreman decide ${RUN_ID} ask_again\n`);
  });

  test("leads on after an end", async () => {
    const io = fakeIo();
    left(io, story(io).finishes());
    const text = await shown(io);
    expect(text).toBe(
      [
        "M1 upload API  2/2 VERIFIED  REVIEW [5]",
        "M2 resilience  1/1 VERIFIED  REVIEW [8]",
        `next  agent-foreman show ${RUN_ID}`,
        "",
      ].join("\n"),
    );
  });

  test("after an accepted run that left dropped tasks it leads to that run, not to a new one", async () => {
    const question = {
      ...A_QUESTION,
      question: "Leave M2-T1 undone?",
      options: [{ id: "drop_tasks", description: "drop it" }],
      recommended: "drop_tasks",
    };
    const accepted = (io: FakeIo, more: Partial<RunEnded> = {}): BoardStory =>
      toM2(story(io))
        .main({ nextAgent: "USER", devPlanNext: aPlan(M1), question })
        .ask()
        .chooses("drop_tasks")
        .main({ nextAgent: "FINISH" })
        .checks()
        .judge()
        .ends("passed", "accepted", more);
    const io = fakeIo();
    left(io, accepted(io));
    expect(await shown(io)).toContain(`next  agent-foreman show ${RUN_ID}\n`);
    const changed = fakeIo();
    left(changed, accepted(changed, { changes: CHANGES }));
    expect(await shown(changed)).toContain(`next  agent-foreman diff ${RUN_ID}\n`);
    const later = fakeIo();
    left(later, accepted(later));
    const task = "### M2-T2: more\n- status: TODO\n- acceptance: `check` → exit 0\n- evidence: none\n";
    fs.appendFileSync(join(later.cwd, "blackboard", "dev_plan.md"), `\n${task}`);
    expect(await shown(later)).toContain("next  agent-foreman orchestrate ");
  });

  test("works without the run of a damaged journal, and says so", async () => {
    const io = fakeIo();
    const past = story(io).finishes();
    left(io, past);
    editLine(join(io.home, "runs", RUN_ID, "journal.jsonl"), 3, (line) => line.replace("main", "niam"));
    const text = await shown(io);
    expect(text).toMatch(new RegExp(`^! the journal of run ${RUN_ID} cannot be read`));
    expect(text).toContain("REVIEW [5]");
  });

  test("runs on other boards do not count", async () => {
    const io = fakeIo();
    left(io, story(io, { boardDir: "/elsewhere" }).test(aPlan({ "M1-T1": "DOING" })));
    expect(await shown(io)).toContain("next  agent-foreman orchestrate\n");
  });

  test("contains nothing that controls a terminal", async () => {
    const io = fakeIo();
    write(
      io,
      aPlan().replace("store a file", HOSTILE).replace("upload API", HOSTILE).replace("none", HOSTILE),
    );
    expect(await shown(io)).not.toMatch(STEERS_TERMINAL);
  });

  test("prints Chinese", async () => {
    const io = fakeIo({ lang: "zh" });
    left(io, story(io).test(aPlan({ "M1-T1": "DOING" })));
    const text = await shown(io);
    expect(text).toContain("红灯 [1]");
    expect(text).toContain("下一步  agent-foreman");
  });

  test("says it all as JSON", async () => {
    const io = fakeIo();
    left(io, toM2(story(io)).main({ nextAgent: "TEST", devPlanNext: aPlan({ ...M1, "M2-T1": "DOING" }) }));
    expect(await board("show", { json: true }, io)).toBe(0);
    expect(JSON.parse(io.text())).toMatchObject({
      board_dir: join(io.cwd, "blackboard"),
      milestones: [
        { id: "M1", verified: 2, review: 5, tasks: [{ standing: { kind: "reviewed", iteration: 5 } }, {}] },
        {
          id: "M2",
          verified: 0,
          review: null,
          tasks: [{ id: "M2-T1", standing: { kind: "plan", text: "" } }],
        },
      ],
      decisions: [],
      run: { run_id: RUN_ID, state: "interrupted" },
      question: null,
    });
  });

  test("reports an unreadable board like check", async () => {
    const io = fakeIo();
    write(io, "nothing");
    await expect(board("show", {}, io)).rejects.toMatchObject({ code: "board_invalid", exitCode: 2 });
    await expect(board("show", { board: "nowhere" }, io)).rejects.toMatchObject({ code: "board_missing" });
  });
});
