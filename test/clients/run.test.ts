import { describe, expect, it } from "vitest";
import { until } from "../rig/rig.ts";
import { DOING, DONE, TODO } from "../rig/steps.ts";
import { outOfQuota, LOGGED_IN } from "./claude-quota.ts";
import { type ClientName, isLeftOut } from "./clients.ts";
import { ITEMS, PLANNED, reviewed, STEP, StepsRig, UNIT_TEST, WORKED } from "./steps-rig.ts";

const HALF = "hello, dear world";
const WHOLE = `${HALF}!`;

type Pair = readonly [worker: ClientName, verifier: ClientName];
const here = (...names: readonly ClientName[]): boolean => !names.some((name) => isLeftOut(name));
const PAIRS: readonly Pair[] = [
  ["claude", "codex"],
  ["codex", "claude"],
];

describe("analyze and run with real clients", () => {
  it.each(PAIRS.filter((pair) => here(...pair)))(
    "gets steps from %s, and repairs by %s findings",
    async (worker, verifier) => {
      const rig = new StepsRig();
      const work = await rig.client(worker, [
        ...[rig.reads("notes.txt"), ...rig.meddles(), PLANNED],
        ...[rig.greets(HALF), WORKED],
        ...[rig.reads("greeting.txt"), rig.greets(WHOLE), WORKED],
      ]);
      const review = await rig.client(verifier, [
        ...[rig.reads("greeting.txt"), reviewed("pass", "fail")],
        ...[rig.reads("greeting.txt"), reviewed("pass", "pass")],
      ]);

      const before = rig.tree();
      const analyzed = await rig.analyzed("--agents", worker);
      expect(analyzed.code).toBe(0);
      const written = rig.tree();
      expect(written).toMatchObject(before);
      expect(Object.keys(written).length - Object.keys(before).length).toBe(2);
      expect(analyzed.report.attempts).toMatchObject([{ decision: "accepted", changed_files: [] }]);
      expect(rig.stepNow(STEP)).toMatchObject({ id: "step-001", status: TODO });
      expect(rig.stepNow("002-notes.json")).toMatchObject({ id: "step-002", status: DONE });
      expect(work.requests).toHaveLength(4);
      expect(work.requests[0]?.body).toContain("Greet the world in greeting.txt.");
      expect(work.requests[1]?.body).toContain("what the notes say");

      const { code, stdout, report } = await rig.worked("--agents", worker, "--verifier", verifier);
      expect(code).toBe(0);
      expect(rig.read("greeting.txt")).toBe(WHOLE);
      expect(rig.stepNow(STEP)).toMatchObject({ status: DONE, unit_test: { command: UNIT_TEST } });
      expect(report.totals).toEqual({
        total: 2,
        passed: 1,
        failed: 0,
        not_run: 1,
        under_way: 0,
        already_done: 1,
      });
      expect(report.steps[0]?.attempts).toMatchObject([
        {
          decision: "rejected",
          reasons: ["verification_failed"],
          work: { name: worker },
          unit_test: { command: UNIT_TEST, passed: true },
          verification: { name: verifier, read_only: true, changed_files: [] },
        },
        { decision: "accepted", work: { name: worker }, verification: { name: verifier } },
      ]);
      expect(stdout).toContain("I saw a fail of item 2");

      const [first, , repair] = work.requests.slice(4);
      expect(first?.body).toContain(ITEMS[1]);
      expect(first?.body).not.toContain("I saw a fail of item 2");
      expect(repair?.body).toContain("I saw a fail of item 2");
      // The verifier sees the items and the code, but not the earlier reviews.
      expect(review.requests[1]?.body).toContain(HALF);
      expect(review.requests[3]?.body).toContain(WHOLE);
      for (const { body } of review.requests) expect(body).not.toContain("you may believe me");
      expect(review.requests[2]?.body).not.toContain("I saw a fail of item 2");
      expect(work.byProcess()).toEqual([4, 2, 3]);
      expect(review.byProcess()).toEqual([2, 2]);
      expect(rig.survivors()).toEqual([]);
    },
  );

  const MORE: readonly Pair[] = [
    ["claude", "gemini"],
    ["claude", "opencode"],
  ];
  it.each([...PAIRS, ...MORE].filter((pair) => here(...pair)))(
    "has the work of %s verified by %s, which is kept from writing",
    async (worker, verifier) => {
      const rig = new StepsRig();
      rig.steps();
      await rig.client(worker, [rig.greets(WHOLE), WORKED]);
      const review = await rig.client(verifier, [
        ...[rig.reads("greeting.txt"), ...rig.meddles(), reviewed("pass", "pass")],
      ]);
      const { code, report } = await rig.worked("--agents", worker, "--verifier", verifier);
      expect(code).toBe(0);
      expect(review.byProcess()).toEqual([4]);
      expect(review.requests[1]?.body).toContain(WHOLE);
      expect(rig.read("notes.txt")).toBe("what the notes say\n");
      expect(rig.exists("intruder.txt")).toBe(false);
      expect(report.steps[0]?.attempts).toMatchObject([
        {
          decision: "accepted",
          verification: {
            read_only: true,
            changed_files: [],
            items: [
              { item: 1, passed: true },
              { item: 2, passed: true },
            ],
          },
        },
      ]);
    },
  );

  it.runIf(here("claude", "opencode"))(
    "ignores opencode's later text over acp, where it cannot be kept from writing",
    async () => {
      const rig = new StepsRig();
      rig.steps();
      await rig.client("claude", [rig.greets(WHOLE), WORKED]);
      const review = await rig.client(
        "opencode",
        [...[...rig.meddles(), reviewed("pass", "pass")], reviewed("pass", "pass")],
        {},
        { extends: "acp", args: ["acp"] },
      );
      const { code, report } = await rig.worked("--agents", "claude", "--verifier", "opencode");
      expect(code).toBe(0);
      expect(report.steps[0]?.attempts).toMatchObject([
        {
          decision: "accepted",
          verifier_faults: [
            {
              reasons: ["verifier_changed_tree"],
              read_only: false,
              changed_files: ["intruder.txt", "notes.txt"],
            },
          ],
          verification: { changed_files: [] },
        },
      ]);
      expect(review.byProcess()).toEqual([3, 1]);
    },
  );

  it.runIf(here("claude", "codex"))(
    "codex works and reviews in another session while the quota of claude is used up",
    async () => {
      const rig = new StepsRig();
      rig.steps();
      const reset = new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
      const claude = await rig.client("claude", [{ error: outOfQuota(() => reset) }], LOGGED_IN);
      const codex = await rig.client("codex", [
        ...[rig.greets(WHOLE), WORKED],
        ...[...rig.meddles(), reviewed("pass", "pass")],
      ]);
      const { code, report } = await rig.worked("--agents", "claude,codex");
      expect(code).toBe(0);
      expect(report.agent_failures).toMatchObject([
        { agent: "claude", attempt: 1, class: "quota", retry_at: reset.toISOString() },
      ]);
      expect(report.steps[0]?.attempts).toMatchObject([
        {
          index: 1,
          decision: "accepted",
          work: { name: "codex" },
          verification: { name: "codex", read_only: true, changed_files: [] },
        },
      ]);
      expect(claude.byProcess()).toEqual([1]);
      expect(codex.byProcess()).toEqual([2, 3]);
      expect(codex.requests[2]?.body).not.toContain("you may believe me");
    },
  );

  it.runIf(here("claude", "codex"))(
    "continues after a SIGKILL in the middle of a turn of claude",
    async () => {
      const rig = new StepsRig();
      rig.steps();
      const claude = await rig.client("claude", [
        ...[rig.greets(HALF), { hang: "request" } as const],
        ...[rig.reads("greeting.txt"), rig.greets(WHOLE), WORKED],
      ]);
      const codex = await rig.client("codex", [reviewed("pass", "pass")]);
      const running = rig.start(["run", rig.dir, "--agents", "claude", "--verifier", "codex"]);
      await claude.asked(2);
      running.child.kill("SIGKILL");
      await running.ended;
      await until(() => rig.survivors().length === 0);
      expect(rig.stepNow(STEP)).toMatchObject({ status: DOING });

      const [runId = ""] = rig.runIds();
      const { code } = await rig.run(["resume", runId]);
      expect(code).toBe(0);
      expect(rig.read("greeting.txt")).toBe(WHOLE);
      expect(rig.stepNow(STEP)).toMatchObject({ status: DONE, unit_test: { command: UNIT_TEST } });
      const report = rig.stepsReport();
      expect(report.interrupted_turns).toMatchObject([{ attempt: 1, turn: 1 }]);
      expect(report.steps[0]?.attempts).toMatchObject([{ index: 1, decision: "accepted" }]);
      expect(claude.byProcess()).toEqual([2, 3]);
      expect(codex.byProcess()).toEqual([1]);
      expect(rig.survivors()).toEqual([]);
    },
  );
});
