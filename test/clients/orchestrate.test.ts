import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answersOf, BoardClientsRig, reasonOf, type TurnOf } from "./board-rig.ts";
import { commandFor, CONTEXT, durations, FEEDBACK, QUESTION, reviewOnly } from "./board-scenes.ts";
import { LOGGED_IN, outOfQuota } from "./claude-quota.ts";
import { type ClientName, isLeftOut } from "./clients.ts";
import type { Asked } from "./model-server.ts";

const here = (...names: readonly ClientName[]): boolean => !names.some((name) => isLeftOut(name));
const NOTE = "as in the handbook";
/** MAIN receives these only at the beginning of a session. */
const ONCE = [CONTEXT.trim(), '{ "runtime": "node" }', "# You decide, you do not do"];

const expectText = (asked: Asked | undefined, ...texts: readonly string[]): void => {
  for (const text of texts) expect(asked?.prompt).toContain(text);
};
const expectWithout = (asked: Asked | undefined, ...texts: readonly string[]): void => {
  for (const text of texts) expect(asked?.prompt).not.toContain(text);
};

/** The prompts contain it only where a session begins. */
const expectOnceAt = (asked: readonly Asked[], ...beginnings: readonly number[]): void => {
  for (const once of ONCE) {
    const found = asked.flatMap(({ prompt }, index) => (prompt.includes(once) ? [index] : []));
    expect(found).toEqual(beginnings);
    for (const { body } of asked) expect(body).toContain(JSON.stringify(once).slice(1, -1));
  }
};
const oneSession = (agent: string, session: string, turns: number): readonly TurnOf[] =>
  Array.from({ length: turns }, (_, index) => ({ agent, resumes: index === 0 ? null : session, session }));

