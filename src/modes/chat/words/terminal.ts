import type { DropReason, Reviews } from "../../../core/chat/event.ts";
import type { Lang } from "../../../core/settings.ts";
import { plural } from "../../../text/plural.ts";

export type ChatHint =
  | "check"
  | "accepted"
  | "paused"
  | "stopped"
  | "waitsForYou"
  | "waitsForReviewer"
  | Extract<
      DropReason,
      | "review_failed"
      | "unavailable"
      | "budget_reached"
      | "skipped"
      | "not_taken"
      | "tree_changed"
      | "waiting_for_user"
    >;

/** The words about a reviewed conversation. Values come formatted and made safe. */
const en = {
  upTo: (reviews: number) => `up to ${plural(reviews, "review")} a task`,
  checkPassed: (command: string) => `passed: ${command}`,
  checkFailed: (command: string, how: string) => `failed: ${command}, ${how}`,
  completed: "completed",
  notCompleted: (words: string) => `not completed${words === "" ? "" : `: ${words}`}`,
  waits: (question: string) => `waits for your answer${question === "" ? "" : `: ${question}`}`,
  reviewFailed: (how: string) => `failed: ${how}`,
  misled: "what the reviewer was told was changed meanwhile",
  reviewEmpty: "the reviewer said nothing",
  meddled: (files: string) => `files were changed during the review, look at them: ${files}`,
  unreadLines: (count: number) =>
    `${count} ${count === 1 ? "line" : "lines"} of the stream could not be understood; went on without`,
  notCompared: "the work tree could not be compared before and after the review",

  endAccepted: (review: number, limit: number) => `ACCEPTED at review ${review} of ${limit}`,
  endRejected: (used: number, limit: number) => `REJECTED after ${used} of ${limit} reviews`,
  /** Some attempts failed before they could be reviewed. */
  endUnreviewed: (attempts: number, reviews: number) =>
    `REJECTED after ${plural(attempts, "attempt")}, ${plural(reviews, "review")}`,
  endReviewFailed: "NOT ACCEPTED: the review could not be carried out",
  endLeft: "NOT ACCEPTED: the agent was left before the last task was accepted",
  endWaiting: "NOT ACCEPTED YET: the agent waits for your answer",
  endNothingAsked: "NOTHING was asked",
  endAgentFailed: (how: string) => `FAILED: the agent ended before anything was asked: ${how}`,

  tasks: (count: number) => plural(count, "task"),
  accepted: (count: number) => `${count} accepted`,
  /** All allowed reviews found a problem. */
  exhausted: (count: number, reviews: number) => `${count} not accepted after ${plural(reviews, "review")}`,
  waiting: (count: number) => `${count} asked you something`,
  notAccepted: (count: number) => `${count} not accepted`,
  notReviewed: (count: number) => `${count} not reviewed`,
  nothingAsked: "nothing was asked",
  agentFailed: (how: string) => `the agent ended before anything was asked: ${how}`,
  interrupted: "interrupted",
  brokenOff: (reviews: number) => `${plural(reviews, "review")} broken off`,
  agentKilled: (signal: string) => `the agent was killed by ${signal}`,

  hint: {
    check: "check…",
    accepted: "accepted",
    paused: "paused",
    stopped: "reviews stopped",
    waitsForYou: "waits for you to stop typing",
    waitsForReviewer: "waits for the reviewer",
    review_failed: "review failed",
    unavailable: "no reviewer available",
    budget_reached: "not reviewed: budget used up",
    skipped: "review skipped",
    not_taken: "feedback was not taken",
    tree_changed: "not accepted: files changed during the review",
    waiting_for_user: "waits for your answer",
  } satisfies Record<ChatHint, string>,
  hintReview: (review: number, limit: number) => `review ${review}/${limit}…`,
  hintExhausted: (reviews: number, runId: string) =>
    `not accepted: ${plural(reviews, "review")} used; agent-foreman show ${runId}`,

  story: {
    reviewer: "review",
    checks: "checks",
    session: "session",
    started: "the agent was started in the terminal",
    resumed: (session: string) => `the agent was started in the terminal with session ${session}`,
    input: (task: number, text: string) => `> task ${task}${text === "" ? "" : `: ${text}`}`,
    takenBack: (task: number) => `task ${task} is back in the input box; nothing was done about it`,
    stops: (said: string) => `the agent stopped${said === "" ? "" : `: ${said}`}`,
    left: (how: string) => `the agent left the terminal: ${how}`,
    feedbackSent: "→ sent to the agent",
    dropped: {
      new_input: "nothing sent: you asked for something else",
      went_on: "nothing sent: the agent went on by itself",
      skipped: "skipped by you",
      unavailable: "not reviewed: no reviewer was available",
      budget_reached: "not reviewed: the budget is used up",
      review_failed: "nothing sent: the review failed",
      waiting_for_user: "nothing sent: the agent waits for your answer",
      limit_reached: "not accepted: no review is left",
      not_taken: "not sent: the agent did not take what was typed",
      tree_changed: "not accepted: files changed during the review",
    } satisfies Record<DropReason, string>,
    reviews: {
      on: "reviews go on",
      paused: "reviews paused",
      stopped: "reviews stopped",
    } satisfies Record<Reviews, string>,
    reviewBrokenOff: (review: number, limit: number) => `review ${review}/${limit} was broken off; it counts`,
    reviewLost: "the review was lost with agent-foreman; it does not count",
    reviewUnderWay: "review under way",
    waitsForPerson: "the agent has the terminal",
  },
};

