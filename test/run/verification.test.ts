import { describe, expect, test } from "vitest";
import { DONE, TODO, type Doing, type StepsEnded, type StepsRig } from "../rig/steps.ts";
import { linesOf, rowOf, stepsRig, verdict } from "./scene.ts";

type Played = StepsEnded & { readonly rig: StepsRig };

const ITEMS = [
  { type: "unit", description: "it adds" },
  { type: "manual", description: "it subtracts" },
];

/** The reviewer's action in the first round; in the second it passes everything. */
async function reviewed(doing: Doing, prepare?: (rig: StepsRig) => void): Promise<Played> {
  const rig = stepsRig();
  rig.step(1, { verification: ITEMS });
  prepare?.(rig);
  rig.script({ "reviewer step-001 1": doing });
  return { ...(await rig.steps()), rig };
}

/** Two verifiers with one action each, so that two cases share a run, and a third that passes everything. */
async function reviewedInTurn(doings: readonly Doing[]): Promise<Played> {
  const rig = stepsRig(["worker", "v1", "v2", "v3"], "verifiers: [v1, v2, v3]\n");
  rig.step(1, { verification: ITEMS });
  const script = doings.map((doing, index) => [`v${index + 1} reviewer`, doing] as const);
  rig.script(Object.fromEntries(script));
  return { ...(await rig.steps()), rig };
}

/** A verifier's third fault stops the run. */
function inPairs<T>(cases: readonly T[]): (readonly T[])[] {
  return cases.flatMap((_, index) => (index % 2 === 0 ? [cases.slice(index, index + 2)] : []));
}

const faultsOf = ({ report }: StepsEnded): readonly (readonly string[])[] =>
  report.steps[0]?.attempts[0]?.verifier_faults.map(({ reasons }) => reasons) ?? [];

/** The worker's prompt in a later round. */
function toldIn({ rig }: Played, round: number): string {
  return rig.calls().find((call) => call.role === "worker" && call.round === round)?.prompt ?? "";
}

const reasonsOf = ({ report }: StepsEnded): readonly (readonly string[])[] =>
  report.steps[0]?.attempts.map(({ reasons }) => reasons) ?? [];

