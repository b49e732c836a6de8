import { plural } from "../../text/plural.ts";
import type { Texts } from "./texts.ts";

export type About = Readonly<Record<string, string | number | boolean | null>>;

export interface FindingTexts extends Texts {
  /** Improvements, one per line. */
  readonly advice?: string | Texts;
}

const BEST_EFFORT: Texts = {
  en: "{mechanism}, best effort only: a process that hides may outlive its command",
  zh: "{mechanism}，仅尽力而为：刻意躲藏的进程可能比命令活得更久",
};
const ALLOW: Texts = {
  en: "allow user namespaces, or in a container: docker run --privileged (or --cap-add SYS_ADMIN --security-opt apparmor=unconfined)",
  zh: "请允许 user namespace；在容器中：docker run --privileged（或 --cap-add SYS_ADMIN --security-opt apparmor=unconfined）",
};

function noOverlay({ platform, contained }: About): Texts {
  if (platform !== "linux")
    return {
      en: "{platform} has no overlays; in a Linux container there are",
      zh: "{platform} 没有 overlay；可在 Linux 容器中使用",
    };
  if (contained === false)
    return {
      en: "there are no mount namespaces here, see containment",
      zh: "此处没有 mount namespace，见“隔离”",
    };
  return {
    en: "no overlay can be mounted in {where}: needs util-linux, a kernel with overlayfs, and a file system that takes one",
    zh: "无法在 {where} 中挂载 overlay：需要 util-linux、支持 overlayfs 的内核和文件系统",
  };
}

function runCount(runs: About[string] | undefined): string {
  return plural(Number(runs), "run");
}