describe("orchestrate with real clients", () => {
  it.runIf(here("claude", "codex"))(
    "claude leads itself and codex to a good end, although it loses its session during a question",
    async () => {
      const rig = new BoardClientsRig();
      const cast = { MAIN: "claude", TEST: "codex", DEV: "claude", REVIEW: "codex" } as const;
      await rig.cast(
        cast,
        durations((name) => join(rig.project, name)),
      );

      const { code, runId } = await rig.orchestrated(cast);
      expect(code).toBe(3);
      const first = rig.turns(runId, "main")[0]?.session ?? "";
      rig.forget(first);
      expect((await rig.answered(runId, "short", NOTE)).code).toBe(0);

      const { iterations, decisions, agent_failures, totals } = rig.boardReport(runId);
      expect(
        iterations.map(({ iteration, next_agent, decision, reasons, order }) =>
          [iteration, next_agent, decision, ...reasons, order?.review_mode].filter(Boolean).join(" "),
        ),
      ).toEqual([
        "1 TEST accepted",
        "2 DEV rejected acceptance_failed",
        "3 DEV accepted",
        "4 TEST accepted",
        "5 DEV rejected role_failed acceptance_failed",
        "6 REVIEW accepted investigate",
        "7 TEST accepted",
        "8 DEV accepted",
        "9 REVIEW accepted milestone",
        "10 TEST accepted",
        "11 USER",
        "12 DEV accepted",
        "13 REVIEW accepted milestone",
        "14 FINISH",
        "15 FINISH accepted",
      ]);
      expect(iterations.map(({ work }) => work?.name ?? null)).toEqual(
        iterations.map(({ next_agent: next }) =>
          next === "USER" || next === "FINISH" ? null : cast[next ?? "DEV"],
        ),
      );
      expect(iterations[12]?.main.map(({ broken }) => broken.map(({ rule }) => rule))).toEqual([
        ["finish_done_left"],
        [],
      ]);
      expect(iterations[13]?.finish_refused).toBe(true);
      expect(decisions).toMatchObject([{ iteration: 11, option: "short", comment: NOTE, via: "decide" }]);
      expect(totals).toMatchObject({ tasks: 3, verified: 3 });
      expect(rig.read("duration.mjs")).toContain("RangeError");

      // MAIN keeps one session although claude has other roles, too. Then a second session follows.
      expect(agent_failures).toMatchObject([{ agent: "claude", attempt: 12, class: "session_lost" }]);
      const turns = rig.turns(runId, "main");
      const second = turns.at(-1)?.session ?? "";
      expect(turns.slice(0, 11)).toEqual(oneSession("claude", first, 11));
      expect(turns[11]).toMatchObject({ agent: "claude", resumes: first });
      expect(turns.slice(12)).toEqual(oneSession("claude", second, 5));
      const workers = rig.turns(runId, "worker");
      expect(workers.every(({ resumes }) => resumes === null)).toBe(true);
      expect(new Set([first, second, ...workers.map(({ session }) => session)]).size).toBe(2 + 12);

      expect(rig.left).toBe(0);
      const asked = rig.asked("MAIN");
      expect(asked.map(({ tools }) => tools)).toEqual(Array.from({ length: 16 }, () => []));
      expect(iterations.flatMap(({ main }) => main.map(({ tools }) => tools))).toEqual(
        Array.from({ length: 16 }, () => "none"),
      );
      asked.forEach(({ body }, index) => expect(body).toContain(index < 11 ? first : second));
      expectOnceAt(asked, 0, 11);
      const [one, two, three, , , six, seven] = asked;
      expectText(one, "# Iteration 1 of at most 60", "- status: TODO", "duration.mjs\n", "None yet.");
      expectText(two, "# Iteration 2 of at most 60", "### M1-T1: parse(text) gives minutes\n- status: DOING");
      expectText(
        two,
        "# Iteration 1: TEST on M1-T1: accepted",
        `\`${commandFor("parse")}\` → red`,
        "| Coverage: 1, 2",
      );
      expectText(
        three,
        "# Iteration 2: DEV on M1-T1: rejected",
        "(acceptance_failed)",
        "1 !== 90",
        "| Self-test: PASS",
      );
      expectText(six, FEEDBACK);
      expectText(seven, "| Fault: test", "| The test is wrong.");
      const [eleven, rebuilt, thirteen, again, fourteen, fifteen] = asked.slice(10);
      expectText(eleven, QUESTION, "REVIEW Iteration 9 PASS");
      expectText(
        rebuilt,
        "# Iteration 12 of at most 60",
        "(Iterations 1 to 3 left out: TEST 1, DEV 2)",
        NOTE,
      );
      expectText(
        rebuilt,
        ...[4, 5, 6, 7, 8, 9, 10, 11].map((iteration) => `reason: ${reasonOf(iteration)}\n`),
      );
      expectWithout(rebuilt, ...[1, 2, 3].map((iteration) => `reason: ${reasonOf(iteration)}\n`));
      expect(rebuilt?.body).not.toContain(reasonOf(1));
      expectText(thirteen, "Decision: short: the short one", `Comment: ${NOTE}`);
      expectWithout(thirteen, "left out: TEST", reasonOf(11));
      expectText(again, "# Iteration 13 of at most 60", "- finish_done_left: ", "Nothing of it was applied.");
      expectWithout(fourteen, "finish_done_left: ");
      expectText(
        fifteen,
        "- finish_with_update: ",
        "Its plan and history were applied",
        "REVIEW Iteration 13 PASS",
      );

      for (const each of rig.asked("DEV")) expectWithout(each, "MAIN thought");
      expectText(rig.asked("TEST")[0], "assigned_agent: TEST", "## Test requirements");
      expect(rig.survivors()).toEqual([]);
    },
  );

  // A gemini as reviewer would delete the session of a gemini as MAIN: see docs/clients.md.
  const LEADERS: readonly (readonly [main: ClientName, review: ClientName])[] = [
    ["claude", "claude"],
    ["gemini", "codex"],
    ["opencode", "codex"],
  ];
  it.each(LEADERS.filter((pair) => here(...pair)))(
    "%s leads in one session without tools, and %s reviews in another",
    async (name, reviewer) => {
      const rig = new BoardClientsRig();
      const cast = { MAIN: name, TEST: name, DEV: name, REVIEW: reviewer };
      await rig.cast(
        cast,
        reviewOnly((file) => join(rig.project, file)),
      );
      const { code, runId } = await rig.orchestrated(cast);
      expect(code).toBe(3);
      expect((await rig.answered(runId, "long", NOTE)).code).toBe(0);

      const { iterations, agent_failures } = rig.boardReport(runId);
      expect(agent_failures).toEqual([]);
      expect(iterations.map(({ next_agent, decision }) => `${next_agent} ${decision}`)).toEqual([
        ...["USER null", "REVIEW accepted", "FINISH null", "FINISH accepted"],
      ]);
      const turns = rig.turns(runId, "main");
      const session = turns[0]?.session ?? "";
      expect(session).toMatch(/\S{8}/);
      expect(turns).toEqual(oneSession(name, session, 4));
      const [review] = rig.turns(runId, "worker");
      expect(review).toMatchObject({ agent: reviewer, resumes: null });
      expect(review?.session).not.toBe(session);

      expect(rig.left).toBe(0);
      expect(rig.asked("MAIN").map(({ tools }) => tools)).toEqual([[], [], [], []]);
      for (const { tools } of rig.asked("REVIEW")) expect(tools).not.toEqual([]);
      expectOnceAt(rig.asked("MAIN"), 0);
      const [one, two, three, four] = rig.asked("MAIN");
      expectText(one, "# Iteration 1 of at most 60");
      expectText(two, "# Iteration 2 of at most 60", "Decision: long: the long one", `Comment: ${NOTE}`);
      expectText(three, "# Iteration 2: REVIEW on M1-T1: accepted", "| - M1-T1: I saw it");
      expectText(four, "- finish_with_update: ");
      for (const iteration of [1, 2, 3]) expect(four?.body).toContain(reasonOf(iteration));
      expect(rig.survivors()).toEqual([]);
    },
  );

  it.runIf(here("claude", "codex"))("codex takes over from claude, with all decisions", async () => {
    const rig = new BoardClientsRig();
    const scene = reviewOnly((file) => join(rig.project, file));
    rig.prepare(scene);
    const reset = new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
    const [asks, ...others] = answersOf(scene);
    const [reviews, ...finishes] = others;
    const work = scene.moves[1]?.work ?? [];
    if (!asks || !reviews) throw new Error("the scene is shorter");
    const claude = await rig.client("claude", [asks, { error: outOfQuota(() => reset) }], LOGGED_IN);
    const codex = await rig.client("codex", [reviews, ...work, ...finishes]);

    const roles = { MAIN: "claude,codex", TEST: "codex", DEV: "codex", REVIEW: "codex" };
    const { runId } = await rig.orchestrated(roles);
    expect((await rig.answered(runId, "short", NOTE)).code).toBe(0);
    expect(rig.boardReport(runId).agent_failures).toMatchObject([
      { agent: "claude", attempt: 2, class: "quota", retry_at: reset.toISOString() },
    ]);
    const turns = rig.turns(runId, "main");
    const [mine, its] = [turns[0]?.session, turns[2]?.session];
    expect([mine, its]).toEqual([expect.any(String), expect.any(String)]);
    expect(turns.map(({ agent, resumes }) => ({ agent, resumes }))).toEqual([
      { agent: "claude", resumes: null },
      { agent: "claude", resumes: mine },
      { agent: "codex", resumes: null },
      { agent: "codex", resumes: its },
      { agent: "codex", resumes: its },
    ]);
    expect([claude.requests.length, codex.requests.length]).toEqual([2, 5]);
    const [takesOver, , , goesOn] = codex.requests;
    expectText(
      takesOver,
      ...ONCE,
      `## Iteration 1:\nnext_agent: USER\nreason: ${reasonOf(1)}`,
      `Comment: ${NOTE}`,
    );
    expectWithout(goesOn, ...ONCE, reasonOf(1));
    expect(goesOn?.body).toContain(reasonOf(2));
  });
});
