import type { PROTECTED_OPTIONS } from "../../core/question-options.ts";
import type { ProtectedChange } from "../../core/evidence/change.ts";
import type { SetUpProblem, Weakness } from "../../core/evidence/event.ts";
import type { Lang } from "../../core/settings.ts";
import { plural } from "../../text/plural.ts";
import { diffTexts } from "./room-diff.ts";

/** The result of a test compared with the base. */
export type TestKind =
  | "regressed"
  | "already_failing"
  | "new_failing"
  | "failing"
  | "vanished"
  | "skipped_now"
  | "revived"
  | "unproven"
  | "flaky";

/** Dependencies that could not be installed for checks. Values arrive escaped. */
export interface MissingSetUp {
  readonly command: string;
  readonly problem: SetUpProblem;
  readonly subject: string;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly added: number;
}

/** Messages about the base, tests by name, and changes that need a decision. Values arrive escaped. */
const en = {
  base: "base",
  baseTests: (tests: number, failed: number, skipped: number) =>
    [
      plural(tests, "test"),
      ...(failed > 0 ? [`${failed} ${failed === 1 ? "fails" : "fail"} already`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ].join(", "),
  baseKnown: (run: string) => `known from run ${run}`,
  baseTaken: (files: number, protectedFiles: number) =>
    `${plural(files, "file")}, ${protectedFiles} of them protected`,
  weak: {
    no_git:
      "not a git repository, or another user's that git refuses (git config --global --add safe.directory <path>): ignored files and files that git would restore are unknown",
    no_commit: "no commit yet: work is compared with the files at the start of the run",
    no_overlay: "no overlay here: checks run in a copy of the files, at another path",
    ignored_unknown: "ignored files could not be read: changes in them are not noticed",
    best_effort: "best-effort containment: a hidden process could change files during the checks",
    tests_not_seen: "no test command reported its tests by name: only exit codes were compared",
  } satisfies Record<Weakness, string>,
  inherited: (runId: string, files: string) =>
    `run ${runId} was not accepted and left protected files changed: ${files}. Checks use the original versions`,
  inheritedWayOut: (commands: readonly string[]) =>
    [
      ...(commands.length === 0 ? [] : [`To put the originals back: ${commands.join("; ")}.`]),
      "To keep the current files: start again with --accept-tree",
    ].join(" "),
  noCleanRoom: "checks ran in the work tree itself (--no-clean-room)",

  counts: ({ passed, failed, skipped, added }: TestCounts) =>
    [
      `${passed} passed${added > 0 ? ` (${added} new)` : ""}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      `${skipped} skipped`,
    ].join(", "),
  failedOf: (failed: number, tests: number) => `${failed} of ${tests} failed`,
  kind: {
    regressed: "now failing (passed before)",
    already_failing: "still failing (failed before)",
    new_failing: "new test, failing",
    failing: "failing",
    vanished: "no longer runs",
    skipped_now: "now skipped",
    revived: "passes without the work",
    unproven: "proves nothing",
    flaky: "flaky",
  } satisfies Record<TestKind, string>,
  andMore: (count: number) => `and ${count} more`,
  installed: (commands: string) => `dependencies changed; installed for the checks by ${commands}`,
  endMissing: "DEPENDENCIES changed and cannot be installed for the checks",
  setupFailed: (command: string, exit: string) => `--setup failed: ${command} (exit ${exit})`,
  notRunAfterSetup: "not run, because --setup failed",
  missing: ({ command, problem, subject }: MissingSetUp) => {
    switch (problem) {
      case "no_tool":
        return `${subject} is not on the PATH; ${command} needs it`;
      case "no_registry":
        return `${command} could not reach the registry, or was refused access`;
      case "failed":
        return `${command} failed`;
      case "replaced":
        return `${subject} came from a registry on the base and now comes from somewhere else`;
    }
  },
  useSetUp: (command: string) =>
    `fix that and resume, or start a run with your own set-up: --setup ${command}`,
  flaky: "failed, then passed on the same files",
  withCandidateTests: (how: string) => `with the agent's tests: ${how}`,
  withBaseTests: (how: string) => `with the original tests: ${how}`,
  onlyWithCandidateTests: "only with the agent's tests",
  passedOnlyWithAgentTests: (tests: readonly string[]) =>
    `${tests.join(" and ")} passed only with the agent's tests`,

  how: { changed: "changed", extended: "added to", deleted: "deleted", added: "new" } satisfies Record<
    ProtectedChange["how"],
    string
  >,
  changed: (files: string) => `the agent modified protected files: ${files}`,
  edited: (files: string, inSteps: boolean) =>
    `protected files edited; the original tests ${inSteps ? "passed at that step" : "pass"}, too: ${files}`,
  extended: (files: string) => `lines were added to test files: ${files}`,
  allowed: (files: string) => `changed as allowed: ${files}`,
  programs: (names: string) => `programs or settings outside the work tree were changed: ${names}`,
  hidden: (paths: string) => `changed ignored files, which checks do not see: ${paths}`,

  asked: "asked: may the agent's changes of protected files stay?",
  held: "HELD for you: the agent modified protected files (oracle_changed)",
  agentSays: (evidence: string) => `the agent says: ${evidence}`,
  diff: diffTexts.en,
  options: {
    allow: "accept the work with these changes; recorded as your decision",
    refuse: "reject the attempt; the feedback asks the agent to restore the files",
  } satisfies Record<(typeof PROTECTED_OPTIONS)[number], string>,
  chose: {
    allow: "a person decided: the changed tests may stay (allow)",
    refuse: "a person decided: the changed tests may not stay (refuse)",
  } satisfies Record<(typeof PROTECTED_OPTIONS)[number], string>,
  refused: "a person refused these changes of protected files",
  allowedByPerson: "changed tests allowed by a person",
  label: {
    files: "files",
    weaker: "weaker",
    person: "allowed",
    edited: "edited",
    tests: "tests",
    hidden: "hidden",
    wayOut: "or",
    silenced: "silence",
  },
  silenced: (count: number, comment: string, files: string) => `${count} × ${comment} added: ${files}`,
  byFlag: (files: string) => `${files} (--allow-oracle-change)`,
  mayAllow:
    "if you want these changes: --allow-oracle-change PATTERN, or run on a terminal and answer the question",
  setUp: "--setup COMMAND creates what tests need besides the tree",
};

export type RoomTexts = typeof en;

const zh: RoomTexts = {
  base: "基线",
  baseTests: (tests, failed, skipped) =>
    [
      `${tests} 个测试`,
      ...(failed > 0 ? [`${failed} 个原本就失败`] : []),
      ...(skipped > 0 ? [`${skipped} 个跳过`] : []),
    ].join("，"),
  baseKnown: (run) => `沿用运行 ${run} 的结果`,
  baseTaken: (files, protectedFiles) => `${files} 个文件，其中 ${protectedFiles} 个决定测试结果`,
  weak: {
    no_git:
      "不是 git 仓库，或属于其他用户而被 git 拒绝（git config --global --add safe.directory <路径>）：无法区分被忽略的文件，也无法用 git 恢复",
    no_commit: "尚无提交：以运行开始时的文件为准进行比较",
    no_overlay: "此处没有 overlay：检查在另一路径的文件副本中运行",
    ignored_unknown: "无法查看被忽略的文件：其中留下的内容不会被发现",
    best_effort: "隔离为尽力而为：隐藏的进程可能在检查期间改动文件",
    tests_not_seen: "测试命令没有按名称报告测试：只比较了退出码",
  },
  inherited: (runId, files) =>
    `运行 ${runId} 未通过验收，却留下了改动过的受保护文件：${files}。检查使用其原始版本`,
  inheritedWayOut: (commands) =>
    [
      ...(commands.length === 0 ? [] : [`恢复原始版本：${commands.join("; ")}。`]),
      "按现状采用这些文件：加上 --accept-tree 重新启动",
    ].join(""),
  noCleanRoom: "检查直接在 agent 留下的工作区中运行 (--no-clean-room)",

  counts: ({ passed, failed, skipped, added }) =>
    [
      `${passed} 个通过${added > 0 ? `（${added} 个新增）` : ""}`,
      ...(failed > 0 ? [`${failed} 个失败`] : []),
      `${skipped} 个跳过`,
    ].join("，"),
  failedOf: (failed, tests) => `${tests} 个中 ${failed} 个失败`,
  kind: {
    regressed: "现在失败（之前通过）",
    already_failing: "仍然失败（之前也失败）",
    new_failing: "新测试，失败",
    failing: "失败",
    vanished: "不再运行",
    skipped_now: "现被跳过",
    revived: "被改为通过",
    unproven: "没有证明力",
    flaky: "不稳定",
  },
  andMore: (count) => `等另外 ${count} 项`,
  installed: (commands) => `依赖已更改；已为检查安装：${commands}`,
  endMissing: "依赖已更改，但无法为检查安装",
  setupFailed: (command, exit) => `--setup 失败：${command}（退出码 ${exit}）`,
  notRunAfterSetup: "--setup 失败，未运行",
  missing: ({ command, problem, subject }) => {
    switch (problem) {
      case "no_tool":
        return `PATH 中没有 ${subject}；${command} 需要它`;
      case "no_registry":
        return `${command} 无法连接软件源，或被拒绝访问`;
      case "failed":
        return `${command} 失败`;
      case "replaced":
        return `${subject} 在基准中来自软件源，现在来自别处`;
    }
  },
  useSetUp: (command) => `解决后 resume，或用自己的准备命令开始新的运行：--setup ${command}`,
  flaky: "先失败，在相同文件上重跑后通过",
  withCandidateTests: (how) => `使用 agent 留下的测试：${how}`,
  withBaseTests: (how) => `使用原来的测试：${how}`,
  onlyWithCandidateTests: "仅使用 agent 的测试时通过",
  passedOnlyWithAgentTests: (tests) => `${tests.join("和")}仅在使用 agent 的测试时通过`,

  how: { changed: "已改动", extended: "有增补", deleted: "已删除", added: "新增" },
  changed: (files) => `agent 修改了受保护的文件：${files}`,
  edited: (files, inSteps) =>
    `受保护的文件有修改，${inSteps ? "在该步骤中" : ""}原来的测试同样通过：${files}`,
  extended: (files) => `以下测试文件增加了行：${files}`,
  allowed: (files) => `按允许改动：${files}`,
  programs: (names) => `工作树之外的程序或设置被改动：${names}`,
  hidden: (paths) => `以下被忽略的文件与基线不同，检查看不到它们：${paths}`,

  asked: "提问：agent 对受保护文件的修改可以保留吗？",
  held: "等待你决定：agent 修改了受保护的文件 (oracle_changed)",
  agentSays: (evidence) => `agent 说明：${evidence}`,
  diff: diffTexts.zh,
  options: {
    allow: "连同这些改动一起接受；记录为你的决定",
    refuse: "判定本轮未通过；告知 agent 恢复这些文件",
  },
  chose: {
    allow: "人工决定：改动的测试可以保留 (allow)",
    refuse: "人工决定：改动的测试不得保留 (refuse)",
  },
  refused: "人已拒绝对受保护文件的这些修改",
  allowedByPerson: "改动的测试由人工允许",
  label: {
    files: "文件",
    weaker: "较弱",
    person: "已允许",
    edited: "有修改",
    tests: "测试",
    hidden: "隐藏",
    wayOut: "或者",
    silenced: "压制",
  },
  silenced: (count, comment, files) => `新增 ${count} 处 ${comment}：${files}`,
  byFlag: (files) => `${files}（--allow-oracle-change）`,
  mayAllow: "若这些改动是有意的：用 --allow-oracle-change PATTERN，或在终端中运行，届时会询问你",
  setUp: "测试在工作树之外所需的内容由 --setup COMMAND 准备",
};

export const roomTexts: Readonly<Record<Lang, RoomTexts>> = { en, zh };