describe("a verdict", () => {
  const EXAMPLE = '{"verification":[{"item":1,"result":"<pass or fail>","evidence":"<what you saw>"}]}';
  const NONE: [what: string, say: string, problem: RegExp][] = [
    ["is missing", "All is well, I looked at everything.", /没有可用的验证结论/],
    ["is no JSON", "{verification: [{item: 1, result: 'pass'}]}", /没有可用的验证结论/],
    ["is cut off", verdict("pass", "pass").slice(0, -2), /没有可用的验证结论/],
    ["is no list", '{"verification":"pass"}', /没有可用的验证结论: .*verification/],
    ["is for fewer items than asked", verdict("pass"), /没有可用的验证结论: .*2/],
    ["is for more items than there are", verdict("pass", "pass", "pass"), /verification\[2\]\.item/],
    [
      "names an item twice",
      verdict("pass", "pass").replace('"item":2', '"item":1'),
      /verification\[1\]\.item/,
    ],
    ["has another word than pass and fail", verdict("pass", "pass").replace('"pass"', '"passed"'), /result/],
    ["has no evidence", verdict("pass", "pass").replace('"seen"', '" "'), /evidence/],
    ["is the prompt's own example", EXAMPLE, /没有可用的验证结论/],
    [
      "is good, but the last word is broken",
      `${verdict("pass", "pass")}\n{"verification":[{"item":1,`,
      /没有/,
    ],
    ["is good, but repeats the example last", `${verdict("pass", "pass")}\n${EXAMPLE}`, /没有可用的验证结论/],
    [
      "says two things of an item",
      verdict("pass", "pass").replace('"result"', '"result":"fail","result"'),
      /没有可用的验证结论: .*键重复："result"/,
    ],
    [
      "stands there twice in one object",
      verdict("pass", "pass").replace("{", `{"verification":[{"item":1,"result":"fail","evidence":"x"}],`),
      /没有可用的验证结论: .*键重复："verification"/,
    ],
    [
      "is taken back in words",
      `${verdict("pass", "pass")}\nbut actually item 1 fails, sorry`,
      /没有可用的验证结论: .*其后没有任何内容/,
    ],
    [
      "is taken back within another object",
      `${verdict("pass", "pass")}\n{"final":${verdict("fail", "fail")}}`,
      /没有可用的验证结论: .*其后没有任何内容/,
    ],
    [
      "stands amid a sentence",
      `I cannot say ${verdict("pass", "pass")}`,
      /没有可用的验证结论: .*对象必须位于行首/,
    ],
  ];
  test.each(inPairs(NONE).map((cases) => ({ cases, what: cases.map(([what]) => what).join("; ") })))(
    "M10 that $what: is invalid, and no item has failed",
    async ({ cases }) => {
      const played = await reviewedInTurn(cases.map(([, say]) => ({ say })));
      expect(played.code).toBe(0);
      expect(reasonsOf(played)).toEqual([[]]);
      expect(faultsOf(played)).toEqual(cases.map(() => ["verification_missing"]));
      const lines = linesOf(played).filter((text) => text.startsWith("✗ verification 验证未通过："));
      for (const [index, [what, , problem]] of cases.entries()) {
        expect(lines[index], what).toMatch(problem);
        const fault = played.report.steps[0]?.attempts[0]?.verifier_faults[index];
        expect(fault, what).toMatchObject({ items: [] });
      }
    },
  );

  test("M10 with one failed item is a failure that names it, whatever the summary says", async () => {
    const played = await reviewed({ say: `Everything passed!\n${verdict("pass", "fail")}` });
    expect(reasonsOf(played)).toEqual([["verification_failed"], []]);
    expect(played.stdout).toContain(
      "✗ verification 验证未通过：2 个条目中 1 个未通过: 2. it subtracts - seen",
    );
  });

  test("M10 of which all items fail lists each of them, on the screen and in the next prompt", async () => {
    const played = await reviewed({ fail: [1, 2], evidence: "nothing there" });
    for (const item of ["1. it adds - nothing there", "2. it subtracts - nothing there"])
      expect(toldIn(played, 2)).toContain(item);
    expect(linesOf(played)).toContain("  | 1. nothing there");
    expect(linesOf(played)).toContain("  | 2. nothing there");
  });

  test("M10 that is followed by another does not count: the last one does", async () => {
    const better = await reviewed({
      say: `${verdict("fail", "fail")}\nOn second thoughts:\n${verdict("pass", "pass")}`,
    });
    expect(reasonsOf(better)).toEqual([[]]);
    const worse = await reviewed({
      say: `${verdict("pass", "pass")}\nNo, wait:\n${verdict("fail", "pass")}`,
    });
    expect(reasonsOf(worse)).toEqual([["verification_failed"], []]);
  });

  test("M10 in a code fence, in another order, is understood", async () => {
    const items = [2, 1].map((item) => ({ item, result: "pass", evidence: "seen" }));
    const played = await reviewed({
      say: `\`\`\`json\n${JSON.stringify({ verification: items }, null, 2)}\n\`\`\``,
    });
    expect(reasonsOf(played)).toEqual([[]]);
    expect(played.report.steps[0]?.attempts[0]?.verification?.items.map(({ item }) => item)).toEqual([1, 2]);
  });

  test("M10 of a verifier that exits with 3, or is killed, does not count", async () => {
    const killed = { say: verdict("pass", "pass"), run: "kill -9 $PPID" };
    const played = await reviewedInTurn([{ exit: 3 }, killed]);
    expect(reasonsOf(played)).toEqual([[]]);
    expect(faultsOf(played)).toEqual([["verifier_failed"], ["verifier_failed"]]);
    for (const name of ["v1", "v2"])
      expect(played.stdout).toContain(`✗ verification 验证未通过：${name} 无法验证：`);
  });

  test("M10 of the worker on its own work does not count", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.script({ worker: { say: verdict("pass") }, reviewer: { say: "hm" } });
    const { code, report } = await rig.steps();
    expect(code).toBe(5);
    expect(report).toMatchObject({
      end_reason: "no_verdict",
      steps: [{ attempts: [{ decision: null }], note: "under_way" }],
    });
    expect(report.steps[0]?.error).toContain("没有可用的验证结论");
  });

  test("M9 on a step with an empty list is requested by its description", async () => {
    const rig = stepsRig();
    rig.step(1, { verification: [] });
    const { code, report } = await rig.steps();
    expect(code).toBe(0);
    expect(rig.calls()[1]?.prompt).toContain("1. [manual] 步骤已按其 description 实现");
    expect(report.steps[0]?.attempts[0]?.verification?.items).toHaveLength(1);
  });
});

