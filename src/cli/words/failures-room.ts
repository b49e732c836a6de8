import type { RoomFailureCode } from "../../platform/failure.ts";
import type { Lang } from "../../core/settings.ts";
import type { About, FailureText } from "./failure-text.ts";

type RoomFailureTexts = Readonly<Record<RoomFailureCode, (about: About) => FailureText>>;

/** By the obstacle to a sandbox. */
const EN_SANDBOX: Readonly<Record<string, string>> = {
  not_installed: "install bubblewrap (apt install bubblewrap), or leave --sandbox out",
  forbidden:
    "bubblewrap is installed, but may not make namespaces: allow user namespaces, or leave --sandbox out",
  other: "bubblewrap is installed, but fails: see what it says, or leave --sandbox out",
};
const ZH_SANDBOX: Readonly<Record<string, string>> = {
  not_installed: "安装 bubblewrap（apt install bubblewrap），或去掉 --sandbox",
  forbidden: "已安装 bubblewrap，但不允许它创建 namespace：请允许 user namespace，或去掉 --sandbox",
  other: "已安装 bubblewrap，但运行失败：请看其报错，或去掉 --sandbox",
};

/** Why a test command or the agent command does not start. */
const EN_UNSTARTED: Readonly<Record<string, string>> = {
  not_found: "not found",
  inner_not_found: "runs a program that is not installed",
  not_executable: "cannot be executed",
  no_script: "names a script that does not exist",
};
const ZH_UNSTARTED: Readonly<Record<string, (subject: string) => string>> = {
  not_found: (subject) => `找不到${subject}`,
  inner_not_found: (subject) => `${subject}所运行的程序未安装`,
  not_executable: (subject) => `${subject}无法执行`,
  no_script: (subject) => `${subject}所指的脚本不存在`,
};

function saidLines(a: About): readonly string[] {
  return a["said"] ? a["said"].split("\n") : [];
}

function enUnstarted(subject: string, a: About): Omit<FailureText, "next"> {
  const how = a["program"] ? `no program ${a["program"]} on PATH` : `exit ${a["exit"]}`;
  return {
    message: `${subject} ${EN_UNSTARTED[a["why"] ?? ""]}: \`${a["command"]}\` (${how})`,
    lines: saidLines(a),
  };
}

function zhUnstarted(subject: string, a: About): Omit<FailureText, "next"> {
  const how = a["program"] ? `PATH 中没有程序 ${a["program"]}` : `退出码 ${a["exit"]}`;
  return {
    message: `${ZH_UNSTARTED[a["why"] ?? ""]?.(subject) ?? subject}：\`${a["command"]}\`（${how}）`,
    lines: saidLines(a),
  };
}

