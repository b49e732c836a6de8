import type { Lang } from "../../core/settings.ts";
import type { Check, Finding, FindingCode } from "../finding.ts";

export interface FindingText {
  readonly text: string;
  /** Improvements, one per line. */
  readonly advice?: readonly string[];
}

type FindingTexts = Readonly<Record<FindingCode, (about: Finding["about"]) => FindingText>>;

const runCount = (runs: Finding["about"][string] | undefined): string =>
  runs === 1 ? "1 run" : `${runs} runs`;

const EN_ALLOW =
  "allow user namespaces, or in a container: docker run --privileged (or --cap-add SYS_ADMIN --security-opt apparmor=unconfined)";
const ZH_ALLOW =
  "请允许 user namespace；在容器中：docker run --privileged（或 --cap-add SYS_ADMIN --security-opt apparmor=unconfined）";

function enNoOverlay({ platform, contained, where }: Finding["about"]): string {
  if (platform !== "linux") return `${platform} has no overlays; in a Linux container there are`;
  if (contained === false) return "there are no mount namespaces here, see containment";
  return `no overlay can be mounted in ${where}: needs util-linux, a kernel with overlayfs, and a file system that takes one`;
}

function zhNoOverlay({ platform, contained, where }: Finding["about"]): string {
  if (platform !== "linux") return `${platform} 没有 overlay；可在 Linux 容器中使用`;
  if (contained === false) return "此处没有 mount namespace，见“隔离”";
  return `无法在 ${where} 中挂载 overlay：需要 util-linux、支持 overlayfs 的内核和文件系统`;
}