/** The findings of `doctor`, by topic. The codes are the same in every language. */
export const FINDINGS = {
  containment: {
    contained: {
      en: "{mechanism}; whatever a command starts ends with it and with the foreman",
      zh: "{mechanism}；命令启动的一切都随命令和工头一同结束",
    },
    tools_missing: {
      ...BEST_EFFORT,
      advice: {
        en: "missing: {missing}\ninstall util-linux (setpriv, unshare) or bubblewrap (bwrap)",
        zh: "缺少：{missing}\n请安装 util-linux（setpriv、unshare）或 bubblewrap（bwrap）",
      },
    },
    namespaces_forbidden: ({ by }) => ({
      ...BEST_EFFORT,
      advice: {
        en: `{present} found, but pid namespaces are forbidden here${by === null ? "" : ": {by}"}\n${ALLOW.en}`,
        zh: `已有 {present}，但此处禁止 pid namespace${by === null ? "" : "：{by}"}\n${ALLOW.zh}`,
      },
    }),
    no_namespaces_on_platform: {
      ...BEST_EFFORT,
      advice: {
        en: "{platform} has no pid namespaces; in a Linux container nothing gets away",
        zh: "{platform} 没有 pid namespace；在 Linux 容器中则无一能逃脱",
      },
    },
  },
  room: {
    room_overlay: {
      en: "overlay over the work tree, at its own path: full protection",
      zh: "overlay：覆盖在工作树原路径上，防护完整",
    },
    room_copy: (about) => ({
      en: "copy of the files at another path (no_overlay): weaker than an overlay",
      zh: "另一路径上的文件副本 (no_overlay)：弱于 overlay",
      advice: {
        en: `tools that keep absolute paths may need --setup; by such a path a check still reaches the work tree; every check copies the files\n${noOverlay(about).en}`,
        zh: `依赖绝对路径的工具可能需要 --setup；检查仍可按绝对路径访问工作树；每次检查都要复制文件\n${noOverlay(about).zh}`,
      },
    }),
    room_untried: { en: "cannot be tried in {where}: {why}", zh: "无法在 {where} 中试建：{why}" },
  },
  sandbox: {
    sandbox_works: { en: "bubblewrap: --sandbox works here", zh: "bubblewrap：--sandbox 可用" },
    sandbox_not_installed: ({ platform }) => ({
      en: "--sandbox does not work here: bubblewrap (bwrap) is not installed",
      zh: "--sandbox 在此不可用：未安装 bubblewrap（bwrap）",
      advice:
        platform === "linux"
          ? {
              en: "install bubblewrap (apt install bubblewrap)",
              zh: "请安装 bubblewrap（apt install bubblewrap）",
            }
          : {
              en: "there is none for {platform}; in a Linux container there is",
              zh: "{platform} 没有 bubblewrap；可在 Linux 容器中使用",
            },
    }),
    sandbox_forbidden: ({ by }) => ({
      en: "--sandbox does not work here: bubblewrap is installed, but may not make namespaces",
      zh: "--sandbox 在此不可用：已安装 bubblewrap，但不允许它创建 namespace",
      advice: {
        en: `{why}${by === null ? "" : " ({by})"}\n${ALLOW.en}`,
        zh: `{why}${by === null ? "" : "（{by}）"}\n${ALLOW.zh}`,
      },
    }),
    sandbox_fails: {
      en: "--sandbox does not work here: bubblewrap is installed, but fails",
      zh: "--sandbox 在此不可用：已安装 bubblewrap，但运行失败",
      advice: "{why}",
    },
  },
  node: {
    node_supported: { en: "{version}", zh: "{version}" },
    node_too_old: {
      en: "{version} is too old",
      zh: "{version} 过旧",
      advice: { en: "install Node.js {needed} or newer", zh: "请安装 Node.js {needed} 或更新版本" },
    },
  },
  git: {
    git_found: { en: "{version}", zh: "{version}" },
    git_missing: {
      en: "not found: no base commit, no summary of changes, and the lock covers a directory, not a work tree",
      zh: "未找到：没有基准提交和变更摘要，锁只覆盖目录而非整个工作树",
      advice: { en: "install git", zh: "请安装 git" },
    },
  },
  pipes: {
    pipes_work: { en: "mkfifo works in {where}", zh: "mkfifo 可在 {where} 中使用" },
    pipes_fail: {
      en: "named pipes cannot be created: {why}",
      zh: "无法创建命名管道：{why}",
      advice: {
        en: "install coreutils (mkfifo), or set AGENT_FOREMAN_HOME to a directory on a local disk",
        zh: "请安装 coreutils（mkfifo），或用 AGENT_FOREMAN_HOME 指定本地磁盘上的目录",
      },
    },
    pipes_not_needed: { en: "not needed on {platform}", zh: "{platform} 不需要" },
  },
  pty: {
    pty_works: { en: "can be opened: chat --supervisor works here", zh: "可以打开：chat --supervisor 可用" },
    pty_missing: {
      en: "cannot be opened: {why}",
      zh: "无法打开：{why}",
      advice: {
        en: "chat --supervisor does not work here; chat --print does",
        zh: "chat --supervisor 在此不可用；chat --print 可用",
      },
    },
  },
  shell: {
    shell_found: { en: "{path}", zh: "{path}" },
    shell_missing: { en: "{path} cannot be run: no command can", zh: "{path} 无法执行：任何命令都不能运行" },
  },
  order: {
    order_exact: {
      en: "exact between stdout and stderr (inotify)",
      zh: "stdout 与 stderr 的先后可精确得知（inotify）",
    },
    order_across_pauses: ({ why }) => ({
      en: "of stdout and stderr known only across pauses; of contradicting markers the less favourable counts",
      zh: "stdout 与 stderr 的先后只在停顿前后可知：矛盾的标记以较不利者为准",
      ...(why !== null && {
        advice: {
          en: "{why}: raise fs.inotify.max_user_watches and max_user_instances",
          zh: "{why}：请调高 fs.inotify.max_user_watches 和 max_user_instances",
        },
      }),
    }),
  },
  language: {
    language_by_flag: { en: "{lang} (--lang)", zh: "{lang}（--lang）" },
    language_by_locale: { en: "{lang} ({variable}={value})", zh: "{lang}（{variable}={value}）" },
    language_by_default: { en: "{lang} (no locale is set)", zh: "{lang}（未设置 locale）" },
  },
  terminal: {
    person_can_be_asked: { en: "a person can be asked here", zh: "可以在此询问人工" },
    person_cannot_be_asked: ({ missing }) => ({
      en: `no questions are asked here (${missing === "" ? "CI is set" : "not a terminal: {missing}"}): a run that uses up its attempts ends as rejected`,
      zh: `此处不会提问（${missing === "" ? "设置了 CI" : "不是终端：{missing}"}）：尝试用完的运行以未通过结束`,
    }),
  },
  state: {
    state_usable: ({ runs }) => ({
      en: `{path}  ${runCount(runs)}, {free} free`,
      zh: "{path}  {runs} 个运行，剩余 {free}",
    }),
    space_low: ({ runs }) => ({
      en: `{path}  ${runCount(runs)}, only {free} free`,
      zh: "{path}  {runs} 个运行，仅剩 {free}",
      advice: {
        en: "free some space: a run that cannot write stops",
        zh: "请腾出空间：无法写入的运行会停止",
      },
    }),
    state_unusable: {
      en: "{path} cannot be used: {why}",
      zh: "{path} 不可用：{why}",
      advice: {
        en: "set AGENT_FOREMAN_HOME to a directory you can write",
        zh: "用 AGENT_FOREMAN_HOME 指定可写目录",
      },
    },
  },
  agent: {
    agent_found: {
      en: "{version}  tested {tested}; {can}",
      zh: "{version}  已测试 {tested}；{can}",
      advice: "{called}",
    },
    agent_newer: {
      en: "{version}  newer than tested ({tested}); {can}",
      zh: "{version}  比测试过的版本 ({tested}) 新；{can}",
      advice: "{called}",
    },
    agent_older: {
      en: "{version}  older than tested ({tested}); {can}",
      zh: "{version}  比测试过的版本 ({tested}) 旧；{can}",
      advice: "{called}",
    },
    agent_mute: {
      en: "found, but does not report its version; tested {tested}",
      zh: "已找到，但不报告版本；已测试 {tested}",
      advice: "{called}",
    },
    agent_not_found: { en: "not found: {install}", zh: "未找到：{install}" },
    profile_ready: { en: "profile of {adapter}: {program}", zh: "{adapter} 的 profile：{program}" },
    profile_not_found: {
      en: "profile of {adapter}: {program} not found",
      zh: "{adapter} 的 profile：未找到 {program}",
    },
    profile_lacks_variables: {
      en: "profile of {adapter}: not set: {missing}",
      zh: "{adapter} 的 profile：未设置 {missing}",
    },
  },
  config: {
    config_valid: { en: "{files}", zh: "{files}" },
    config_broken: {
      en: "cannot be used ({why})",
      zh: "无法使用 ({why})",
      advice: "agent-foreman config check",
    },
  },
} satisfies Readonly<
  Record<string, Readonly<Record<string, FindingTexts | ((about: About) => FindingTexts)>>>
>;

/** Topics that `doctor` checks. */
export type Check = keyof typeof FINDINGS;

export const checkNames: Readonly<Record<Check, Texts>> = {
  containment: { en: "containment", zh: "隔离" },
  room: { en: "clean room", zh: "洁净室" },
  sandbox: { en: "sandbox", zh: "沙箱" },
  node: { en: "node", zh: "node" },
  git: { en: "git", zh: "git" },
  pipes: { en: "pipes", zh: "管道" },
  pty: { en: "pty", zh: "伪终端" },
  shell: { en: "shell", zh: "shell" },
  order: { en: "output order", zh: "输出次序" },
  language: { en: "language", zh: "语言" },
  terminal: { en: "terminal", zh: "终端" },
  state: { en: "state", zh: "状态目录" },
  agent: { en: "agent", zh: "agent" },
  config: { en: "config", zh: "配置" },
};

export const nextStep: Texts = { en: "next  agent-foreman demo", zh: "下一步  agent-foreman demo" };
