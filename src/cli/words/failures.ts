import type { Lang } from "../../core/settings.ts";
import type { FailureCode } from "../../platform/failure.ts";
import type { About, FailureText } from "./failure-text.ts";
import { boardFailureTexts } from "./failures-board.ts";
import { chatFailureTexts } from "./failures-chat.ts";
import { initFailureTexts } from "./failures-init.ts";
import { roomFailureTexts } from "./failures-room.ts";
import { planFailureTexts } from "./failures-plan.ts";
import { stepsFailureTexts } from "./failures-steps.ts";
import { endWord } from "../../ui/words/terminal-labels.ts";

type FailureTexts = Readonly<Record<FailureCode, (about: About) => FailureText>>;

const en: FailureTexts = {
  ...stepsFailureTexts.en,
  ...boardFailureTexts.en,
  ...chatFailureTexts.en,
  ...roomFailureTexts.en,
  ...initFailureTexts.en,
  usage: (a) => ({
    message: `${a["problem"]}`,
    next: `agent-foreman ${a["command"] ?? ""} --help`.replace("  ", " "),
  }),
  flags_missing: (a) => ({
    message: `missing required flag${a["flags"]?.includes(", ") === true ? "s" : ""} ${a["flags"]}`,
    next: "agent-foreman init",
    also: `sets up agents and tests; all flags: agent-foreman ${a["command"]} --help`,
  }),
  cwd_not_a_directory: (a) => ({ message: `--cwd is not a directory: ${a["path"]}` }),
  work_dir_gone: (a) => ({ message: `work directory of the run is gone: ${a["path"]}` }),
  here_is_gone: () => ({
    message: "the current directory does not exist any more",
    next: "cd to another one",
  }),
  ...planFailureTexts.en,
  kept_plan_changed: (a) => ({
    message: `what the run keeps was changed or removed: ${a["path"]}`,
    next: "start another run",
  }),
  prompt_invalid: (a) => ({
    message: `prompt cannot be used: ${a["path"]} (${a["why"]})`,
    next: `agent-foreman config prompt ${a["prompt"]}`,
    also: "prints the built-in prompt",
  }),
  agent_missing: (a) => ({
    message: `agent ${a["agent"]} not found on PATH${a["program"] === a["agent"] ? "" : `: ${a["program"]}`}`,
    next: `${a["install"]}`,
  }),
  agents_missing: (a) => ({
    message: `none of these agents is on PATH: ${a["agents"]}; install one of them:`,
    lines: (a["installs"] ?? "").split("\n"),
  }),
  cost_not_told: (a) => ({
    message: `--max-cost-usd cannot be kept: ${a["agent"]} does not tell what it costs`,
    next: "give its profile a price, or use --max-tokens or --max-time",
  }),
  tokens_not_told: (a) => ({
    message: `--max-tokens cannot be kept: ${a["agent"]} does not tell what it uses`,
    next: "use --max-time",
  }),
  secret_in_command: (a) => ({
    message: `${a["flag"]} holds a secret, which would stand in journal and report`,
    next: "take it out; a command may refer to an environment variable instead",
  }),
  report_not_writable: (a) => ({
    message: `report cannot be written: ${a["path"]} (${a["why"]})`,
    next: "choose another --report",
  }),
  report_dir_missing: (a) => ({
    message: `report cannot be written: ${a["path"]} (its directory does not exist)`,
    next: `mkdir -p ${a["dir"]}`,
  }),
  dangerous_command: (a) => ({
    message: `dangerous command in ${a["flag"]}: ${a["command"]} (${a["rule"]})`,
    next: "if you mean it, add --force",
  }),
  task_too_long: (a) => ({
    message: `--task is too long: ${a["bytes"]} bytes, at most ${a["limit"]}`,
    next: "put the details into the plan file",
  }),
  state_dir_not_writable: (a) => ({
    message: `state directory cannot be used: ${a["path"]} (${a["why"]})`,
    next: "set AGENT_FOREMAN_HOME to a directory you can write",
  }),
  state_write_failed: (a) => ({
    message: `write failed: ${a["path"]} (${a["why"]}); the run stopped, what was recorded before is whole`,
    next: a["runId"] ? `agent-foreman resume ${a["runId"]}` : "agent-foreman runs",
    also: "first make room on the disk, or repair it",
  }),
  tree_locked: (a) => ({
    message: `another run works in this work tree: ${a["heldBy"]} (${a["path"]})`,
    next: `agent-foreman show ${a["heldBy"]}`,
  }),
  run_not_found: (a) => ({
    message: `no such run: ${a["runId"]} (in ${a["path"]})`,
    next: "agent-foreman runs",
  }),
  run_id_ambiguous: (a) => ({
    message: `several runs end in ${a["end"]}: ${a["runs"]}`,
    next: "agent-foreman runs",
  }),
  run_never_began: (a) => ({
    message: `run ${a["runId"]} never began: it was killed before its first record. Its directory was removed`,
    next: a["command"] ?? "start it again",
  }),
  no_run_here: (a) => ({ message: `no run has worked in ${a["path"]}`, next: "agent-foreman runs" }),
  nothing_to_resume: (a) => ({
    message: `no run in ${a["path"]} can be resumed: the last one, ${a["runId"]}, has ended`,
    next: a["command"] ?? `agent-foreman show ${a["runId"]}`,
  }),
  run_id_invalid: (a) => ({ message: `not a run id: ${a["runId"]}`, next: "agent-foreman runs" }),
  run_is_live: (a) => ({
    message: `run ${a["runId"]} is being supervised by another process`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  run_has_ended: (a) => ({
    message: `run ${a["runId"]} has ended: ${endWord(a["status"] ?? "", a["reason"] ?? "", "en")}`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  no_open_question: (a) => ({
    message: `run ${a["runId"]} asks nothing now: the answer was refused`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  answer_not_taken: (a) => ({
    message: `run ${a["runId"]} did not take the message (${a["why"]})`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  report_write_failed: (a) => ({
    message: `report cannot be written: ${a["path"]} (${a["why"]}); the outcome is recorded`,
    next: `agent-foreman resume ${a["runId"]}`,
    also: "writes it again",
  }),
  journal_empty: (a) => ({ message: `journal of run ${a["runId"]} holds no record: ${a["path"]}` }),
  journal_unreadable: (a) => ({
    message: `journal of run ${a["runId"]} cannot be read: ${a["path"]} (${a["why"]})`,
  }),
  journal_foreign: (a) => ({
    message: `journal of run ${a["runId"]} is not its own: line ${a["line"]}: ${a["why"]} (${a["path"]})`,
  }),
  journal_newer: (a) => ({
    message: `journal of run ${a["runId"]} was written by a newer agent-foreman: ${a["why"]} (${a["path"]})`,
    next: "update agent-foreman",
  }),
  journal_older: (a) => ({
    message: `journal of run ${a["runId"]} was written by an older agent-foreman: ${a["why"]} (${a["path"]})`,
    next: "start a new run; only the version that wrote this journal can continue it",
  }),
  journal_tampered: (a) => ({
    message: `journal of run ${a["runId"]} was changed: line ${a["line"]}: ${a["why"]} (${a["path"]})`,
    next: "do not trust this run; start a new one",
  }),
  journal_changed_while_running: (a) => ({
    message: `journal was changed by somebody else while the run went on: ${a["path"]}`,
    next: "do not trust this run; start a new one",
  }),
  pipes_not_possible: (a) => ({
    message: `named pipes cannot be made in ${a["path"]} (${a["why"]?.trim()})`,
    next: "set AGENT_FOREMAN_HOME to a directory on a local disk",
  }),
  config_invalid: () => ({ message: "the configuration is not valid", next: "agent-foreman config check" }),
  agent_unknown: (a) => ({
    message: `unknown agent ${a["name"]}${a["meant"] === undefined ? "" : `; did you mean ${a["meant"]}?`} (known: ${a["known"]})`,
    next: "agent-foreman doctor",
  }),
  agent_needs_command: (a) => ({
    message: `agent ${a["name"]} does not say what to run`,
    next: `in agent-foreman.yaml give a profile that extends ${a["adapter"]} a command, and name that profile`,
  }),
  env_variable_missing: (a) => ({
    message: `profile ${a["profile"]} needs environment variable ${a["names"]}`,
    next: `export ${a["names"]?.split(",")[0]}=...`,
  }),
};

const zh: FailureTexts = {
  ...stepsFailureTexts.zh,
  ...boardFailureTexts.zh,
  ...chatFailureTexts.zh,
  ...roomFailureTexts.zh,
  ...initFailureTexts.zh,
  usage: (a) => ({
    message: `${a["problem"]}`,
    next: `agent-foreman ${a["command"] ?? ""} --help`.replace("  ", " "),
  }),
  flags_missing: (a) => ({
    message: `缺少必需参数 ${a["flags"]?.replaceAll(", ", "、")}`,
    next: "agent-foreman init",
    also: `可设置 agent 和测试；全部参数：agent-foreman ${a["command"]} --help`,
  }),
  cwd_not_a_directory: (a) => ({ message: `--cwd 不是目录：${a["path"]}` }),
  work_dir_gone: (a) => ({ message: `运行的工作目录已不存在：${a["path"]}` }),
  here_is_gone: () => ({ message: "当前目录已不存在", next: "请 cd 到其他目录" }),
  ...planFailureTexts.zh,
  kept_plan_changed: (a) => ({
    message: `运行保存的内容被修改或删除：${a["path"]}`,
    next: "请重新开始一次运行",
  }),
  prompt_invalid: (a) => ({
    message: `提示词文件无法使用：${a["path"]} (${a["why"]})`,
    next: `agent-foreman config prompt ${a["prompt"]}`,
    also: "可打印内置的提示词",
  }),
  agent_missing: (a) => ({
    message: `PATH 中没有 agent ${a["agent"]}${a["program"] === a["agent"] ? "" : `：${a["program"]}`}`,
    next: `${a["install"]}`,
  }),
  agents_missing: (a) => ({
    message: `PATH 中没有这些 agent：${a["agents"]}；请安装其中一个：`,
    lines: (a["installs"] ?? "").split("\n"),
  }),
  cost_not_told: (a) => ({
    message: `无法遵守 --max-cost-usd：${a["agent"]} 不报告费用`,
    next: "在其 profile 中给出 price，或改用 --max-tokens、--max-time",
  }),
  tokens_not_told: (a) => ({
    message: `无法遵守 --max-tokens：${a["agent"]} 不报告用量`,
    next: "改用 --max-time",
  }),
  secret_in_command: (a) => ({
    message: `${a["flag"]} 含有密钥，会出现在日志和报告中`,
    next: "请将其删除；命令中可以引用环境变量",
  }),
  report_not_writable: (a) => ({
    message: `无法写入报告：${a["path"]}（${a["why"]}）`,
    next: "换一个 --report",
  }),
  report_dir_missing: (a) => ({
    message: `无法写入报告：${a["path"]}（所在目录不存在）`,
    next: `mkdir -p ${a["dir"]}`,
  }),
  dangerous_command: (a) => ({
    message: `${a["flag"]} 中有危险命令：${a["command"]}（${a["rule"]}）`,
    next: "若确实需要，请加 --force",
  }),
  task_too_long: (a) => ({
    message: `--task 过长：${a["bytes"]} 字节，上限 ${a["limit"]}`,
    next: "把细节写进计划文件",
  }),
  state_dir_not_writable: (a) => ({
    message: `状态目录不可用：${a["path"]}（${a["why"]}）`,
    next: "用 AGENT_FOREMAN_HOME 指定可写目录",
  }),
  state_write_failed: (a) => ({
    message: `写入失败：${a["path"]}（${a["why"]}）；运行已停止，此前的记录完好`,
    next: a["runId"] ? `agent-foreman resume ${a["runId"]}` : "agent-foreman runs",
    also: "请先腾出空间或修复磁盘",
  }),
  tree_locked: (a) => ({
    message: `该工作树已有运行：${a["heldBy"]}（${a["path"]}）`,
    next: `agent-foreman show ${a["heldBy"]}`,
  }),
  run_not_found: (a) => ({
    message: `没有这个运行：${a["runId"]}（${a["path"]}）`,
    next: "agent-foreman runs",
  }),
  run_id_ambiguous: (a) => ({
    message: `有多个运行以 ${a["end"]} 结尾：${a["runs"]?.replaceAll(", ", "、")}`,
    next: "agent-foreman runs",
  }),
  run_never_began: (a) => ({
    message: `运行 ${a["runId"]} 从未开始：写下第一条记录之前就被强制终止，其目录已删除`,
    next: a["command"] ?? "请重新启动",
  }),
  no_run_here: (a) => ({ message: `${a["path"]} 中还没有运行记录`, next: "agent-foreman runs" }),
  nothing_to_resume: (a) => ({
    message: `${a["path"]} 中没有可以继续的运行：最近的一次 ${a["runId"]} 已经结束`,
    next: a["command"] ?? `agent-foreman show ${a["runId"]}`,
  }),
  run_id_invalid: (a) => ({ message: `不是运行编号：${a["runId"]}`, next: "agent-foreman runs" }),
  run_is_live: (a) => ({
    message: `运行 ${a["runId"]} 正由另一个进程监督`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  run_has_ended: (a) => ({
    message: `运行 ${a["runId"]} 已结束：${endWord(a["status"] ?? "", a["reason"] ?? "", "zh")}`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  no_open_question: (a) => ({
    message: `运行 ${a["runId"]} 目前没有提问：回答被拒绝`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  answer_not_taken: (a) => ({
    message: `运行 ${a["runId"]} 没有接受消息（${a["why"]}）`,
    next: `agent-foreman show ${a["runId"]}`,
  }),
  report_write_failed: (a) => ({
    message: `无法写入报告：${a["path"]}（${a["why"]}）；结果已记录`,
    next: `agent-foreman resume ${a["runId"]}`,
    also: "可重新写入",
  }),
  journal_empty: (a) => ({ message: `运行 ${a["runId"]} 的日志没有记录：${a["path"]}` }),
  journal_unreadable: (a) => ({ message: `无法读取运行 ${a["runId"]} 的日志：${a["path"]}（${a["why"]}）` }),
  journal_foreign: (a) => ({
    message: `运行 ${a["runId"]} 的日志不属于它：第 ${a["line"]} 行：${a["why"]}（${a["path"]}）`,
  }),
  journal_newer: (a) => ({
    message: `运行 ${a["runId"]} 的日志由更新版本写成：${a["why"]}（${a["path"]}）`,
    next: "请升级 agent-foreman",
  }),
  journal_older: (a) => ({
    message: `运行 ${a["runId"]} 的日志由旧版本写成：${a["why"]}（${a["path"]}）`,
    next: "请重新开始一次运行；只有写下该日志的版本才能继续它",
  }),
  journal_tampered: (a) => ({
    message: `运行 ${a["runId"]} 的日志被改动：第 ${a["line"]} 行：${a["why"]}（${a["path"]}）`,
    next: "不要相信这次运行，请重新开始",
  }),
  journal_changed_while_running: (a) => ({
    message: `运行期间日志被他人改动：${a["path"]}`,
    next: "不要相信这次运行，请重新开始",
  }),
  pipes_not_possible: (a) => ({
    message: `无法在 ${a["path"]} 创建命名管道（${a["why"]?.trim()}）`,
    next: "用 AGENT_FOREMAN_HOME 指定本地磁盘上的目录",
  }),
  config_invalid: () => ({ message: "配置有误", next: "agent-foreman config check" }),
  agent_unknown: (a) => ({
    message: `未知 agent ${a["name"]}${a["meant"] === undefined ? "" : `；是否想用 ${a["meant"]}？`}（可用：${a["known"]}）`,
    next: "agent-foreman doctor",
  }),
  agent_needs_command: (a) => ({
    message: `agent ${a["name"]} 没有说明要运行什么`,
    next: `在 agent-foreman.yaml 中为 extends: ${a["adapter"]} 的 profile 写上 command，并使用该 profile 的名字`,
  }),
  env_variable_missing: (a) => ({
    message: `profile ${a["profile"]} 需要环境变量 ${a["names"]}`,
    next: `export ${a["names"]?.split(",")[0]}=...`,
  }),
};

export const failureTexts: Readonly<Record<Lang, FailureTexts>> = { en, zh };

export const failureWords: Readonly<Record<Lang, { error: string; next: string; bug: string }>> = {
  en: { error: "error: ", next: "  next    ", bug: "bug in agent-foreman: " },
  zh: { error: "错误：", next: "  下一步  ", bug: "agent-foreman 内部错误：" },
};
