import { DEFAULT_MARKER, DEFAULT_WAITING_MARKER } from "../../modes/chat/completed.ts";
import { configured, flagOnly } from "./setting.ts";
import { agentName, commands, marker, text, whole, yesNo } from "./value-types.ts";

/** Settings of `chat`. */
export const chatSettings = {
  agent: configured("chat.agent", {
    about: "The agent or profile that `chat` starts. Without it `claude`",
    flag: "--agent <name>",
    help: { en: "whom you work with", zh: "与谁一起工作" },
    type: agentName,
    default: "claude",
  }),
  reviewer: configured("chat.reviewer", {
    about: "The agent or profile that reviews. Without it the one that `chat` starts",
    flag: "--reviewer <name>",
    help: {
      en: "who reviews (default: the same agent, in a read-only fork of the session)",
      zh: "由谁评审（默认：同一 agent，在会话的只读分支中）",
    },
    inChatNeeds: "--supervisor",
    type: agentName,
    default: null,
    empty: "sameAgent",
  }),
  marker: configured("chat.marker", {
    about: "The line by which the reviewer calls a task completed",
    flag: "--marker <line>",
    help: { en: "line by which the reviewer calls the task completed", zh: "评审者用以表示任务完成的一行" },
    inChatNeeds: "--supervisor",
    type: marker,
    default: DEFAULT_MARKER,
  }),
  waitingMarker: configured("chat.waiting_marker", {
    about: "The line by which the reviewer reports that the agent waits for an answer of the user",
    flag: "--waiting-marker <line>",
    help: {
      en: "line by which the reviewer reports that the agent waits for your answer",
      zh: "评审者用以表示 agent 在等你回答的一行",
    },
    inChatNeeds: "--supervisor",
    type: marker,
    default: DEFAULT_WAITING_MARKER,
  }),
  maxReviews: configured("chat.max_reviews", {
    about: "Reviews of a task before it is given up as not accepted",
    flag: "--max-reviews <n>",
    help: { en: "reviews per task", zh: "每个任务的评审次数" },
    inChatNeeds: "--supervisor",
    type: whole(1, 100),
    default: 5,
  }),
  checks: configured("chat.checks", {
    about: "Shell commands that have to succeed before a task is accepted",
    flag: "--check <command>",
    help: {
      en: "command that has to pass before a task is accepted; may be repeated",
      zh: "任务被接受前必须通过的命令；可重复",
    },
    inChatNeeds: "--supervisor",
    type: commands,
    default: [],
  }),
  supervisor: flagOnly("--supervisor", {
    help: {
      en: "review the work whenever the agent stops, and say to it what is missing",
      zh: "每当 agent 停下就评审，并把缺少的内容告诉它",
    },
    type: yesNo,
  }),
  print: flagOnly("--print <prompt>", {
    help: {
      en: "the same loop without a terminal, for scripts; - reads the prompt from standard input",
      zh: "无终端的同一循环，供脚本使用；- 表示从标准输入读取提示",
    },
    type: text,
  }),
  global: flagOnly("--global", {
    help: { en: "with init: for all your projects", zh: "与 init 一起：用于你的所有项目" },
    type: yesNo,
  }),
};
