import type { ChatFailureCode } from "../../platform/failure.ts";
import type { Lang } from "../../core/settings.ts";
import type { About, FailureText } from "./failure-text.ts";

type ChatFailureTexts = Readonly<Record<ChatFailureCode, (about: About) => FailureText>>;

/** Why SUPERVISOR.md is unusable; system errors appear unchanged. */
const unusable: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    empty: "it is empty",
    not_a_file: "it is not a file",
    not_utf8: "it is not UTF-8 text",
    too_large: "it is larger than 1 MiB",
  },
  zh: {
    empty: "文件为空",
    not_a_file: "不是文件",
    not_utf8: "不是 UTF-8 文本",
    too_large: "超过 1 MiB",
  },
};

export const chatFailureTexts: Readonly<Record<Lang, ChatFailureTexts>> = {
  en: {
    supervisor_missing: (a) => ({
      message: `SUPERVISOR.md not found: ${a["places"]}`,
      next: "agent-foreman chat init",
    }),
    supervisor_unusable: (a) => ({
      message: `SUPERVISOR.md cannot be used: ${a["path"]} (${unusable.en[a["why"] ?? ""] ?? a["why"]})`,
      next: "agent-foreman chat init --force",
      also: "writes a new one; or repair yours",
    }),
    supervisor_exists: (a) => ({
      message: `SUPERVISOR.md is there already: ${a["path"]}`,
      next: "agent-foreman chat init --force",
      also: "replaces it; or edit yours",
    }),
    supervisor_not_writable: (a) => ({
      message: `SUPERVISOR.md cannot be written: ${a["path"]} (${a["why"]})`,
    }),
    chat_unsupported: (a) => ({
      message: `agent ${a["agent"]} cannot be followed in a terminal`,
      next: 'agent-foreman chat --print "<prompt>"',
    }),
    chat_not_running: (a) => ({
      message: a["runId"] === undefined ? "no chat runs here" : `run ${a["runId"]} is no chat that runs`,
      next: "agent-foreman runs",
    }),
    chat_endpoint: (a) => ({
      message: `${a["agent"]} has an endpoint, which chat cannot hand to it`,
      next: "agent-foreman chat --supervisor",
      also: "or name the endpoint in the profile's args or env",
    }),
    reviews_stopped: (a) => ({
      message: `run ${a["runId"]} has stopped reviewing for good`,
      next: "agent-foreman chat --supervisor",
      also: "leave the agent first",
    }),
    prompt_too_large: (a) => ({ message: `the prompt is too large (at most ${a["limit"]} bytes)` }),
    no_terminal: () => ({
      message: "chat --supervisor needs a terminal: standard input and output are not one",
      next: 'agent-foreman chat --print "<prompt>"',
    }),
    terminal_too_small: (a) => ({
      message: `the terminal is too small: ${a["size"]} (at least ${a["least"]})`,
      next: "make the window larger",
    }),
    no_pty: (a) => ({
      message: `no pseudo terminal can be opened here: ${a["why"]}`,
      next: 'agent-foreman chat --print "<prompt>"',
      also: "runs the same loop without a terminal",
    }),
  },
  zh: {
    supervisor_missing: (a) => ({
      message: `找不到 SUPERVISOR.md：${a["places"]}`,
      next: "agent-foreman chat init",
    }),
    supervisor_unusable: (a) => ({
      message: `SUPERVISOR.md 无法使用：${a["path"]}（${unusable.zh[a["why"] ?? ""] ?? a["why"]}）`,
      next: "agent-foreman chat init --force",
      also: "可重新生成；也可自行修正",
    }),
    supervisor_exists: (a) => ({
      message: `SUPERVISOR.md 已存在：${a["path"]}`,
      next: "agent-foreman chat init --force",
      also: "会覆盖它；也可自行编辑",
    }),
    supervisor_not_writable: (a) => ({ message: `无法写入 SUPERVISOR.md：${a["path"]}（${a["why"]}）` }),
    chat_unsupported: (a) => ({
      message: `无法在终端中跟踪agent ${a["agent"]}`,
      next: 'agent-foreman chat --print "<提示>"',
    }),
    chat_not_running: (a) => ({
      message: a["runId"] === undefined ? "这里没有正在运行的 chat" : `${a["runId"]} 不是正在运行的 chat`,
      next: "agent-foreman runs",
    }),
    chat_endpoint: (a) => ({
      message: `${a["agent"]} 设置了 endpoint，chat 无法传给它`,
      next: "agent-foreman chat --supervisor",
      also: "或在 profile 的 args、env 中指定端点",
    }),
    reviews_stopped: (a) => ({
      message: `运行 ${a["runId"]} 已永久停止评审`,
      next: "agent-foreman chat --supervisor",
      also: "请先退出 agent",
    }),
    prompt_too_large: (a) => ({ message: `提示过大（最多 ${a["limit"]} 字节）` }),
    no_terminal: () => ({
      message: "chat --supervisor 需要终端：标准输入和输出不是终端",
      next: 'agent-foreman chat --print "<提示>"',
    }),
    terminal_too_small: (a) => ({
      message: `终端过小：${a["size"]}（至少 ${a["least"]}）`,
      next: "放大窗口",
    }),
    no_pty: (a) => ({
      message: `此处无法打开伪终端：${a["why"]}`,
      next: 'agent-foreman chat --print "<提示>"',
      also: "无需终端，运行同样的循环",
    }),
  },
};