/** Problems of the work tree, which is the evidence. */
export const roomFailureTexts: Readonly<Record<Lang, RoomFailureTexts>> = {
  en: {
    tree_unknown: (a) => ({
      message: `the work tree cannot be read as evidence: ${a["path"]} (gone, or more than 8 GiB, or 50000 files without git)`,
      next: "have git ignore what is no work, or go without the clean room: --no-clean-room",
    }),
    config_left_changed: (a) => ({
      message: `run ${a["runId"]} changed ${a["path"]} and was not accepted: that file would decide which tests judge this run`,
      next: a["command"] ?? "look at the file, and put the original back",
      also: `${a["command"] ? "puts the original back; " : ""}to keep the file, commit it or start again with --accept-tree`,
    }),
    no_changes_kept: (a) => ({
      message: `run ${a["runId"]} kept no copy of the work tree: its clean room was off (--no-clean-room), or it ended before it began to work`,
      next: `agent-foreman show ${a["runId"]}`,
    }),
    path_not_changed: (a) => ({
      message: `run ${a["runId"]} has no earlier version of this path: ${a["path"]} (the run did not change it, or created it)`,
      next: `agent-foreman diff ${a["runId"]} --stat`,
      also: "lists what it changed",
    }),
    base_changed: (a) => ({
      message: `what was kept of the tree before the work is not as it was: ${a["path"]}`,
      next: "start a new run",
    }),
    test_cannot_start: (a) => ({
      ...enUnstarted("test command", a),
      next: `${a["why"] === "inner_not_found" ? "install the project's dependencies (npm ci, for example), or " : ""}fix ${a["flag"]} (${a["key"]} in the configuration)`,
      also: "agent-foreman init suggests test commands",
    }),
    agent_cannot_start: (a) => ({
      ...enUnstarted("agent command", a),
      next: "install the program or fix --agent-cmd, then start again",
    }),
    setup_failed: (a) => ({
      message: `the --setup command failed: \`${a["command"]}\` (exit ${a["exit"]})`,
      lines: saidLines(a),
      next: "fix --setup (clean_room.setup in the configuration), then start again",
    }),
    room_impossible: (a) => ({
      message: `no clean room can be made for the tests: ${a["why"]}`,
      next: "mend that and resume the run, or start one without the clean room: --no-clean-room",
    }),
    evidence_changed: (a) => ({
      message: `what was kept of the tests is gone, or not as it was: ${a["path"]}`,
    }),
    sandbox_impossible: (a) => ({
      message: `no sandbox can be made here: ${a["why"]}`,
      next: EN_SANDBOX[a["problem"] ?? ""] ?? "leave --sandbox out",
      also: "agent-foreman doctor says more",
    }),
    receipt_unreadable: (a) => ({ message: `not a receipt that can be read: ${a["path"]} (${a["why"]})` }),
    receipt_refused: (a) => ({ message: `the receipt does not hold: ${a["path"]} (${a["why"]})` }),
  },
  zh: {
    tree_unknown: (a) => ({
      message: `无法把工作树作为证据读取：${a["path"]}（不存在、超过 8 GiB，或无 git 且超过 50000 个文件）`,
      next: "让 git 忽略与工作无关的文件，或不用洁净室：--no-clean-room",
    }),
    config_left_changed: (a) => ({
      message: `运行 ${a["runId"]} 改动了 ${a["path"]} 且未通过验收：该文件会决定本次运行用哪些测试验收`,
      next: a["command"] ?? "请查看该文件，然后恢复原始版本",
      also: `${a["command"] ? "可恢复原始版本；" : ""}若要保留：提交该文件，或加上 --accept-tree 重新启动`,
    }),
    no_changes_kept: (a) => ({
      message: `运行 ${a["runId"]} 没有保存工作树：洁净室已关闭（--no-clean-room），或在开始工作之前就已结束`,
      next: `agent-foreman show ${a["runId"]}`,
    }),
    path_not_changed: (a) => ({
      message: `运行 ${a["runId"]} 没有该路径的早先版本：${a["path"]}（该运行没有改动它，或由该运行新建）`,
      next: `agent-foreman diff ${a["runId"]} --stat`,
      also: "列出其改动",
    }),
    base_changed: (a) => ({
      message: `运行开始时保存的工作树记录已被改动：${a["path"]}`,
      next: "重新开始一个运行",
    }),
    test_cannot_start: (a) => ({
      ...zhUnstarted("测试命令", a),
      next: `${a["why"] === "inner_not_found" ? "请安装项目依赖（例如 npm ci），或" : "请"}修正 ${a["flag"]}（配置文件中为 ${a["key"]}）`,
      also: "agent-foreman init 可建议测试命令",
    }),
    agent_cannot_start: (a) => ({
      ...zhUnstarted(" agent 命令", a),
      next: "请安装该程序或修正 --agent-cmd，然后重新启动",
    }),
    setup_failed: (a) => ({
      message: `--setup 命令失败：\`${a["command"]}\`（退出码 ${a["exit"]}）`,
      lines: saidLines(a),
      next: "请修正 --setup（配置文件中为 clean_room.setup），然后重新启动",
    }),
    room_impossible: (a) => ({
      message: `无法为测试建立洁净室：${a["why"]}`,
      next: "排除该问题后 resume 该运行，或不用洁净室重新开始：--no-clean-room",
    }),
    evidence_changed: (a) => ({ message: `保存的测试结果已丢失或被改动：${a["path"]}` }),
    sandbox_impossible: (a) => ({
      message: `此处无法建立沙箱：${a["why"]}`,
      next: ZH_SANDBOX[a["problem"] ?? ""] ?? "去掉 --sandbox",
      also: "详见 agent-foreman doctor",
    }),
    receipt_unreadable: (a) => ({ message: `无法读取的凭证：${a["path"]}（${a["why"]}）` }),
    receipt_refused: (a) => ({ message: `凭证不成立：${a["path"]}（${a["why"]}）` }),
  },
};