const en = {
  check: {
    containment: "containment",
    room: "clean room",
    sandbox: "sandbox",
    node: "node",
    git: "git",
    pipes: "pipes",
    pty: "pty",
    shell: "shell",
    order: "output order",
    language: "language",
    terminal: "terminal",
    state: "state",
    agent: "agent",
    config: "config",
  } satisfies Record<Check, string>,
  finding: {
    contained: (a) => ({
      text: `${a["mechanism"]}; whatever a command starts ends with it and with the foreman`,
    }),
    tools_missing: (a) => ({
      text: `${a["mechanism"]}, best effort only: a process that hides may outlive its command`,
      advice: [`missing: ${a["missing"]}`, "install util-linux (setpriv, unshare) or bubblewrap (bwrap)"],
    }),
    namespaces_forbidden: (a) => ({
      text: `${a["mechanism"]}, best effort only: a process that hides may outlive its command`,
      advice: [
        `${a["present"]} found, but pid namespaces are forbidden here${a["by"] === null ? "" : `: ${a["by"]}`}`,
        EN_ALLOW,
      ],
    }),
    no_namespaces_on_platform: (a) => ({
      text: `${a["mechanism"]}, best effort only: a process that hides may outlive its command`,
      advice: [`${a["platform"]} has no pid namespaces; in a Linux container nothing gets away`],
    }),
    room_overlay: () => ({
      text: "overlay over the work tree, at its own path: full protection",
    }),
    room_copy: (a) => ({
      text: "copy of the files at another path (no_overlay): weaker than an overlay",
      advice: [
        "tools that keep absolute paths may need --setup; by such a path a check still reaches the work tree; every check copies the files",
        enNoOverlay(a),
      ],
    }),
    room_untried: (a) => ({ text: `cannot be tried in ${a["where"]}: ${a["why"]}` }),
    sandbox_works: () => ({ text: "bubblewrap: --sandbox works here" }),
    sandbox_not_installed: (a) => ({
      text: "--sandbox does not work here: bubblewrap (bwrap) is not installed",
      advice: [
        a["platform"] === "linux"
          ? "install bubblewrap (apt install bubblewrap)"
          : `there is none for ${a["platform"]}; in a Linux container there is`,
      ],
    }),
    sandbox_forbidden: (a) => ({
      text: "--sandbox does not work here: bubblewrap is installed, but may not make namespaces",
      advice: [`${a["why"]}${a["by"] === null ? "" : ` (${a["by"]})`}`, EN_ALLOW],
    }),
    sandbox_fails: (a) => ({
      text: "--sandbox does not work here: bubblewrap is installed, but fails",
      advice: [`${a["why"]}`],
    }),
    node_supported: (a) => ({ text: `${a["version"]}` }),
    node_too_old: (a) => ({
      text: `${a["version"]} is too old`,
      advice: [`install Node.js ${a["needed"]} or newer`],
    }),
    git_found: (a) => ({ text: `${a["version"]}` }),
    git_missing: () => ({
      text: "not found: no base commit, no summary of changes, and the lock covers a directory, not a work tree",
      advice: ["install git"],
    }),
    pipes_work: (a) => ({ text: `mkfifo works in ${a["where"]}` }),
    pipes_fail: (a) => ({
      text: `named pipes cannot be made: ${a["why"]}`,
      advice: ["install coreutils (mkfifo), or set AGENT_FOREMAN_HOME to a directory on a local disk"],
    }),
    pipes_not_needed: (a) => ({ text: `not needed on ${a["platform"]}` }),
    pty_works: () => ({ text: "can be opened: chat --supervisor works here" }),
    pty_missing: (a) => ({
      text: `cannot be opened: ${a["why"]}`,
      advice: ["chat --supervisor does not work here; chat --print does"],
    }),
    shell_found: (a) => ({ text: `${a["path"]}` }),
    shell_missing: (a) => ({ text: `${a["path"]} cannot be run: no command can` }),
    order_exact: () => ({ text: "exact between stdout and stderr (inotify)" }),
    order_across_pauses: (a) => ({
      text: "of stdout and stderr known only across pauses; of contradicting markers the less favourable counts",
      ...(a["why"] !== null && {
        advice: [`${a["why"]}: raise fs.inotify.max_user_watches and max_user_instances`],
      }),
    }),
    language_by_flag: (a) => ({ text: `${a["lang"]} (--lang)` }),
    language_by_locale: (a) => ({ text: `${a["lang"]} (${a["variable"]}=${a["value"]})` }),
    language_by_default: (a) => ({ text: `${a["lang"]} (no locale is set)` }),
    person_can_be_asked: () => ({ text: "a person can be asked here" }),
    nobody_to_ask: (a) => ({
      text: `no questions are asked here (${a["missing"] === "" ? "CI is set" : `not a terminal: ${a["missing"]}`}): a run that uses up its attempts ends as rejected`,
    }),
    state_usable: (a) => ({ text: `${a["path"]}  ${runCount(a["runs"])}, ${a["free"]} free` }),
    space_low: (a) => ({
      text: `${a["path"]}  ${runCount(a["runs"])}, only ${a["free"]} free`,
      advice: ["make room: a run that cannot write stops"],
    }),
    agent_found: (a) => ({
      text: `${a["version"]}  tested ${a["tested"]}; ${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_newer: (a) => ({
      text: `${a["version"]}  newer than tested (${a["tested"]}); ${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_older: (a) => ({
      text: `${a["version"]}  older than tested (${a["tested"]}); ${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_mute: (a) => ({
      text: `found, but does not tell its version; tested ${a["tested"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_not_found: (a) => ({ text: `not found: ${a["install"]}` }),
    config_valid: (a) => ({ text: `${a["files"]}` }),
    config_broken: (a) => ({ text: `cannot be used (${a["why"]})`, advice: ["agent-foreman config check"] }),
    profile_ready: (a) => ({ text: `profile of ${a["adapter"]}: ${a["program"]}` }),
    profile_not_found: (a) => ({ text: `profile of ${a["adapter"]}: ${a["program"]} not found` }),
    profile_lacks_variables: (a) => ({ text: `profile of ${a["adapter"]}: not set: ${a["missing"]}` }),
    state_unusable: (a) => ({
      text: `${a["path"]} cannot be used: ${a["why"]}`,
      advice: ["set AGENT_FOREMAN_HOME to a directory you can write"],
    }),
  } satisfies FindingTexts as FindingTexts,
  next: "next  agent-foreman demo",
};

export type DoctorTexts = typeof en;

const zh: DoctorTexts = {
  check: {
    containment: "隔离",
    room: "洁净室",
    sandbox: "沙箱",
    node: "node",
    git: "git",
    pipes: "管道",
    pty: "伪终端",
    shell: "shell",
    order: "输出次序",
    language: "语言",
    terminal: "终端",
    state: "状态目录",
    agent: "agent",
    config: "配置",
  },
  finding: {
    contained: (a) => ({ text: `${a["mechanism"]}；命令启动的一切都随命令和工头一同结束` }),
    tools_missing: (a) => ({
      text: `${a["mechanism"]}，仅尽力而为：刻意躲藏的进程可能比命令活得更久`,
      advice: [`缺少：${a["missing"]}`, "请安装 util-linux（setpriv、unshare）或 bubblewrap（bwrap）"],
    }),
    namespaces_forbidden: (a) => ({
      text: `${a["mechanism"]}，仅尽力而为：刻意躲藏的进程可能比命令活得更久`,
      advice: [
        `已有 ${a["present"]}，但此处禁止 pid namespace${a["by"] === null ? "" : `：${a["by"]}`}`,
        ZH_ALLOW,
      ],
    }),
    no_namespaces_on_platform: (a) => ({
      text: `${a["mechanism"]}，仅尽力而为：刻意躲藏的进程可能比命令活得更久`,
      advice: [`${a["platform"]} 没有 pid namespace；在 Linux 容器中则无一能逃脱`],
    }),
    room_overlay: () => ({ text: "overlay：覆盖在工作树原路径上，防护完整" }),
    room_copy: (a) => ({
      text: "另一路径上的文件副本 (no_overlay)：弱于 overlay",
      advice: [
        "依赖绝对路径的工具可能需要 --setup；检查仍可按绝对路径访问工作树；每次检查都要复制文件",
        zhNoOverlay(a),
      ],
    }),
    room_untried: (a) => ({ text: `无法在 ${a["where"]} 中试建：${a["why"]}` }),
    sandbox_works: () => ({ text: "bubblewrap：--sandbox 可用" }),
    sandbox_not_installed: (a) => ({
      text: "--sandbox 在此不可用：未安装 bubblewrap（bwrap）",
      advice: [
        a["platform"] === "linux"
          ? "请安装 bubblewrap（apt install bubblewrap）"
          : `${a["platform"]} 没有 bubblewrap；可在 Linux 容器中使用`,
      ],
    }),
    sandbox_forbidden: (a) => ({
      text: "--sandbox 在此不可用：已安装 bubblewrap，但不允许它创建 namespace",
      advice: [`${a["why"]}${a["by"] === null ? "" : `（${a["by"]}）`}`, ZH_ALLOW],
    }),
    sandbox_fails: (a) => ({
      text: "--sandbox 在此不可用：已安装 bubblewrap，但运行失败",
      advice: [`${a["why"]}`],
    }),
    node_supported: (a) => ({ text: `${a["version"]}` }),
    node_too_old: (a) => ({
      text: `${a["version"]} 过旧`,
      advice: [`请安装 Node.js ${a["needed"]} 或更新版本`],
    }),
    git_found: (a) => ({ text: `${a["version"]}` }),
    git_missing: () => ({
      text: "未找到：没有基准提交和变更摘要，锁只覆盖目录而非整个工作树",
      advice: ["请安装 git"],
    }),
    pipes_work: (a) => ({ text: `mkfifo 可在 ${a["where"]} 中使用` }),
    pipes_fail: (a) => ({
      text: `无法创建命名管道：${a["why"]}`,
      advice: ["请安装 coreutils（mkfifo），或用 AGENT_FOREMAN_HOME 指定本地磁盘上的目录"],
    }),
    pipes_not_needed: (a) => ({ text: `${a["platform"]} 不需要` }),
    pty_works: () => ({ text: "可以打开：chat --supervisor 可用" }),
    pty_missing: (a) => ({
      text: `无法打开：${a["why"]}`,
      advice: ["chat --supervisor 在此不可用；chat --print 可用"],
    }),
    shell_found: (a) => ({ text: `${a["path"]}` }),
    shell_missing: (a) => ({ text: `${a["path"]} 无法执行：任何命令都不能运行` }),
    order_exact: () => ({ text: "stdout 与 stderr 的先后可精确得知（inotify）" }),
    order_across_pauses: (a) => ({
      text: "stdout 与 stderr 的先后只在停顿前后可知：矛盾的标记以较不利者为准",
      ...(a["why"] !== null && {
        advice: [`${a["why"]}：请调高 fs.inotify.max_user_watches 和 max_user_instances`],
      }),
    }),
    language_by_flag: (a) => ({ text: `${a["lang"]}（--lang）` }),
    language_by_locale: (a) => ({ text: `${a["lang"]}（${a["variable"]}=${a["value"]}）` }),
    language_by_default: (a) => ({ text: `${a["lang"]}（未设置 locale）` }),
    person_can_be_asked: () => ({ text: "可以在此询问人工" }),
    nobody_to_ask: (a) => ({
      text: `此处不会提问（${a["missing"] === "" ? "设置了 CI" : `不是终端：${a["missing"]}`}）：尝试用完的运行以未通过结束`,
    }),
    state_usable: (a) => ({ text: `${a["path"]}  ${a["runs"]} 个运行，剩余 ${a["free"]}` }),
    space_low: (a) => ({
      text: `${a["path"]}  ${a["runs"]} 个运行，仅剩 ${a["free"]}`,
      advice: ["请腾出空间：无法写入的运行会停止"],
    }),
    agent_found: (a) => ({
      text: `${a["version"]}  已测试 ${a["tested"]}；${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_newer: (a) => ({
      text: `${a["version"]}  比测试过的版本 (${a["tested"]}) 新；${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_older: (a) => ({
      text: `${a["version"]}  比测试过的版本 (${a["tested"]}) 旧；${a["can"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_mute: (a) => ({
      text: `已找到，但不报告版本；已测试 ${a["tested"]}`,
      advice: [`${a["called"]}`],
    }),
    agent_not_found: (a) => ({ text: `未找到：${a["install"]}` }),
    config_valid: (a) => ({ text: `${a["files"]}` }),
    config_broken: (a) => ({ text: `无法使用 (${a["why"]})`, advice: ["agent-foreman config check"] }),
    profile_ready: (a) => ({ text: `${a["adapter"]} 的 profile：${a["program"]}` }),
    profile_not_found: (a) => ({ text: `${a["adapter"]} 的 profile：未找到 ${a["program"]}` }),
    profile_lacks_variables: (a) => ({ text: `${a["adapter"]} 的 profile：未设置 ${a["missing"]}` }),
    state_unusable: (a) => ({
      text: `${a["path"]} 不可用：${a["why"]}`,
      advice: ["用 AGENT_FOREMAN_HOME 指定可写目录"],
    }),
  },
  next: "下一步  agent-foreman demo",
};

export const doctorTexts: Readonly<Record<Lang, DoctorTexts>> = { en, zh };
