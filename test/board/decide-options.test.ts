import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide } from "../../src/cli/decide.ts";
import { askAtTerminal } from "../../src/cli/prompt.ts";
import type { UserQuestion } from "../../src/core/board/answer.ts";
import type { RunEvent, RunStarted } from "../../src/core/event.ts";
import { Inbox } from "../../src/core/journal/inbox.ts";
import { fakeIo, HOSTILE, makeRun, STEERS_TERMINAL, type FakeIo } from "../commands/fixtures.ts";
import { BoardRig, straight } from "../rig/board.ts";
import { BoardStory } from "../rig/board-story.ts";
import { RUN_ID } from "../rig/story.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { terminalIo } from "./terminal-io.ts";

const QUESTION: UserQuestion = {
  title: "Which storage?",
  question: "Uploads need S3.\nWhat is to be used?",
  options: [
    { id: "wait", description: "wait for credentials" },
    { id: "minio", description: "use MinIO" },
    { id: "drop", description: "leave uploads out" },
  ],
  recommended: "minio",
};

/** TEST is blocked, and MAIN asks a person. */
function asking(question: UserQuestion = QUESTION): BoardStory {
  return new BoardStory({}, { interactive: true })
    .main({ nextAgent: "TEST" })
    .role({ claim: "BLOCKED", blockType: "permission" })
    .judge()
    .main({ nextAgent: "USER", question, history: ["blockers: no credentials"] })
    .ask();
}

const aboutMain = (): BoardStory =>
  new BoardStory({}, { interactive: true }).babbles().babbles().babbles().ask();

function left(io: FakeIo, story: BoardStory): void {
  makeRun(io.home, story.events as [RunStarted, ...RunEvent[]]);
}

const never = new AbortController().signal;

describe("decide, for a question with its own options", () => {
  test("prints the question if there is no terminal, and waits", async () => {
    const io = fakeIo();
    left(io, asking());
    expect(await decide(RUN_ID, { answer: undefined, n: undefined, note: undefined }, io)).toBe(3);
    expect(io.text()).toBe(
      [
        "? [2] Which storage?",
        "  Uploads need S3.",
        "  What is to be used?",
        "  wait: wait for credentials",
        "  minio: use MinIO (recommended)",
        "  drop: leave uploads out",
        `  next    agent-foreman decide ${RUN_ID} minio`,
        "",
      ].join("\n"),
    );
  });

  test("names the rules that MAIN broke if it asks about MAIN", async () => {
    const io = fakeIo({ lang: "zh" });
    left(io, aboutMain());
    expect(await decide(RUN_ID, { answer: undefined, n: undefined, note: undefined }, io)).toBe(3);
    expect(io.text()).toContain("(not_one_json_line)");
    expect(io.text()).toMatch(/ask_again: .*（推荐）\n {2}stop: /);
  });

  test.each([
    ["another option", "c", undefined, /^no such option c: .*wait, minio, drop$/],
    ["an answer about the limit", "pass", undefined, /^no such option pass: /],
    ["more than an option", "wait", "3", /^unexpected argument 3$/],
  ])("refuses %s", async (_, answer, n, problem) => {
    const io = fakeIo();
    left(io, asking());
    await expect(decide(RUN_ID, { answer, n, note: undefined }, io)).rejects.toMatchObject({
      code: "usage",
      exitCode: 2,
      about: { problem: expect.stringMatching(problem) as string },
    });
  });

  test.each(["wait", "pass", undefined])("refuses %s without an open question", async (answer) => {
    const io = fakeIo();
    left(io, asking().chooses("wait"));
    await expect(decide(RUN_ID, { answer, n: undefined, note: undefined }, io)).rejects.toMatchObject({
      code: "no_open_question",
    });
  });

  test("answers about the limit stay as they are", async () => {
    const io = fakeIo();
    left(io, new BoardStory({ maxLoops: 1 }, { interactive: true }).test().ask());
    await expect(decide(RUN_ID, { answer: "wait", n: undefined, note: undefined }, io)).rejects.toMatchObject(
      {
        about: { problem: expect.stringContaining("continue N, pass or fail") as string },
      },
    );
    await expect(
      decide(RUN_ID, { answer: undefined, n: undefined, note: undefined }, io),
    ).rejects.toMatchObject({
      code: "usage",
    });
  });
});

