import type { Lang } from "../../core/settings.ts";
import type { RoomFailureCode } from "../../platform/failure.ts";
import type { About, FailureTable, FailureTexts, Texts } from "./texts.ts";

/** By the obstacle to a sandbox. */
const SANDBOX: Readonly<Record<string, Texts>> = {
  not_installed: {
    en: "install bubblewrap (apt install bubblewrap), or leave --sandbox out",
    zh: "安装 bubblewrap（apt install bubblewrap），或去掉 --sandbox",
  },
  forbidden: {
    en: "bubblewrap is installed, but may not make namespaces: allow user namespaces, or leave --sandbox out",
    zh: "已安装 bubblewrap，但不允许它创建 namespace：请允许 user namespace，或去掉 --sandbox",
  },
  other: {
    en: "bubblewrap is installed, but fails: see its message, or leave --sandbox out",
    zh: "已安装 bubblewrap，但运行失败：请看其报错，或去掉 --sandbox",
  },
};

/** Why a test command or the agent command does not start. */
const UNSTARTED: Readonly<Record<string, Texts>> = {
  not_found: { en: "{subject} not found", zh: "找不到{subject}" },
  inner_not_found: {
    en: "{subject} runs a program that is not installed",
    zh: "{subject}所运行的程序未安装",
  },
  not_executable: { en: "{subject} cannot be executed", zh: "{subject}无法执行" },
  no_script: { en: "{subject} names a script that does not exist", zh: "{subject}所指的脚本不存在" },
};

function unstarted(subject: Texts, { why = "", program, said }: About): FailureTexts {
  const what = (lang: Lang): string =>
    (UNSTARTED[why]?.[lang] ?? "{subject}").replace("{subject}", subject[lang]);
  const how = program
    ? { en: "no program {program} on PATH", zh: "PATH 中没有程序 {program}" }
    : { en: "exit {exit}", zh: "退出码 {exit}" };
  return {
    en: `${what("en")}: \`{command}\` (${how.en})`,
    zh: `${what("zh")}：\`{command}\`（${how.zh}）`,
    ...(said && { lines: "{said}" }),
  };
}

/** Problems of the work tree as evidence, and of its isolation. */
export const roomFailures: FailureTable<RoomFailureCode> = {
  tree_unknown: {
    en: "the work tree cannot be read as evidence: {path} (gone, or more than 8 GiB, or 50000 files without git)",
    zh: "无法把工作树作为证据读取：{path}（不存在、超过 8 GiB，或无 git 且超过 50000 个文件）",
    next: {
      en: "add files that are not source code to .gitignore, or turn off the clean room: --no-clean-room",
      zh: "让 git 忽略与工作无关的文件，或不用洁净室：--no-clean-room",
    },
  },
  config_left_changed: ({ command }) => ({
    en: "run {runId} changed {path} and was not accepted: that file would decide which tests judge this run",
    zh: "运行 {runId} 改动了 {path} 且未通过验收：该文件会决定本次运行用哪些测试验收",
    next: command
      ? "{command}"
      : { en: "look at the file, and restore the original", zh: "请查看该文件，然后恢复原始版本" },
    also: {
      en: `${command ? "restores the original; " : ""}to keep the file, commit it or start again with --accept-tree`,
      zh: `${command ? "可恢复原始版本；" : ""}若要保留：提交该文件，或加上 --accept-tree 重新启动`,
    },
  }),
  no_changes_kept: {
    en: "run {runId} kept no copy of the work tree: its clean room was off (--no-clean-room), or it ended before it began to work",
    zh: "运行 {runId} 没有保存工作树：洁净室已关闭（--no-clean-room），或在开始工作之前就已结束",
    next: "agent-foreman show {runId}",
  },
  path_not_changed: {
    en: "run {runId} has no earlier version of this path: {path} (the run did not change it, or created it)",
    zh: "运行 {runId} 没有该路径的早先版本：{path}（该运行没有改动它，或由该运行新建）",
    next: "agent-foreman diff {runId} --stat",
    also: { en: "lists what it changed", zh: "列出其改动" },
  },
  base_changed: {
    en: "the stored original of the work tree was changed: {path}",
    zh: "运行开始时保存的工作树记录已被改动：{path}",
    next: { en: "start a new run", zh: "重新开始一个运行" },
  },
  room_impossible: {
    en: "no clean room can be made for the tests: {why}",
    zh: "无法为测试建立洁净室：{why}",
    next: {
      en: "fix that and resume the run, or start one without the clean room: --no-clean-room",
      zh: "排除该问题后 resume 该运行，或不用洁净室重新开始：--no-clean-room",
    },
  },
  test_cannot_start: (about) => ({
    ...unstarted({ en: "test command", zh: "测试命令" }, about),
    next:
      about["why"] === "inner_not_found"
        ? {
            en: "install the project's dependencies (npm ci, for example), or fix {flag} ({key} in the configuration)",
            zh: "请安装项目依赖（例如 npm ci），或修正 {flag}（配置文件中为 {key}）",
          }
        : { en: "fix {flag} ({key} in the configuration)", zh: "请修正 {flag}（配置文件中为 {key}）" },
    also: { en: "agent-foreman init suggests test commands", zh: "agent-foreman init 可建议测试命令" },
  }),
  agent_cannot_start: (about) => ({
    ...unstarted({ en: "agent command", zh: " agent 命令" }, about),
    next: {
      en: "install the program or fix --agent-cmd, then start again",
      zh: "请安装该程序或修正 --agent-cmd，然后重新启动",
    },
  }),
  setup_failed: ({ said }) => ({
    en: "the --setup command failed: `{command}` (exit {exit})",
    zh: "--setup 命令失败：`{command}`（退出码 {exit}）",
    ...(said && { lines: "{said}" }),
    next: {
      en: "fix --setup (clean_room.setup in the configuration), then start again",
      zh: "请修正 --setup（配置文件中为 clean_room.setup），然后重新启动",
    },
  }),
  evidence_changed: {
    en: "the stored test results are missing or changed: {path}",
    zh: "保存的测试结果已丢失或被改动：{path}",
  },
  sandbox_impossible: ({ problem = "" }) => ({
    en: "no sandbox can be made here: {why}",
    zh: "此处无法建立沙箱：{why}",
    next: SANDBOX[problem] ?? { en: "leave --sandbox out", zh: "去掉 --sandbox" },
    also: { en: "agent-foreman doctor says more", zh: "详见 agent-foreman doctor" },
  }),
  receipt_unreadable: {
    en: "not a receipt that can be read: {path} ({why})",
    zh: "无法读取的凭证：{path}（{why}）",
  },
  receipt_refused: {
    en: "the receipt does not hold: {path} ({why})",
    zh: "凭证不成立：{path}（{why}）",
  },
};
