import type { BoardFailureCode, ChatFailureCode, StepsFailureCode } from "../../platform/failure.ts";
import type { About, FailureTable, FailureTexts, Texts } from "./texts.ts";

const STEP_KEYS = '{"id", "description", "status", "verification": [{"type", "description"}]}';

/** Read-only files or a missing program need no advice about the format. */
function stepsAdvice({ readOnly, missing }: About): Pick<FailureTexts, "lines" | "next"> {
  if (readOnly !== undefined) return { next: "chmod u+w {readOnly}" };
  if (missing !== undefined)
    return {
      next: {
        en: "install the program, or fix unit_test.command in the step file",
        zh: "请安装该程序，或修正步骤文件中的 unit_test.command",
      },
    };
  return {
    lines: {
      en: `a step file is ${STEP_KEYS}, and may have "unit_test": {"command"}\n--force allows commands that look dangerous`,
      zh: `步骤文件的格式为 ${STEP_KEYS}，可另有 "unit_test": {"command"}\n--force 可放行看似危险的命令`,
    },
    next: { en: "fix the files named above; nothing was run", zh: "请修正以上文件；尚未执行任何步骤" },
  };
}

function problems(count: string | undefined): string {
  return count === "1" ? "problem" : "problems";
}

/** Why SUPERVISOR.md is unusable; system errors appear unchanged. */
const UNUSABLE: Readonly<Record<string, Texts>> = {
  empty: { en: "it is empty", zh: "文件为空" },
  not_a_file: { en: "it is not a file", zh: "不是文件" },
  not_utf8: { en: "it is not UTF-8 text", zh: "不是 UTF-8 文本" },
  too_large: { en: "it is larger than 1 MiB", zh: "超过 1 MiB" },
};