describe("a verifier that changes the tree", () => {
  const COMMIT = "git -c user.name=v -c user.email=v@localhost commit --allow-empty --quiet --message v";
  const CHANGES: [what: string, doing: Doing, named: string][] = [
    ["changes a file", { run: "echo more >> plan.md" }, "plan.md"],
    [
      "changes a file and hides it from git",
      { run: "git update-index --assume-unchanged plan.md; echo x >> plan.md" },
      "plan.md",
    ],
    [
      "changes a file and sets its time back",
      { run: "touch -r plan.md ../t; echo x >> plan.md; touch -r ../t plan.md" },
      "plan.md",
    ],
    ["adds a file", { write: { "notes.md": "looked" } }, "notes.md"],
    ["removes a file", { write: { "step-001.txt": null } }, "step-001.txt"],
    ["makes a file a program", { chmod: { "plan.md": 0o755 } }, "plan.md"],
    ["commits", { run: COMMIT }, ".git/refs/heads/"],
    ["changes what git ignores", { run: "echo '*.tmp' >> .git/info/exclude" }, ".git/info/exclude"],
    ["changes git's configuration", { run: "git config core.hooksPath hooks" }, ".git/config"],
    ["adds .gitignore", { write: { ".gitignore": "notes.md\n", "notes.md": "hidden" } }, ".gitignore"],
    [
      "writes into its step's file",
      { edit: { "steps/001-step.json": ["{", '{ "seen": true,'] } },
      "steps/001-step.json",
    ],
    [
      "marks its step as done",
      { edit: { "steps/001-step.json": ["🟡 进行中", DONE] } },
      "steps/001-step.json",
    ],
    ["writes into run-progress.md", { run: "echo done >> steps/run-progress.md" }, "steps/run-progress.md"],
  ];
  test.each(inPairs(CHANGES).map((cases) => ({ cases, what: cases.map(([what]) => what).join("; ") })))(
    "M9 M10 $what: does not count, and the file is named",
    async ({ cases }) => {
      const played = await reviewedInTurn(cases.map(([, doing]) => doing));
      expect(played.code).toBe(0);
      expect(reasonsOf(played)).toEqual([[]]);
      expect(faultsOf(played)).toEqual(cases.map(() => ["verifier_changed_tree"]));
      const lines = linesOf(played).filter((text) => text.startsWith("✗ verification 验证未通过："));
      for (const [index, [what, , named]] of cases.entries()) {
        const changed = played.report.steps[0]?.attempts[0]?.verifier_faults[index]?.changed_files;
        expect(
          changed?.some((path) => path.startsWith(named)),
          what,
        ).toBe(true);
        expect(lines[index], what).toContain("验证期间工作区发生了变化：");
        expect(lines[index], what).toContain(named);
      }
      expect(rowOf(played.progress, "001")).toMatchObject({ after: DONE, result: "成功" });
    },
  );

  test("M9 leaves no process that could do so later", async () => {
    const later = "setsid sh -c 'while [ ! -e ../over ]; do :; done; echo x >> plan.md' >/dev/null 2>&1 &";
    const played = await reviewed({ run: later });
    played.rig.write("../over", "");
    expect(reasonsOf(played)).toEqual([[]]);
    expect(played.rig.survivors()).toEqual([]);
    expect(played.rig.read("plan.md")).not.toContain("x\n");
  });

  test("M9 ignored files do not count: caches, build output", async () => {
    const played = await reviewed(
      { run: "mkdir -p cache && echo x > cache/a && touch -m plan.md && git status" },
      (rig) => rig.write(".gitignore", "cache/\n"),
    );
    expect(reasonsOf(played)).toEqual([[]]);
    expect(played.report.steps[0]?.attempts[0]?.verification?.changed_files).toEqual([]);
  });

  test("M9 M10 a change and failed items are both reported", async () => {
    const played = await reviewed({ fail: [1], write: { "notes.md": "looked" } });
    expect(faultsOf(played)).toEqual([["verifier_changed_tree"]]);
    expect(reasonsOf(played)[0]).toEqual(["verification_failed"]);
    const line = linesOf(played).find((text) => text.startsWith("✗ verification 验证未通过："));
    expect(line).toMatch(/1\. it adds.*notes\.md/);
  });

  test("M9 its changes before it ran out of quota also count against the next one", async () => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1);
    rig.script({
      "b reviewer step-001 1": { write: { "notes.md": "x" }, say: "You've hit your usage limit." },
    });
    const { report } = await rig.steps();
    expect(report.steps[0]?.attempts[0]?.verifier_faults).toMatchObject([
      { name: "c", reasons: ["verifier_changed_tree"], changed_files: ["notes.md"] },
    ]);
  });
});

test("M9 the verifier's prompt only asks to verify, without the workers' names and words", async () => {
  const rig = stepsRig(["anna", "bert"]);
  rig.step(1, { unit_test: { command: "true" } });
  rig.script({ worker: { say: "I have done everything, believe me." } });
  await rig.steps();
  const [, review] = rig.calls();
  expect(review).toMatchObject({ name: "bert", role: "reviewer" });
  expect(review?.prompt).toContain("只验证，不改代码");
  expect(review?.prompt).toContain("1. [unit] it does what step 1 says");
  expect(review?.prompt).not.toContain("believe me");
  expect(review?.prompt).not.toContain("anna");
  expect(review?.prompt).not.toContain(TODO);
});
