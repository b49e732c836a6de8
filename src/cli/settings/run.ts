import { DEFAULT_ON_STUCK, ON_STUCK } from "../../core/settings.ts";
import { configured, flagOnly } from "./setting.ts";
import { choice, patterns, text, yesNo } from "./value-types.ts";

/** Settings of a run's input and output. */
export const runSettings = {
  onStuck: configured("on_stuck", {
    about:
      "What `supervise` and `run` do when attempts lead nowhere: stop, go on, or have another agent work",
    flag: "--on-stuck <what>",
    help: { en: "what to do when attempts lead nowhere", zh: "多轮尝试没有进展时怎么办" },
    of: { supervise: { default: DEFAULT_ON_STUCK.supervise }, run: { default: DEFAULT_ON_STUCK.run } },
    type: choice(ON_STUCK),
    default: null,
    empty: "byCommand",
  }),
  lang: configured("lang", {
    about: "Language of messages",
    flag: "--lang <lang>",
    help: { en: "language of messages (default: by locale)", zh: "消息语言（默认按 locale）" },
    type: choice(["zh", "en"]),
    default: null,
    empty: "byLocale",
  }),
  task: flagOnly("--task <text>", { help: { en: "what is to be done", zh: "任务" }, type: text }),
  planFile: flagOnly("--plan-file <path>", {
    help: { en: "the plan the agent works by", zh: "计划文件" },
    type: text,
  }),
  out: flagOnly("--out <dir>", {
    help: {
      en: "directory to write the steps to (default: ./<name>需求实现步骤, named by the agent)",
      zh: "步骤写入的目录（默认：./<名称>需求实现步骤，名称由 agent 给出）",
    },
    type: text,
  }),
  fullVerify: flagOnly("--full-verify", {
    help: {
      en: "test and verify steps again that are done; re-open those that fail",
      zh: "重新测试并验证已完成的步骤；失败的重新打开",
    },
    type: yesNo,
    default: false,
  }),
  reverify: flagOnly("--no-reverify", {
    help: {
      en: "with --full-verify: believe the agent about a step that was re-opened",
      zh: "与 --full-verify 同用：重新打开的步骤只看 agent 是否执行成功",
    },
    type: yesNo,
    default: true,
  }),
  only: flagOnly("--only <NNN...>", {
    help: { en: "only these steps, by number", zh: "只执行这些序号的步骤" },
    type: patterns,
  }),
  from: flagOnly("--from <NNN>", {
    help: { en: "only this step and those after it", zh: "从该序号的步骤开始执行" },
    type: text,
  }),
  dryRun: flagOnly("--dry-run", {
    help: { en: "say what would be done; start and write nothing", zh: "只说明将要做什么，不启动也不写入" },
    of: {
      analyze: {
        help: {
          en: "ask the agent and print the steps, but write none of them",
          zh: "照常询问 agent 并显示步骤，但不写入步骤文件",
        },
      },
    },
    type: yesNo,
    default: false,
  }),
  board: flagOnly("--board <dir>", {
    help: {
      en: "directory of the board (default: blackboard in the work directory)",
      zh: "黑板目录（默认：工作目录下的 blackboard）",
    },
    type: text,
  }),
  now: flagOnly("--now", {
    help: {
      en: "ask the agents at once, whatever they said about when to come back",
      zh: "立即询问 agent，不管它们说何时恢复",
    },
    type: yesNo,
    default: false,
  }),
  cwd: flagOnly("--cwd <dir>", {
    help: {
      en: "directory the commands run in (default: here)",
      zh: "命令的执行目录（默认：当前目录）",
    },
    type: text,
  }),
  report: flagOnly("--report <path>", {
    help: {
      en: "where the report goes (default: ./goldagent-{verb}-report-<run-id>.json)",
      zh: "报告路径（默认：./goldagent-{verb}-report-<run-id>.json）",
    },
    inChatNeeds: "--supervisor",
    type: text,
  }),
  force: flagOnly("--force", {
    help: { en: "allow commands that look dangerous", zh: "放行看似危险的命令" },
    type: yesNo,
    default: false,
  }),
  json: flagOnly("--json", {
    help: { en: "print events as NDJSON on stdout", zh: "在 stdout 输出 NDJSON 事件" },
    excludes: "quiet",
    inChatNeeds: "--print",
    type: yesNo,
  }),
  quiet: flagOnly("--quiet", {
    help: { en: "print the summary only", zh: "只输出摘要" },
    inChatNeeds: "--print",
    type: yesNo,
  }),
  verbose: flagOnly("--verbose", {
    help: { en: "show the agent's output, or what it does, as it comes", zh: "实时显示 agent 的输出或动作" },
    inChatNeeds: "--print",
    type: yesNo,
  }),
};