export type ChatTerms = typeof en;

const zh: ChatTerms = {
  upTo: (reviews) => `每个任务最多 ${reviews} 次评审`,
  checkPassed: (command) => `通过：${command}`,
  checkFailed: (command, how) => `失败：${command}，${how}`,
  completed: "已完成",
  notCompleted: (words) => `未完成${words === "" ? "" : `：${words}`}`,
  waits: (question) => `等你回答${question === "" ? "" : `：${question}`}`,
  reviewFailed: (how) => `失败：${how}`,
  misled: "给评审者的内容被改动",
  reviewEmpty: "评审者什么也没说",
  meddled: (files) => `评审期间有文件被改动，请查看：${files}`,
  unreadLines: (count) => `流中有 ${count} 行无法理解，已跳过`,
  notCompared: "无法在评审前后比较工作区",

  endAccepted: (review, limit) => `通过：第 ${review}/${limit} 次评审`,
  endRejected: (used, limit) =>
    used >= limit ? `未通过：${limit} 次评审已用完` : `未通过：已用 ${used}/${limit} 次评审`,
  endUnreviewed: (attempts, reviews) => `未通过：${attempts} 次尝试，${reviews} 次评审`,
  endReviewFailed: "未通过：评审无法进行",
  endLeft: "未通过：最后一个任务通过之前 agent 已退出",
  endWaiting: "尚未通过：agent 在等你回答",
  endNothingAsked: "没有提出任何要求",
  endAgentFailed: (how) => `失败：尚未提出要求 agent 就已结束：${how}`,

  tasks: (count) => `${count} 个任务`,
  accepted: (count) => `${count} 个通过`,
  exhausted: (count, reviews) => `${count} 个经 ${reviews} 次评审未通过`,
  waiting: (count) => `${count} 个向你提问`,
  notAccepted: (count) => `${count} 个未通过`,
  notReviewed: (count) => `${count} 个未评审`,
  nothingAsked: "没有提出任何要求",
  agentFailed: (how) => `尚未提出要求 agent 就已结束：${how}`,
  interrupted: "已中断",
  brokenOff: (reviews) => `${reviews} 次评审被打断`,
  agentKilled: (signal) => `agent 被 ${signal} 终止`,

  hint: {
    check: "检查…",
    accepted: "通过",
    paused: "已暂停",
    stopped: "评审已停止",
    waitsForYou: "等你停止输入",
    waitsForReviewer: "等待评审者",
    review_failed: "评审失败",
    unavailable: "没有可用的评审者",
    budget_reached: "未评审：预算已用完",
    skipped: "已跳过评审",
    not_taken: "反馈未被接收",
    tree_changed: "未接受：评审期间文件有变化",
    waiting_for_user: "等你回答",
  },
  hintReview: (review, limit) => `评审 ${review}/${limit}…`,
  hintExhausted: (reviews, runId) => `未通过：${reviews} 次评审已用完；agent-foreman show ${runId}`,

  story: {
    reviewer: "评审",
    checks: "检查",
    session: "会话",
    started: "agent 已在终端中启动",
    resumed: (session) => `agent 已在终端中启动，会话 ${session}`,
    input: (task, text) => `> 任务 ${task}${text === "" ? "" : `：${text}`}`,
    takenBack: (task) => `任务 ${task} 已退回输入框，没有执行`,
    stops: (said) => `agent 停下${said === "" ? "" : `：${said}`}`,
    left: (how) => `agent 离开终端：${how}`,
    feedbackSent: "→ 已发给 agent",
    dropped: {
      new_input: "未发送：你提出了别的要求",
      went_on: "未发送：agent 自行继续",
      skipped: "你跳过了评审",
      unavailable: "未评审：没有可用的评审者",
      budget_reached: "未评审：预算已用完",
      review_failed: "未发送：评审失败",
      waiting_for_user: "未发送：agent 在等你回答",
      limit_reached: "未通过：评审次数已用完",
      not_taken: "未发送：agent 没有接收输入",
      tree_changed: "未接受：评审期间文件有变化",
    },
    reviews: {
      on: "评审继续",
      paused: "评审已暂停",
      stopped: "评审已停止",
    },
    reviewBrokenOff: (review, limit) => `第 ${review}/${limit} 次评审被打断，仍计入次数`,
    reviewLost: "agent-foreman 中断，这次评审丢失，不计入次数",
    reviewUnderWay: "评审正在执行",
    waitsForPerson: "终端由 agent 使用",
  },
};

export const chatTerms: Readonly<Record<Lang, ChatTerms>> = { en, zh };
