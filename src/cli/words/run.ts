import { plural } from "../../text/plural.ts";
import type { Lang } from "../../core/settings.ts";

const en = {
  warning: "warning: ",
  skipped: (names: string) => `not named NNN-<slug>.json, so not taken for steps: ${names}`,
  unfinished: (runId: string, resume: string) =>
    `run ${runId} on these steps has not ended; \`${resume}\` would have gone on at its attempt`,
  endedLeftovers: (runId: string, count: number) =>
    `run ${runId} was killed; ended ${plural(count, "process", "processes")} it left`,
  lowered: (runId: string, { file, from, to }: Record<"file" | "from" | "to", string>) =>
    `${file}: status ${from} → ${to}: run ${runId} was killed before it accepted this step. If the step is done, press Ctrl-C, set its status again and start again`,
  planned: (count: number, chosen: number, done: number) =>
    `${count} ${count === 1 ? "step" : "steps"}: ${chosen} to work on, ${done} already done`,
  workers: (names: string) => `work      ${names}`,
  verifiers: (names: string) => `verify    ${names}`,
  otherThanWorker: "any of them, rather another one than did the work",
  would: {
    implement: "implement, test, verify",
    check: "test and verify again",
    skip_done: "skip: already done",
    not_chosen: "skip: not chosen",
  },
  unitTest: (command: string) => `unit test: ${command}`,
  items: (count: number) => `${count} verification ${count === 1 ? "item" : "items"}`,
  nothingDone: "Dry run: nothing was started or written.",
};

const zh: typeof en = {
  warning: "警告：",
  skipped: (names) => `以下 JSON 文件不符合 NNN-<slug>.json，不会作为步骤执行：${names}`,
  unfinished: (runId, resume) => `这些步骤上的运行 ${runId} 尚未结束；可用 \`${resume}\` 从其尝试处继续`,
  endedLeftovers: (runId, count) => `运行 ${runId} 曾被强制终止；已结束其遗留的 ${count} 个进程`,
  lowered: (runId, { file, from, to }) =>
    `${file}：状态 ${from} → ${to}：运行 ${runId} 在验收该步骤之前被强制终止。如果该步骤确已完成，请按 Ctrl-C，重新设置状态后再次启动`,
  planned: (count, chosen, done) => `共 ${count} 个步骤：${chosen} 个待执行，${done} 个已完成`,
  workers: (names) => `实现    ${names}`,
  verifiers: (names) => `验证    ${names}`,
  otherThanWorker: "其中任意一个，优先选择未参与实现的",
  would: {
    implement: "实现、测试、验证",
    check: "重新测试并验证",
    skip_done: "跳过：已完成",
    not_chosen: "跳过：未选择",
  },
  unitTest: (command) => `单元测试: ${command}`,
  items: (count) => `${count} 个 verification 条目`,
  nothingDone: "试运行：没有启动或写入任何内容。",
};

export const runTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
