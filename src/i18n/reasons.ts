import type { Lang } from "../domain/settings.ts";
import type { Reason } from "../domain/reason.ts";
import type { Lack } from "../domain/verdict-role.ts";

/** Why an attempt was rejected, for people. */
type ReasonTexts = Readonly<Record<Reason, string>>;

const en: ReasonTexts = {
  missing_or_invalid_status_marker: "no valid status marker",
  missing_evidence_marker: "DONE without evidence",
  agent_needs_work: "the agent said work is left",
  agent_blocked: "the agent said it is blocked",
  agent_exit_nonzero: "the agent did not exit with 0",
  agent_execution_error: "the agent could not be started",
  output_cap_exceeded: "too much output",
  timeout: "time limit reached",
  stalled: "the agent stood still",
  budget_reached: "the budget was used up during the turn",
  agent_asked_person: "the agent asked a person",
  agent_refused: "the agent declined the task",
  agent_own_limit: "the agent ran into a limit of its own",
  agent_crashed: "the agent ended with an error",
  agent_no_output: "the agent said nothing",
  agent_protocol_error: "the agent's output ended without a result",
  fast_test_failed: "fast tests failed",
  full_test_failed: "full tests failed",
  test_execution_error: "the test could not be started",
  unit_test_refused: "the unit test that the agent named is refused",
  unit_test_failed: "unit test failed",
  verification_failed: "verification failed",
  verification_missing: "verification gave no verdict",
  verifier_failed: "the verifier's turn failed",
  verifier_changed_tree: "the verifier changed the work tree",
  analysis_unusable: "the answer cannot be used as steps",
  agent_changed_tree: "the agent changed the work tree",
  report_without_conclusion: "the report has no conclusion",
  report_incomplete: "the report lacks what it has to say",
  role_failed: "the role itself said FAIL",
  role_blocked: "the role said that it is blocked",
  forbidden_change: "files were changed that are not the role's",
  not_red: "no acceptance command failed, so that nothing is tested yet",
  acceptance_not_runnable: "an acceptance command could not be run",
  acceptance_failed: "an acceptance command failed",
  check_failed: "a check failed",
  review_rejected: "the reviewer did not call it completed",
  review_failed: "the reviewer's turn failed",
  review_empty: "the reviewer said nothing",
  tree_changed_in_review: "the work tree was changed during the review",
};

const zh: ReasonTexts = {
  missing_or_invalid_status_marker: "没有有效的状态标记",
  missing_evidence_marker: "声明 DONE 但没有证据",
  agent_needs_work: "agent 声明工作未完成",
  agent_blocked: "agent 声明被阻塞",
  agent_exit_nonzero: "agent 没有以 0 退出",
  agent_execution_error: "agent 无法启动",
  output_cap_exceeded: "输出超过上限",
  timeout: "超时",
  stalled: "agent 长时间没有动静",
  budget_reached: "回合中预算用完",
  agent_asked_person: "agent 向人提问",
  agent_refused: "agent 拒绝了任务",
  agent_own_limit: "agent 达到自身限制",
  agent_crashed: "agent 因错误结束",
  agent_no_output: "agent 没有输出",
  agent_protocol_error: "agent 的输出没有结果",
  fast_test_failed: "快测失败",
  full_test_failed: "全量测试失败",
  test_execution_error: "测试无法启动",
  unit_test_refused: "agent 给出的单元测试命令被拒绝",
  unit_test_failed: "单元测试失败",
  verification_failed: "verification 验证未通过",
  verification_missing: "验证没有给出结论",
  verifier_failed: "验证者执行失败",
  verifier_changed_tree: "验证者改动了工作区",
  analysis_unusable: "回答无法用作步骤",
  agent_changed_tree: "agent 改动了工作区",
  report_without_conclusion: "报告没有结论",
  report_incomplete: "报告缺少必需的内容",
  role_failed: "角色自己声明 FAIL",
  role_blocked: "角色声明被阻塞",
  forbidden_change: "改动了不属于该角色的文件",
  not_red: "没有验收命令失败，说明还没有测到东西",
  acceptance_not_runnable: "有验收命令无法运行",
  acceptance_failed: "有验收命令失败",
  check_failed: "有检查失败",
  review_rejected: "评审者没有认定完成",
  review_failed: "评审者执行失败",
  review_empty: "评审者什么也没说",
  tree_changed_in_review: "评审期间工作区被改动",
};

export const reasonTexts: Readonly<Record<Lang, ReasonTexts>> = { en, zh };

/** What a report has to say and does not; what it is about is added. */
const lackTexts: Readonly<Record<Lang, Readonly<Record<Lack["what"], string>>>> = {
  en: {
    self_test: "SKIPPED is for DEV alone, where the order disables the self-test",
    fault: "no `Fault:`",
    test_files: "no `Test files:`",
    absent_files: "test files that are not there:",
    commands: "no `Test commands:`",
    coverage: "no `Coverage:` of requirement",
    tasks: "not a word about",
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

/** Holds foreign text: show it with `visible`. */
export function lackText({ what, about }: Lack, lang: Lang): string {
  const words = lackTexts[lang][what];
  return about.length === 0 ? words : `${words} ${about.join(lang === "en" ? ", " : "、")}`;
}