describe("at a terminal", () => {
  test("preselects the recommended option, and accepts a comment", async () => {
    const io = terminalIo();
    const reply = askAtTerminal(io, asking().state, never);
    await io.reply("use MinIO (recommended)", Key.enter);
    await io.reply("Note", `it is cheap${Key.enter}`);
    expect(await reply).toEqual({ answer: { kind: "option", option: "minio" }, note: "it is cheap" });
    expect(io.asked()).toContain("[2] Which storage?");
    expect(io.asked()).toContain("What is to be used?");
    expect(io.asked()).toContain(`agent-foreman decide ${RUN_ID}`);
  });

  test("another one can be chosen, without a comment", async () => {
    const io = terminalIo();
    const reply = askAtTerminal(io, asking().state, never);
    await io.reply("use MinIO (recommended)", `${Key.down}${Key.enter}`);
    await io.reply("Note", Key.enter);
    expect(await reply).toEqual({ answer: { kind: "option", option: "drop" }, note: null });
  });

  test("leaving decides nothing", async () => {
    const io = terminalIo();
    const reply = askAtTerminal(io, aboutMain().state, never);
    await io.reply("MAIN was asked 3 times", Key.ctrlC);
    expect(await reply).toBeNull();
  });

  test("a question cannot steer it", async () => {
    const options = [{ id: "minio", description: HOSTILE }];
    const evil = asking({ title: HOSTILE, question: HOSTILE, options, recommended: "minio" });
    const io = terminalIo();
    const reply = askAtTerminal(io, evil.state, never);
    await io.reply("minio: ", Key.ctrlC);
    await reply;
    expect(io.asked()).not.toMatch(/\u001b\]|\u009b|\u202e|\u001b\[2J/);

    const plain = fakeIo();
    left(plain, evil);
    await decide(RUN_ID, { answer: undefined, n: undefined, note: undefined }, plain);
    expect(plain.text()).not.toMatch(STEERS_TERMINAL);
  });
});

describe("a run that asks", () => {
  const asks = (): BoardRig => {
    const rig = new BoardRig();
    const question = {
      title: "Which storage?",
      options: { wait: "wait", minio: "use MinIO" },
      recommended: "minio",
    };
    rig.script([{ next: "USER", fields: { user_cause: "major_choice" }, question }, ...straight("M1-T1")]);
    return rig;
  };

  test("continues with the answer of decide, and keeps no secret of it", async () => {
    const rig = asks();
    const { code, runId } = await rig.orchestrate();
    expect(code).toBe(3);
    const wrong = await rig.decide(runId, "other");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("wait, minio") as string });
    const secret = `sk-ant-${"a1B2".repeat(12)}`;
    expect(await rig.decide(runId, "wait", `key ${secret}`)).toMatchObject({ code: 0, stderr: "" });
    expect(rig.board("user_decisions.md")).toMatch(/option: wait\n(?:.*\n)*comment: key /);
    expect(rig.board("user_decisions.md")).not.toContain(secret);
    const { code: last, report } = await rig.resume(runId);
    expect(last).toBe(0);
    expect(report.decisions).toMatchObject([{ iteration: 1, option: "wait", via: "decide" }]);
    expect(JSON.stringify(report)).not.toContain(secret);
  });

  test("can be answered at another terminal", async () => {
    const rig = asks();
    const { runId } = await rig.orchestrate();
    const terminal = new TerminalSession(rig, ["decide", runId]);
    await terminal.shows("● minio: use MinIO (recommended)");
    terminal.press(Key.enter);
    await terminal.shows("Note");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.board("user_decisions.md")).toContain("option: minio\n");
  });

  test("asks at its own terminal, and continues", async () => {
    const rig = asks();
    const terminal = new TerminalSession(rig, ["orchestrate"]);
    await terminal.shows("● minio: use MinIO (recommended)");
    terminal.press(Key.up, Key.enter);
    await terminal.shows("Note");
    terminal.press("later", Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.board("user_decisions.md")).toMatch(/option: wait\n(?:.*\n)*comment: later\n/);
    expect(rig.statuses()).toEqual(["M1-T1 VERIFIED"]);
  });
});

describe("the inbox", () => {
  const posted = (answer: unknown): unknown => {
    const dir = join(fakeIo().cwd, "inbox");
    fs.mkdirSync(dir);
    fs.writeFileSync(
      join(dir, "1-answer-x.json"),
      JSON.stringify({ v: 1, kind: "answer", questionId: "q", answer }),
    );
    return new Inbox(dir).peek();
  };

  test("takes options by their ids", () => {
    expect(posted({ kind: "option", option: "use_minio-2.0" })).toMatchObject({
      answer: { kind: "option", option: "use_minio-2.0" },
    });
  });

  test.each([undefined, 3, "", "a b", "-x", "x".repeat(65), "a\u001b[2J"])(
    "does not take %j for one",
    (option) => {
      expect(posted({ kind: "option", option })).toMatchObject({ kind: "unreadable" });
    },
  );
});
