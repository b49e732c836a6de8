import type { Lang } from "../../core/settings.ts";
import type { Failure, FailureCode } from "../../platform/failure.ts";
import { endWord } from "../../ui/words/terminal-labels.ts";
import { noTerminal } from "../../ui/words/no-terminal.ts";
import { fill, type FailureTable } from "./texts.ts";
import { modeFailures } from "./failures-modes.ts";
import { roomFailures } from "./failures-room.ts";

export const FAILURES: FailureTable<FailureCode> = {
  ...modeFailures,
  ...roomFailures,
  usage: ({ command }) => ({
    en: "{problem}",
    zh: "{problem}",
    next: command === undefined ? "agent-foreman --help" : "agent-foreman {command} --help",
  }),
  flags_missing: ({ flags = "" }) => ({
    en: `missing required ${flags.includes(", ") ? "flags" : "flag"} {flags}`,
    zh: `缺少必需参数 ${flags.replaceAll(", ", "、")}`,
    next: "agent-foreman init",
    also: {
      en: "sets up agents and tests; all flags: agent-foreman {command} --help",
      zh: "可设置 agent 和测试；全部参数：agent-foreman {command} --help",
    },
  }),
  cwd_not_a_directory: {
    en: "--cwd is not a directory: {path}",
    zh: "--cwd 不是目录：{path}",
  },
  here_is_gone: {
    en: "the current directory does not exist any more",
    zh: "当前目录已不存在",
    next: { en: "cd to another one", zh: "请 cd 到其他目录" },
  },
  work_dir_gone: {
    en: "work directory of the run is gone: {path}",
    zh: "运行的工作目录已不存在：{path}",
  },
  plan_file_missing: {
    en: "plan file not found: {path}",
    zh: "找不到计划文件：{path}",
    next: {
      en: "create the file, or name another one with --plan-file",
      zh: "请创建该文件，或用 --plan-file 指定另一个文件",
    },
  },
  plan_file_unreadable: ({ why }) =>
    why === "directory"
      ? {
          en: "plan file is a directory: {path}",
          zh: "计划文件是一个目录：{path}",
          next: { en: "name a file with --plan-file", zh: "请用 --plan-file 指定一个文件" },
        }
      : { en: "plan file cannot be read: {path}", zh: "无法读取计划文件：{path}", next: "ls -l {path}" },
  plan_file_too_large: {
    en: "plan file is too large: {path} (at most {limit} bytes)",
    zh: "计划文件过大：{path}（最多 {limit} 字节）",
  },
  kept_plan_changed: {
    en: "a file kept by the run was changed or removed: {path}",
    zh: "运行保存的内容被修改或删除：{path}",
    next: { en: "start another run", zh: "请重新开始一次运行" },
  },
  prompt_invalid: {
    en: "prompt cannot be used: {path} ({why})",
    zh: "提示词文件无法使用：{path} ({why})",
    next: "agent-foreman config prompt {prompt}",
    also: { en: "prints the built-in prompt", zh: "可打印内置的提示词" },
  },
  agent_missing: ({ agent, program }) => ({
    en: `agent {agent} not found on PATH${program === agent ? "" : ": {program}"}`,
    zh: `PATH 中没有 agent {agent}${program === agent ? "" : "：{program}"}`,
    next: "{install}",
  }),
  agents_missing: {
    en: "none of these agents is on PATH: {agents}; install one of them:",
    zh: "PATH 中没有这些 agent：{agents}；请安装其中一个：",
    lines: "{installs}",
  },
  cost_not_reported: {
    en: "--max-cost-usd cannot be enforced: {agent} does not report its cost",
    zh: "无法遵守 --max-cost-usd：{agent} 不报告费用",
    next: {
      en: "give its profile a price, or use --max-tokens or --max-time",
      zh: "在其 profile 中给出 price，或改用 --max-tokens、--max-time",
    },
  },
  tokens_not_reported: {
    en: "--max-tokens cannot be enforced: {agent} does not report its usage",
    zh: "无法遵守 --max-tokens：{agent} 不报告用量",
    next: { en: "use --max-time", zh: "改用 --max-time" },
  },
  secret_in_command: {
    en: "{flag} holds a secret, which would appear in the journal and the report",
    zh: "{flag} 含有密钥，会出现在日志和报告中",
    next: {
      en: "take it out; a command may refer to an environment variable instead",
      zh: "请将其删除；命令中可以引用环境变量",
    },
  },
  report_not_writable: {
    en: "report cannot be written: {path} ({why})",
    zh: "无法写入报告：{path}（{why}）",
    next: { en: "choose another --report", zh: "换一个 --report" },
  },
  report_dir_missing: {
    en: "report cannot be written: {path} (its directory does not exist)",
    zh: "无法写入报告：{path}（所在目录不存在）",
    next: "mkdir -p {dir}",
  },
  dangerous_command: {
    en: "dangerous command in {flag}: {command} ({rule})",
    zh: "{flag} 中有危险命令：{command}（{rule}）",
    next: { en: "if you mean it, add --force", zh: "若确实需要，请加 --force" },
  },
  task_too_long: {
    en: "--task is too long: {bytes} bytes, at most {limit}",
    zh: "--task 过长：{bytes} 字节，上限 {limit}",
    next: { en: "put the details into the plan file", zh: "把细节写进计划文件" },
  },
  state_dir_not_writable: {
    en: "state directory cannot be used: {path} ({why})",
    zh: "状态目录不可用：{path}（{why}）",
    next: {
      en: "set AGENT_FOREMAN_HOME to a directory you can write",
      zh: "用 AGENT_FOREMAN_HOME 指定可写目录",
    },
  },
  state_write_failed: ({ runId }) => ({
    en: "write failed: {path} ({why}); the run stopped; earlier records are complete",
    zh: "写入失败：{path}（{why}）；运行已停止，此前的记录完好",
    next: runId ? "agent-foreman resume {runId}" : "agent-foreman runs",
    also: { en: "first free space on the disk, or repair it", zh: "请先腾出空间或修复磁盘" },
  }),
  tree_locked: {
    en: "another run works in this work tree: {heldBy} ({path})",
    zh: "该工作树已有运行：{heldBy}（{path}）",
    next: "agent-foreman show {heldBy}",
  },
  run_not_found: {
    en: "no such run: {runId} (in {path})",
    zh: "没有这个运行：{runId}（{path}）",
    next: "agent-foreman runs",
  },
  run_id_invalid: {
    en: "not a run id: {runId}",
    zh: "不是运行编号：{runId}",
    next: "agent-foreman runs",
  },
  run_id_ambiguous: ({ runs = "" }) => ({
    en: "several runs end in {end}: {runs}",
    zh: `有多个运行以 {end} 结尾：${runs.replaceAll(", ", "、")}`,
    next: "agent-foreman runs",
  }),
  run_never_began: ({ command }) => ({
    en: "run {runId} never began: it was killed before its first record. Its directory was removed",
    zh: "运行 {runId} 从未开始：写下第一条记录之前就被强制终止，其目录已删除",
    next: command ? "{command}" : { en: "start it again", zh: "请重新启动" },
  }),
  no_run_here: {
    en: "no run has worked in {path}",
    zh: "{path} 中还没有运行记录",
    next: "agent-foreman runs",
  },
  nothing_to_resume: ({ command }) => ({
    en: "no run in {path} can be resumed: the last one, {runId}, has ended",
    zh: "{path} 中没有可以继续的运行：最近的一次 {runId} 已经结束",
    next: command ? "{command}" : "agent-foreman show {runId}",
  }),
  run_is_live: {
    en: "run {runId} is being supervised by another process",
    zh: "运行 {runId} 正由另一个进程监督",
    next: "agent-foreman show {runId}",
  },
  run_has_ended: ({ status = "", reason = "" }) => ({
    en: `run {runId} has ended: ${endWord(status, reason, "en")}`,
    zh: `运行 {runId} 已结束：${endWord(status, reason, "zh")}`,
    next: "agent-foreman show {runId}",
  }),
  no_open_question: {
    en: "run {runId} asks nothing now: the answer was refused",
    zh: "运行 {runId} 目前没有提问：回答被拒绝",
    next: "agent-foreman show {runId}",
  },
  answer_not_taken: {
    en: "run {runId} did not take the message ({why})",
    zh: "运行 {runId} 没有接受消息（{why}）",
    next: "agent-foreman show {runId}",
  },
  report_write_failed: {
    en: "report cannot be written: {path} ({why}); the outcome is recorded",
    zh: "无法写入报告：{path}（{why}）；结果已记录",
    next: "agent-foreman resume {runId}",
    also: { en: "writes it again", zh: "可重新写入" },
  },
  journal_empty: {
    en: "journal of run {runId} holds no record: {path}",
    zh: "运行 {runId} 的日志没有记录：{path}",
  },
  journal_unreadable: {
    en: "journal of run {runId} cannot be read: {path} ({why})",
    zh: "无法读取运行 {runId} 的日志：{path}（{why}）",
  },
  journal_foreign: {
    en: "journal of run {runId} is not its own: line {line}: {why} ({path})",
    zh: "运行 {runId} 的日志不属于它：第 {line} 行：{why}（{path}）",
  },
  journal_newer: {
    en: "journal of run {runId} was written by a newer agent-foreman: {why} ({path})",
    zh: "运行 {runId} 的日志由更新版本写成：{why}（{path}）",
    next: { en: "update agent-foreman", zh: "请升级 agent-foreman" },
  },
  journal_older: {
    en: "journal of run {runId} was written by an older agent-foreman: {why} ({path})",
    zh: "运行 {runId} 的日志由旧版本写成：{why}（{path}）",
    next: {
      en: "start a new run; only the version that wrote this journal can continue it",
      zh: "请重新开始一次运行；只有写下该日志的版本才能继续它",
    },
  },
  journal_tampered: {
    en: "journal of run {runId} was changed: line {line}: {why} ({path})",
    zh: "运行 {runId} 的日志被改动：第 {line} 行：{why}（{path}）",
    next: { en: "do not trust this run; start a new one", zh: "不要相信这次运行，请重新开始" },
  },
  journal_changed_while_running: {
    en: "journal was changed by another process during the run: {path}",
    zh: "运行期间日志被他人改动：{path}",
    next: { en: "do not trust this run; start a new one", zh: "不要相信这次运行，请重新开始" },
  },
  pipes_not_possible: {
    en: "named pipes cannot be created in {path} ({why})",
    zh: "无法在 {path} 创建命名管道（{why}）",
    next: {
      en: "set AGENT_FOREMAN_HOME to a directory on a local disk",
      zh: "用 AGENT_FOREMAN_HOME 指定本地磁盘上的目录",
    },
  },
  config_invalid: {
    en: "the configuration is not valid",
    zh: "配置有误",
    next: "agent-foreman config check",
  },
  agent_unknown: ({ meant }) => ({
    en: `unknown agent {name}${meant === undefined ? "" : "; did you mean {meant}?"} (known: {known})`,
    zh: `未知 agent {name}${meant === undefined ? "" : "；是否想用 {meant}？"}（可用：{known}）`,
    next: "agent-foreman doctor",
  }),
  agent_needs_command: {
    en: "agent {name} does not say what to run",
    zh: "agent {name} 没有说明要运行什么",
    next: {
      en: "in agent-foreman.yaml give a profile that extends {adapter} a command, and name that profile",
      zh: "在 agent-foreman.yaml 中为 extends: {adapter} 的 profile 写上 command，并使用该 profile 的名字",
    },
  },
  env_variable_missing: ({ names = "" }) => ({
    en: "profile {profile} needs environment variable {names}",
    zh: "profile {profile} 需要环境变量 {names}",
    next: `export ${names.split(",")[0]}=...`,
  }),
  init_needs_answers: { ...noTerminal, next: "agent-foreman init --yes" },
  init_file_exists: {
    en: "file already exists, nothing was written: {path}",
    zh: "已存在，未写入任何内容：{path}",
    next: "agent-foreman config show",
    also: { en: "to replace it: agent-foreman init --force", zh: "若要覆盖：agent-foreman init --force" },
  },
  init_not_writable: {
    en: "cannot be written: {path} ({why})",
    zh: "无法写入：{path}（{why}）",
  },
};

export interface FailureText {
  readonly message: string;
  readonly lines: readonly string[];
  readonly next?: string;
  readonly also?: string;
}

export function failureText({ code, about }: Pick<Failure, "code" | "about">, lang: Lang): FailureText {
  const defined = FAILURES[code];
  const texts = typeof defined === "function" ? defined(about) : defined;
  const textOf = (name: "lines" | "next" | "also"): string | undefined => {
    const text = texts[name];
    return text === undefined ? undefined : fill(typeof text === "string" ? text : text[lang], about);
  };
  const [lines, next, also] = [textOf("lines"), textOf("next"), textOf("also")];
  return {
    message: fill(texts[lang], about),
    lines: lines ? lines.split("\n") : [],
    ...(next !== undefined && { next }),
    ...(also !== undefined && { also }),
  };
}

export const failureWords: Readonly<Record<Lang, { error: string; next: string; bug: string }>> = {
  en: { error: "error: ", next: "  next    ", bug: "bug in agent-foreman: " },
  zh: { error: "错误：", next: "  下一步  ", bug: "agent-foreman 内部错误：" },
};
