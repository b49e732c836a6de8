import type { Lang } from "../../../core/settings.ts";
import type { Lack } from "../verdict-role.ts";

/** The words of a report on the board, for MAIN and for people. */
const en = {
  title: (iteration: number, agent: string, tasks: string, accepted: boolean) =>
    `Iteration ${iteration}: ${agent}${tasks === "" ? "" : ` on ${tasks}`}: ${accepted ? "accepted" : "rejected"}`,
  foreman: "What the foreman saw itself",
  nothingRun: "No acceptance command was run.",
  green: "green",
  red: (how: string) => `red (${how})`,
  notRun: (how: string) => `did not run, and is neither red nor green (${how})`,
  ran: (count: number, green: number, notRun: number) =>
    `Acceptance commands: ${green} of ${count} green${notRun === 0 ? "" : `, ${notRun} did not run`}.`,
  expectedRed: "Before the implementation at least one of them has to be red.",
  /** Replaces it if TEST restored tests that another role had changed. */
  redBefore: "TEST put back exactly the tests that were red before. They may pass now.",
  waived: (why: string) => `The order waived a red test first: ${why}`,
  changedByChecks: (paths: readonly string[]) =>
    `The acceptance commands themselves changed test files; REVIEW should look at them: ${paths.join(", ")}`,
  forbidden: (paths: readonly string[]) =>
    `Files that this role must not change were changed: ${paths.join(", ")}`,
  cutOff: "An earlier turn of this iteration was cut off: that turn or a person may have changed them.",
  /** Tests that an earlier turn changed. */
  unrestored: (paths: readonly string[]) =>
    `An earlier turn other than TEST changed tests, and they are still changed: ${paths.join(", ")}. This turn did not change them.`,
  /** Required before work is accepted again. */
  liftedBy: (paths: readonly string[]) =>
    [
      `No work of DEV and no REVIEW is accepted until ${paths.join(", ")} ${paths.length === 1 ? "is" : "are"} exactly as before the forbidden change (any role or person may put ${paths.length === 1 ? "it" : "them"} back), or TEST's work on ${paths.length === 1 ? "it" : "them"} is accepted.`,
      "If TEST puts back exactly the tests that were red before, they may pass now without a `red_waiver:`.",
      "Any other test has to be red, or its order needs a `red_waiver:`.",
    ].join(" "),
  meddled: (paths: readonly string[]) =>
    `Board files were changed during the turn. Only the foreman may write them, so it restored them: ${paths.join(", ")}`,
  notCompared: "The foreman could not check whether this role changed files that it must not change.",
  absent: (paths: readonly string[]) =>
    `Test files that the report names and that do not exist: ${paths.join(", ")}`,
  reasons: "Why it was rejected",
  said: "What the agent reported (its word, not evidence)",
  saidNothing: "(nothing)",
  /** Text that MAIN has to pass on in full. */
  testFeedback: "Test feedback, word for word",
  clarification: "Clarification request, word for word",
  finalLook: "MAIN wanted to finish; the acceptance commands of all verified tasks were run once more.",
};

export type IterationReportTexts = typeof en;

const zh: IterationReportTexts = {
  title: (iteration, agent, tasks, accepted) =>
    `第 ${iteration} 轮迭代：${agent}${tasks === "" ? "" : `（${tasks}）`}：${accepted ? "通过" : "未通过"}`,
  foreman: "编排器自己的结果",
  nothingRun: "没有运行验收命令。",
  green: "绿灯",
  red: (how) => `红灯（${how}）`,
  notRun: (how) => `未能运行，既非红灯也非绿灯（${how}）`,
  ran: (count, green, notRun) =>
    `验收命令：${count} 条中 ${green} 条绿灯${notRun === 0 ? "" : `，${notRun} 条未能运行`}。`,
  expectedRed: "实现之前，其中至少一条必须是红灯。",
  redBefore: "TEST 原样恢复了之前为红灯的测试，现在可以是绿灯。",
  waived: (why) => `工单豁免了先红灯的要求：${why}`,
  changedByChecks: (paths) => `验收命令自身改动了测试文件，REVIEW 应予检查：${paths.join("、")}`,
  forbidden: (paths) => `该角色不得修改的文件与之前不同：${paths.join("、")}`,
  cutOff: "本轮迭代中有一个回合被打断：改动可能出自该回合或人。",
  unrestored: (paths) =>
    `之前的回合（不是 TEST）改动了测试，尚未恢复：${paths.join("、")}。本回合没有改动它们。`,
  liftedBy: (paths) =>
    `在 ${paths.join("、")} 恢复到违规改动之前的样子（由谁恢复都可以），或 TEST 就其所做的工作通过之前，DEV 的工作和 REVIEW 都不会通过。TEST 若原样恢复之前为红灯的测试，则不需要 \`red_waiver:\`；其他测试必须是红灯，否则工单须写明 \`red_waiver:\`。`,
  meddled: (paths) => `回合期间有人（不是编排器）改动了黑板，已恢复：${paths.join("、")}`,
  notCompared: "无法判断是否改动了该角色不得修改的文件。",
  absent: (paths) => `报告中提到但不存在的测试文件：${paths.join("、")}`,
  reasons: "未通过的原因",
  said: "子代理的报告（仅为其说法，不是证据）",
  saidNothing: "（无）",
  testFeedback: "测试问题反馈（原文）",
  clarification: "澄清请求（原文）",
  finalLook: "MAIN 要求结束；已重新运行所有 VERIFIED 任务的验收命令。",
};

export const iterationReportTexts: Readonly<Record<Lang, IterationReportTexts>> = { en, zh };

/** Missing parts of a report; the details are appended. */
const lackTexts: Readonly<Record<Lang, Readonly<Record<Lack["what"], string>>>> = {
  en: {
    self_test: "SKIPPED is for DEV alone, where the order disables the self-test",
    fault: "no `Fault:`",
    test_files: "no `Test files:`",
    absent_files: "test files that do not exist:",
    commands: "no `Test commands:`",
    coverage: "no `Coverage:` of requirement",
    tasks: "no word about",
  },
  zh: {
    self_test: "SKIPPED 只用于 DEV，且工单须关闭自测",
    fault: "缺少“问题归属”",
    test_files: "缺少“测试文件”",
    absent_files: "测试文件不存在：",
    commands: "缺少“测试命令”",
    coverage: "“覆盖”缺少测试需求",
    tasks: "没有提到",
  },
};

/** Contains foreign text: show it with `visible`. */
export function lackText({ what, about }: Lack, lang: Lang): string {
  const words = lackTexts[lang][what];
  return about.length === 0 ? words : `${words} ${about.join(lang === "en" ? ", " : "、")}`;
}
