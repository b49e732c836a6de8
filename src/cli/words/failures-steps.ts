import type { Lang } from "../../core/settings.ts";
import type { StepsFailureCode } from "../../platform/failure.ts";
import type { About, FailureText } from "./failure-text.ts";

type Texts = Readonly<Record<StepsFailureCode, (about: About) => FailureText>>;

const STEP_KEYS = '{"id", "description", "status", "verification": [{"type", "description"}]}';

/** Read-only files or a missing program need no advice about the format. */
function adviceFor(
  about: About,
  install: string,
  fix: string,
  format: readonly string[],
): Pick<FailureText, "lines" | "next"> {
  if (about["readOnly"] !== undefined) return { next: `chmod u+w ${about["readOnly"]}` };
  return about["missing"] === undefined ? { lines: format, next: fix } : { next: install };
}

/** Problems with the input of `analyze` and `run`. */
export const stepsFailureTexts: Readonly<Record<Lang, Texts>> = {
  en: {
    steps_dir_missing: (a) => ({
      message: `steps directory not found: ${a["path"]}`,
      next: "agent-foreman analyze <requirements-file>",
      also: "writes the steps of a requirements document",
    }),
    steps_dir_not_a_directory: (a) => ({
      message: `steps directory is not a directory: ${a["path"]}`,
      next: "name the directory that holds the step files",
    }),
    steps_dir_unreadable: (a) => ({
      message: `steps directory cannot be read: ${a["path"]} (${a["why"]})`,
      next: "give yourself the right to read it",
    }),
    steps_dir_not_writable: (a) => ({
      message: `steps directory cannot be written: ${a["path"]} (${a["why"]})`,
      next: "give yourself the right to write it: statuses and run-progress.md go there",
    }),
    steps_taken_over: (a) => ({
      message: `run ${a["other"]} has replaced run ${a["runId"]}: it has worked on these steps since: ${a["path"]}`,
      next: `agent-foreman show ${a["other"]}`,
    }),
    step_status_stays: (a) => ({
      message: `status 🟢 cannot be taken back: ${a["path"]} (${a["why"]}); a killed run left it there without having accepted the step`,
      next: "make the file writable, or set the status yourself",
    }),
    steps_dir_no_json: (a) => ({
      message: `no JSON step file found in the steps directory: ${a["path"]}`,
      next: "agent-foreman analyze <requirements-file>",
      also: "writes the steps of a requirements document",
    }),
    steps_dir_no_steps: (a) => ({
      message: `no file in the steps directory is named NNN-<slug>.json: ${a["path"]} (found: ${a["names"]})`,
      next: "rename them, e.g. 001-setup-auth.json",
    }),
    steps_dir_too_many: (a) => ({
      message: `too many step files: ${a["path"]} (${a["count"]}, at most ${a["limit"]})`,
    }),
    steps_invalid: (a) => ({
      message: `steps cannot be run: ${a["path"]} (${a["count"]} ${a["count"] === "1" ? "problem" : "problems"})`,
      ...adviceFor(
        a,
        "install the program, or fix unit_test.command in the step file",
        "fix the files named above; nothing was run",
        [
          `a step file is ${STEP_KEYS}, and may have "unit_test": {"command"}`,
          "--force allows commands that look dangerous",
        ],
      ),
    }),
    requirements_missing: (a) => ({
      message: `requirements file not found: ${a["path"]}`,
      next: "name the document that says what is wanted",
    }),
    requirements_unreadable: (a) => ({
      message: `requirements file cannot be read: ${a["path"]} (${a["why"]})`,
    }),
    requirements_empty: (a) => ({
      message: `requirements file is empty: ${a["path"]}`,
      next: "write down what is wanted",
    }),
    requirements_binary: (a) => ({
      message: `requirements file is not text: ${a["path"]}`,
      next: "give a UTF-8 text, such as Markdown",
    }),
    requirements_too_large: (a) => ({
      message: `requirements file is too large: ${a["path"]} (at most ${a["limit"]} bytes)`,
      next: "divide it, and analyze the parts one by one",
    }),
    out_exists: (a) => ({
      message: `already there, nothing was started: ${a["path"]}`,
      next: "choose another --out, or move it away",
    }),
    out_not_writable: (a) => ({
      message: `no directory can be made: ${a["path"]} (${a["why"]})`,
      next: "the directory around it has to exist and be writable",
    }),
  },
  zh: {
    steps_dir_missing: (a) => ({
      message: `找不到步骤目录：${a["path"]}`,
      next: "agent-foreman analyze <requirements-file>",
      also: "可根据需求文档生成步骤",
    }),
    steps_dir_not_a_directory: (a) => ({
      message: `步骤目录不是目录：${a["path"]}`,
      next: "请指定存放步骤文件的目录",
    }),
    steps_dir_unreadable: (a) => ({
      message: `无法读取步骤目录：${a["path"]} (${a["why"]})`,
      next: "请获取读取权限",
    }),
    steps_dir_not_writable: (a) => ({
      message: `步骤目录不可写：${a["path"]} (${a["why"]})`,
      next: "请获取写入权限：状态和 run-progress.md 写在其中",
    }),
    steps_taken_over: (a) => ({
      message: `运行 ${a["runId"]} 已被运行 ${a["other"]} 取代，之后由后者处理这些步骤：${a["path"]}`,
      next: `agent-foreman show ${a["other"]}`,
    }),
    step_status_stays: (a) => ({
      message: `无法撤回状态 🟢：${a["path"]}（${a["why"]}）；它由一次被强制终止的运行留下，该步骤未经验收`,
      next: "请使该文件可写，或自行修改状态",
    }),
    steps_dir_no_json: (a) => ({
      message: `步骤目录中未找到任何 JSON 步骤文件：${a["path"]}`,
      next: "agent-foreman analyze <requirements-file>",
      also: "可根据需求文档生成步骤",
    }),
    steps_dir_no_steps: (a) => ({
      message: `步骤目录中没有符合 NNN-<slug>.json 的文件：${a["path"]}（发现：${a["names"]}）`,
      next: "请重命名，例如 001-setup-auth.json",
    }),
    steps_dir_too_many: (a) => ({
      message: `步骤文件过多：${a["path"]}（${a["count"]} 个，最多 ${a["limit"]} 个）`,
    }),
    steps_invalid: (a) => ({
      message: `步骤无法执行：${a["path"]}（${a["count"]} 个问题）`,
      ...adviceFor(
        a,
        "请安装该程序，或修正步骤文件中的 unit_test.command",
        "请修正以上文件；尚未执行任何步骤",
        [`步骤文件的格式为 ${STEP_KEYS}，可另有 "unit_test": {"command"}`, "--force 可放行看似危险的命令"],
      ),
    }),
    requirements_missing: (a) => ({ message: `找不到需求文件：${a["path"]}`, next: "请指定需求文档" }),
    requirements_unreadable: (a) => ({ message: `无法读取需求文件：${a["path"]} (${a["why"]})` }),
    requirements_empty: (a) => ({ message: `需求文件为空：${a["path"]}`, next: "请写下需求" }),
    requirements_binary: (a) => ({
      message: `需求文件不是文本：${a["path"]}`,
      next: "请提供 UTF-8 文本，例如 Markdown",
    }),
    requirements_too_large: (a) => ({
      message: `需求文件过大：${a["path"]}（最多 ${a["limit"]} 字节）`,
      next: "请拆分后逐个分析",
    }),
    out_exists: (a) => ({
      message: `已存在，未开始：${a["path"]}`,
      next: "请选择其他 --out，或将其移走",
    }),
    out_not_writable: (a) => ({
      message: `无法创建目录：${a["path"]} (${a["why"]})`,
      next: "其上级目录必须存在且可写",
    }),
  },
};