/** Faults in the input of `analyze` and `run`, in a board, and in a conversation. */
export const modeFailures: FailureTable<StepsFailureCode | BoardFailureCode | ChatFailureCode> = {
  steps_dir_missing: {
    en: "steps directory not found: {path}",
    zh: "找不到步骤目录：{path}",
    next: "agent-foreman analyze <requirements-file>",
    also: { en: "writes the steps of a requirements document", zh: "可根据需求文档生成步骤" },
  },
  steps_dir_not_a_directory: {
    en: "steps directory is not a directory: {path}",
    zh: "步骤目录不是目录：{path}",
    next: { en: "name the directory that holds the step files", zh: "请指定存放步骤文件的目录" },
  },
  steps_dir_unreadable: {
    en: "steps directory cannot be read: {path} ({why})",
    zh: "无法读取步骤目录：{path} ({why})",
    next: { en: "give yourself permission to read it", zh: "请获取读取权限" },
  },
  steps_dir_not_writable: {
    en: "steps directory cannot be written: {path} ({why})",
    zh: "步骤目录不可写：{path} ({why})",
    next: {
      en: "give yourself permission to write it: statuses and run-progress.md go there",
      zh: "请获取写入权限：状态和 run-progress.md 写在其中",
    },
  },
  steps_taken_over: {
    en: "run {other} has replaced run {runId}: it has worked on these steps since: {path}",
    zh: "运行 {runId} 已被运行 {other} 取代，之后由后者处理这些步骤：{path}",
    next: "agent-foreman show {other}",
  },
  step_status_stays: {
    en: "status 🟢 cannot be taken back: {path} ({why}); a killed run left it there without having accepted the step",
    zh: "无法撤回状态 🟢：{path}（{why}）；它由一次被强制终止的运行留下，该步骤未经验收",
    next: { en: "make the file writable, or set the status yourself", zh: "请使该文件可写，或自行修改状态" },
  },
  steps_dir_no_json: {
    en: "no JSON step file found in the steps directory: {path}",
    zh: "步骤目录中未找到任何 JSON 步骤文件：{path}",
    next: "agent-foreman analyze <requirements-file>",
    also: { en: "writes the steps of a requirements document", zh: "可根据需求文档生成步骤" },
  },
  steps_dir_no_steps: {
    en: "no file in the steps directory is named NNN-<slug>.json: {path} (found: {names})",
    zh: "步骤目录中没有符合 NNN-<slug>.json 的文件：{path}（发现：{names}）",
    next: { en: "rename them, e.g. 001-setup-auth.json", zh: "请重命名，例如 001-setup-auth.json" },
  },
  steps_dir_too_many: {
    en: "too many step files: {path} ({count}, at most {limit})",
    zh: "步骤文件过多：{path}（{count} 个，最多 {limit} 个）",
  },
  steps_invalid: (about) => ({
    en: `steps cannot be run: {path} ({count} ${problems(about["count"])})`,
    zh: "步骤无法执行：{path}（{count} 个问题）",
    ...stepsAdvice(about),
  }),
  requirements_missing: {
    en: "requirements file not found: {path}",
    zh: "找不到需求文件：{path}",
    next: { en: "name the document that says what is wanted", zh: "请指定需求文档" },
  },
  requirements_unreadable: {
    en: "requirements file cannot be read: {path} ({why})",
    zh: "无法读取需求文件：{path} ({why})",
  },
  requirements_empty: {
    en: "requirements file is empty: {path}",
    zh: "需求文件为空：{path}",
    next: { en: "write down what is wanted", zh: "请写下需求" },
  },
  requirements_binary: {
    en: "requirements file is not text: {path}",
    zh: "需求文件不是文本：{path}",
    next: { en: "give a UTF-8 text, such as Markdown", zh: "请提供 UTF-8 文本，例如 Markdown" },
  },
  requirements_too_large: {
    en: "requirements file is too large: {path} (at most {limit} bytes)",
    zh: "需求文件过大：{path}（最多 {limit} 字节）",
    next: { en: "divide it, and analyze the parts one by one", zh: "请拆分后逐个分析" },
  },
  out_exists: {
    en: "--out already exists, nothing was started: {path}",
    zh: "已存在，未开始：{path}",
    next: { en: "choose another --out, or move it away", zh: "请选择其他 --out，或将其移走" },
  },
  out_not_writable: {
    en: "directory cannot be created: {path} ({why})",
    zh: "无法创建目录：{path} ({why})",
    next: { en: "its parent directory must exist and be writable", zh: "其上级目录必须存在且可写" },
  },
  board_missing: {
    en: "board not found: {path}",
    zh: "找不到黑板：{path}",
    next: "agent-foreman board init",
  },
  board_not_a_directory: {
    en: "board is not a directory: {path}",
    zh: "黑板不是目录：{path}",
    next: { en: "name the directory that holds dev_plan.md", zh: "请指定存放 dev_plan.md 的目录" },
  },
  board_invalid: ({ count, killed }) => ({
    en: `board cannot be used: {path} ({count} ${problems(count)})`,
    zh: "黑板无法使用：{path}（{count} 个问题）",
    ...(killed === undefined
      ? {
          next: {
            en: "fix the files named above; nothing was started",
            zh: "请修正以上文件；尚未开始任何工作",
          },
        }
      : {
          next: "agent-foreman resume {killed}",
          also: {
            en: "repairs the board: the foreman was killed during run {killed}",
            zh: "会恢复黑板：运行 {killed} 期间 foreman 被强行终止",
          },
        }),
  }),
  board_file_exists: {
    en: "file already exists, nothing was written: {path}",
    zh: "已存在，未写入任何内容：{path}",
    next: "agent-foreman board show",
    also: { en: "or choose another --board", zh: "或换一个 --board" },
  },
  board_in_use: {
    en: "run {runId} has not ended on this board: {path}",
    zh: "运行 {runId} 在此黑板上尚未结束：{path}",
    next: "agent-foreman {next} {runId}",
    also: { en: "or end it: agent-foreman cancel {runId}", zh: "或结束它：agent-foreman cancel {runId}" },
  },
  board_not_writable: {
    en: "board cannot be written: {path} ({why})",
    zh: "黑板不可写：{path}（{why}）",
    next: { en: "choose another --board", zh: "换一个 --board" },
  },
  iterations_wrong_mode: {
    en: "--max-iterations is for runs of orchestrate; {runId} is a run of {mode}",
    zh: "--max-iterations 只用于 orchestrate 的运行；{runId} 是 {mode} 的运行",
    next: "agent-foreman resume {runId}",
  },
  iterations_ended: {
    en: "run {runId} has ended and takes no more iterations",
    zh: "运行 {runId} 已结束，不能再增加迭代",
    next: "{command} --max-iterations {count}",
    also: { en: "starts a new run that goes on with its board", zh: "新的运行会接着这块黑板做" },
  },
  iterations_used: {
    en: "run {runId} has begun {used} iterations: --max-iterations {count} leaves none",
    zh: "运行 {runId} 已开始 {used} 轮迭代：--max-iterations {count} 不够再做一轮",
    next: "agent-foreman resume {runId} --max-iterations {more}",
  },
  supervisor_missing: {
    en: "SUPERVISOR.md not found: {places}",
    zh: "找不到 SUPERVISOR.md：{places}",
    next: "agent-foreman chat init",
  },
  supervisor_unusable: ({ why = "" }) => ({
    en: `SUPERVISOR.md cannot be used: {path} (${UNUSABLE[why]?.en ?? "{why}"})`,
    zh: `SUPERVISOR.md 无法使用：{path}（${UNUSABLE[why]?.zh ?? "{why}"}）`,
    next: "agent-foreman chat init --force",
    also: { en: "writes a new one; or repair yours", zh: "可重新生成；也可自行修正" },
  }),
  supervisor_exists: {
    en: "SUPERVISOR.md already exists: {path}",
    zh: "SUPERVISOR.md 已存在：{path}",
    next: "agent-foreman chat init --force",
    also: { en: "replaces it; or edit yours", zh: "会覆盖它；也可自行编辑" },
  },
  supervisor_not_writable: {
    en: "SUPERVISOR.md cannot be written: {path} ({why})",
    zh: "无法写入 SUPERVISOR.md：{path}（{why}）",
  },
  chat_unsupported: {
    en: "agent {agent} cannot be followed in a terminal",
    zh: "无法在终端中跟踪agent {agent}",
    next: { en: 'agent-foreman chat --print "<prompt>"', zh: 'agent-foreman chat --print "<提示>"' },
  },
  chat_not_running: ({ runId }) => ({
    en: runId === undefined ? "no chat runs here" : "run {runId} is not a running chat",
    zh: runId === undefined ? "这里没有正在运行的 chat" : "{runId} 不是正在运行的 chat",
    next: "agent-foreman runs",
  }),
  chat_endpoint: {
    en: "{agent} has an endpoint, which chat cannot hand to it",
    zh: "{agent} 设置了 endpoint，chat 无法传给它",
    next: "agent-foreman chat --supervisor",
    also: {
      en: "or name the endpoint in the profile's args or env",
      zh: "或在 profile 的 args、env 中指定端点",
    },
  },
  reviews_stopped: {
    en: "run {runId} has stopped reviewing for good",
    zh: "运行 {runId} 已永久停止评审",
    next: "agent-foreman chat --supervisor",
    also: { en: "leave the agent first", zh: "请先退出 agent" },
  },
  prompt_too_large: {
    en: "the prompt is too large (at most {limit} bytes)",
    zh: "提示过大（最多 {limit} 字节）",
  },
  no_terminal: {
    en: "chat --supervisor needs a terminal: standard input and output are not one",
    zh: "chat --supervisor 需要终端：标准输入和输出不是终端",
    next: { en: 'agent-foreman chat --print "<prompt>"', zh: 'agent-foreman chat --print "<提示>"' },
  },
  terminal_too_small: {
    en: "the terminal is too small: {size} (at least {least})",
    zh: "终端过小：{size}（至少 {least}）",
    next: { en: "make the window larger", zh: "放大窗口" },
  },
  no_pty: {
    en: "no pseudo terminal can be opened here: {why}",
    zh: "此处无法打开伪终端：{why}",
    next: { en: 'agent-foreman chat --print "<prompt>"', zh: 'agent-foreman chat --print "<提示>"' },
    also: { en: "runs the same loop without a terminal", zh: "无需终端，运行同样的循环" },
  },
};
