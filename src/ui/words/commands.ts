import type { Lang } from "../../core/settings.ts";
import type { RunStatus } from "../../core/run-status.ts";

const SET_UP = `
  bash   echo 'source <(agent-foreman completion bash)' >> ~/.bashrc
  zsh    echo 'source <(agent-foreman completion zsh)' >> ~/.zshrc    (after compinit)
  fish   echo 'agent-foreman completion fish | source' >> ~/.config/fish/config.fish`;

/** The words of `runs`, `show` and `completion`. Values come made safe. */
const en = {
  /** Names the chosen run if the person named none. */
  lastHere: (runId: string) => `run ${runId}: the last one here`,
  /** Not the last run here, but the last one that the command can take. */
  lastOfKind: {
    resume: (runId: string, newest: string) =>
      `run ${runId}: the last one here that can go on; the last one, ${newest}, cannot`,
    decide: (runId: string, newest: string) =>
      `run ${runId}: the last one here that asks you; the last one, ${newest}, does not`,
  },
  runs: {
    header: {
      run: "RUN",
      mode: "MODE",
      state: "STATE",
      at: "AT",
      time: "TIME",
      waited: "WAITED",
      cost: "COST",
      task: "TASK",
    },
    status: {
      asks_you: "asks you",
      running: "running",
      waiting: "waiting",
      budget_reached: "at its budget",
      wait_limit_reached: "at its wait limit",
      no_agent_available: "no agent",
      no_verdict: "no verdict",
      steps_dir_exists: "directory exists",
      dependencies_missing: "no dependencies",
      waiting_for_user: "had a question",
      interrupted: "interrupted",
      superseded: "replaced",
      accepted: "accepted",
      marked_passed: "marked passed",
      rejected: "rejected",
      marked_failed: "marked failed",
      cancelled: "cancelled",
      not_started: "not started",
      nothing_to_do: "nothing to do",
      damaged: "damaged",
    } satisfies Record<RunStatus, string>,
    /** For a run that asks about changed tests. */
    held: "held for you",
    supersededBy: (runId: string) => `replaced by ${runId}`,
    problem: (code: string, line: number | null) => (line === null ? code : `${code} at line ${line}`),
    none: "No runs yet: agent-foreman demo",
  },
  show: {
    label: {
      task: "task",
      agent: "agent",
      cwd: "cwd",
      files: "files",
      transcripts: "output",
      report: "report",
      journal: "journal",
      next: "next",
    },
    runningAt: (attempt: number, limit: number) => `RUNNING attempt ${attempt} of ${limit}`,
    runningStep: (place: string) => `RUNNING ${place}`,
    superseded: (runId: string) => `REPLACED by run ${runId}, which has worked on these steps since`,
    damaged: "DAMAGED: this is what can be read of its journal",
    unreadable: "DAMAGED: nothing of its journal can be read",
    breaks: (line: number | null, why: string) =>
      line === null ? "the journal holds no record" : `the journal breaks at line ${line}: ${why}`,
    fileIs: {
      gone: (path: string) => `gone: ${path}`,
      changed: (path: string) => `changed since it was recorded: ${path}`,
    },
    testsUnderWay: "tests under way",
    reportLater: " (written when the run ends)",
    reportGone: (runId: string) => ` (gone: agent-foreman resume ${runId} writes it again)`,
    torn: (bytes: number) => ` (ends in ${bytes} bytes of a write that was cut off; they do not count)`,
  },
  completion: {
    about: "print a script that lets a shell complete commands, flags and run ids",
    shell: "the shell",
    setUp: `\nSet it up:${SET_UP}`,
  },
};

export type CommandTexts = typeof en;

const zh: CommandTexts = {
  lastHere: (runId) => `运行 ${runId}：此处最近的一次`,
  lastOfKind: {
    resume: (runId, newest) => `运行 ${runId}：此处最近一次可以继续的运行；最近的 ${newest} 不能继续`,
    decide: (runId, newest) => `运行 ${runId}：此处最近一次等你决定的运行；最近的 ${newest} 没有问题`,
  },
  runs: {
    header: {
      run: "运行",
      mode: "模式",
      state: "状态",
      at: "轮次",
      time: "用时",
      waited: "另等待",
      cost: "花费",
      task: "任务",
    },
    status: {
      asks_you: "等你决定",
      running: "运行中",
      waiting: "等待中",
      budget_reached: "预算用完",
      wait_limit_reached: "等待超限",
      no_agent_available: "无可用 agent",
      no_verdict: "无验证结论",
      steps_dir_exists: "目录已存在",
      dependencies_missing: "缺少依赖",
      waiting_for_user: "有问题待答",
      interrupted: "已中断",
      superseded: "已被取代",
      accepted: "通过",
      marked_passed: "人工标记通过",
      rejected: "未通过",
      marked_failed: "人工标记失败",
      cancelled: "已取消",
      not_started: "未开始",
      nothing_to_do: "无事可做",
      damaged: "已损坏",
    },
    held: "待你裁定",
    supersededBy: (runId) => `被 ${runId} 取代`,
    problem: (code, line) => (line === null ? code : `${code}，第 ${line} 行`),
    none: "还没有运行：agent-foreman demo",
  },
  show: {
    label: {
      task: "任务",
      agent: "agent",
      cwd: "目录",
      files: "文件",
      transcripts: "输出",
      report: "报告",
      journal: "日志",
      next: "下一步",
    },
    runningAt: (attempt, limit) => `运行中：第 ${attempt}/${limit} 次尝试`,
    runningStep: (place) => `运行中：${place}`,
    superseded: (runId) => `已被运行 ${runId} 取代：之后由它处理这些步骤`,
    damaged: "已损坏：以下是日志中可读的部分",
    unreadable: "已损坏：日志完全无法读取",
    breaks: (line, why) => (line === null ? "日志没有记录" : `日志从第 ${line} 行起损坏：${why}`),
    fileIs: {
      gone: (path) => `文件已不存在：${path}`,
      changed: (path) => `记录之后被改动：${path}`,
    },
    testsUnderWay: "测试正在执行",
    reportLater: "（运行结束时写入）",
    reportGone: (runId) => `（已不存在：agent-foreman resume ${runId} 可重新写入）`,
    torn: (bytes) => `（末尾有 ${bytes} 字节未写完，不计）`,
  },
  completion: {
    about: "输出 shell 补全脚本：命令、参数和运行编号",
    shell: "shell 名称",
    setUp: `\n安装：${SET_UP}`,
  },
};

export const commandTexts: Readonly<Record<Lang, CommandTexts>> = { en, zh };
