import type { BoardFailureCode } from "../../platform/failure.ts";
import type { Lang } from "../../core/settings.ts";
import type { About, FailureText } from "./failure-text.ts";

type Texts = Readonly<Record<BoardFailureCode, (about: About) => FailureText>>;

export const boardFailureTexts: Readonly<Record<Lang, Texts>> = {
  en: {
    board_missing: (a) => ({
      message: `board not found: ${a["path"]}`,
      next: "agent-foreman board init",
    }),
    board_not_a_directory: (a) => ({
      message: `board is not a directory: ${a["path"]}`,
      next: "name the directory that holds dev_plan.md",
    }),
    board_invalid: (a) => ({
      message: `board cannot be used: ${a["path"]} (${a["count"]} ${a["count"] === "1" ? "problem" : "problems"})`,
      ...(a["killed"] === undefined
        ? { next: "fix the files named above; nothing was started" }
        : {
            next: `agent-foreman resume ${a["killed"]}`,
            also: `puts the board right: the foreman was killed during run ${a["killed"]}`,
          }),
    }),
    board_file_exists: (a) => ({
      message: `already there, nothing was written: ${a["path"]}`,
      next: "agent-foreman board show",
      also: "or choose another --board",
    }),
    board_in_use: (a) => ({
      message: `run ${a["runId"]} has not come to its end on this board: ${a["path"]}`,
      next: `agent-foreman ${a["next"]} ${a["runId"]}`,
      also: `or end it: agent-foreman cancel ${a["runId"]}`,
    }),
    board_not_writable: (a) => ({
      message: `board cannot be written: ${a["path"]} (${a["why"]})`,
      next: "choose another --board",
    }),
    iterations_wrong_mode: (a) => ({
      message: `--max-iterations is for runs of orchestrate; ${a["runId"]} is a run of ${a["mode"]}`,
      next: `agent-foreman resume ${a["runId"]}`,
    }),
    iterations_ended: (a) => ({
      message: `run ${a["runId"]} has ended and takes no more iterations`,
      next: `${a["command"]} --max-iterations ${a["count"]}`,
      also: "starts a new run that goes on with its board",
    }),
    iterations_used: (a) => ({
      message: `run ${a["runId"]} has begun ${a["used"]} iterations: --max-iterations ${a["count"]} leaves none`,
      next: `agent-foreman resume ${a["runId"]} --max-iterations ${a["more"]}`,
    }),
  },
  zh: {
    board_missing: (a) => ({
      message: `找不到黑板：${a["path"]}`,
      next: "agent-foreman board init",
    }),
    board_not_a_directory: (a) => ({
      message: `黑板不是目录：${a["path"]}`,
      next: "请指定存放 dev_plan.md 的目录",
    }),
    board_invalid: (a) => ({
      message: `黑板无法使用：${a["path"]}（${a["count"]} 个问题）`,
      ...(a["killed"] === undefined
        ? { next: "请修正以上文件；尚未开始任何工作" }
        : {
            next: `agent-foreman resume ${a["killed"]}`,
            also: `会恢复黑板：运行 ${a["killed"]} 期间 foreman 被强行终止`,
          }),
    }),
    board_file_exists: (a) => ({
      message: `已存在，未写入任何内容：${a["path"]}`,
      next: "agent-foreman board show",
      also: "或换一个 --board",
    }),
    board_in_use: (a) => ({
      message: `运行 ${a["runId"]} 在此黑板上尚未结束：${a["path"]}`,
      next: `agent-foreman ${a["next"]} ${a["runId"]}`,
      also: `或结束它：agent-foreman cancel ${a["runId"]}`,
    }),
    board_not_writable: (a) => ({
      message: `黑板不可写：${a["path"]}（${a["why"]}）`,
      next: "换一个 --board",
    }),
    iterations_wrong_mode: (a) => ({
      message: `--max-iterations 只用于 orchestrate 的运行；${a["runId"]} 是 ${a["mode"]} 的运行`,
      next: `agent-foreman resume ${a["runId"]}`,
    }),
    iterations_ended: (a) => ({
      message: `运行 ${a["runId"]} 已结束，不能再增加迭代`,
      next: `${a["command"]} --max-iterations ${a["count"]}`,
      also: "新的运行会接着这块黑板做",
    }),
    iterations_used: (a) => ({
      message: `运行 ${a["runId"]} 已开始 ${a["used"]} 轮迭代：--max-iterations ${a["count"]} 不够再做一轮`,
      next: `agent-foreman resume ${a["runId"]} --max-iterations ${a["more"]}`,
    }),
  },
};
