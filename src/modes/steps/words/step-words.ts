import type { Requirement } from "../requirements.ts";
import type { Lang } from "../../../core/settings.ts";
import type { UnitTestFault } from "../unit-test.ts";

const UNIT_TEST_EXAMPLE =
  '{"unit_test":{"command":"<command>","files":["<path of a test file>"],"notes":"<what it covers>"}}';
const REVIEW_EXAMPLE = '{"verification":[{"item":1,"result":"<pass or fail>","evidence":"<what you saw>"}]}';
const analysisExample = (hasRequirements: boolean): readonly string[] => [
  "{",
  '  "name": "<short name, at most 30 characters>",',
  '  "steps": [',
  "    {",
  '      "slug": "<lower-case-words>",',
  '      "description": "<what has to be true afterwards>",',
  '      "done": <true or false>,',
  ...(hasRequirements ? ['      "covers": ["<id of a requirement>"],'] : []),
  '      "verification": [{"type": "<unit, integration, ui or manual>", "description": "<one fact>"}]',
  "    }",
  "  ]",
  "}",
];
const listedRequirements = (requirements: readonly Requirement[]): readonly string[] =>
  requirements.map(({ id, line, text }) => `    ${id} (${line}): ${text}`);

/** The parts of prompts about steps, and one-line failures of steps. */
const en = {
  /** Used without a list of items: the description itself is verified. */
  asDescribed: "the step is implemented as its description says",
  unitTestGiven: (command: string) =>
    `The unit test of this step is \`${command}\`; it is run in the project's directory.`,
  unitTestWanted:
    "The unit test of this step is the command that you name at the end of your turn; it is run in the project's directory.",
  unitTestPassed: (command: string) =>
    `The unit test \`${command}\` was run just now, by the program that asks you, and passed.`,
  noUnitTest: "This step has no unit test: look more closely.",
  implementProtocol: (mayName: boolean) =>
    mayName
      ? [
          "Your last message has to end with one JSON object that holds nothing but `unit_test`, the command that tests this step:",
          "",
          `    ${UNIT_TEST_EXAMPLE}`,
          "",
          "Bare JSON: no Markdown code block, double quotes only, nothing after it. `files` and `notes` may be left out. If no unit test of its own makes sense for this step, leave the JSON out; do not give an empty one.",
        ]
      : ["Say in your last message what you did."],
  verifyProtocol: (count: number) => [
    `Your last message has to end with one JSON object that says of each of the ${count === 1 ? "1 item" : `${count} items`} whether it passed:`,
    "",
    `    ${REVIEW_EXAMPLE}`,
    "",
    'Bare JSON, from the beginning of a line: no Markdown code block, double quotes only, no key twice, nothing after it. Every item exactly once, `result` is "pass" or "fail", `evidence` says what you saw, with file and line or command. Without such an object the verification has failed.',
  ],
  analyzeProtocol: (requirements: readonly Requirement[]) => [
    "Your last message has to end with one JSON object of this form:",
    "",
    ...analysisExample(requirements.length > 0).map((line) => `    ${line}`),
    "",
    "Bare JSON: no Markdown code block, double quotes only, nothing after it. At least one step; at least one verification item a step.",
    ...(requirements.length === 0
      ? []
      : [
          "",
          "`covers` lists the requirements that a step implements, or that it records as done, by these ids (line of the document):",
          "",
          ...listedRequirements(requirements),
          "",
          "Every requirement has to be covered by a step. List only ids that the step really covers; a title or a remark may stay uncovered.",
        ]),
  ],

  previousFailure: "Summary of why the last attempt failed",
  attempt: (attempt: number, limit: number) => `Attempt: ${attempt} of ${limit}`,
  regression: "Attempt: regression check of a step that was done",
  statuses: (from: string, to: string) => `Status: ${from} → ${to}`,
  unitTest: "Unit test",
  unitTestCommand: "Unit test command",
  aiError: "Agent error",
  verificationError: "Verification error",
  repair: "Repair this first. The files are as the last attempt left them.",
  answerUnusable: "Your last answer could not be used",

  unitTestFailed: "unit test failed",
  unitTestRefused: (why: string) => `the unit test command that the agent named is refused (${why})`,
  unitTestUnusable: {
    broken: "its JSON is broken or cut off",
    ambiguous: "a key is repeated in its JSON",
    not_an_object: "unit_test has to be a JSON object",
    no_command: "it has no command; without a unit test leave the JSON out",
    several_lines: "the command has to be one line",
    control_characters: "the command holds control characters",
    too_long: "the command is longer than 2000 characters",
  } satisfies Record<UnitTestFault, string>,
  itemsFailed: (failed: number, count: number) => `${failed} of ${count} items failed`,
  noVerdict: "no usable verdict",
  verifierFailed: (name: string, how: string) => `${name} could not verify: ${how}`,
  verifierChanged: (paths: string) => `the work tree changed during the verification: ${paths}`,
  agentFailed: (how: string) => `the agent's turn failed: ${how}`,
  brokenOff: (reason: string) => `broken off (${reason})`,
  stepChanged: (fields: string) => `the step file was changed during the run: ${fields}`,
  stepInvalid: (problems: string) => `the step file is no longer usable: ${problems}`,
  stepNotWritten: (why: string) => `the step file cannot be written: ${why}`,
};

const zh: typeof en = {
  asDescribed: "步骤已按其 description 实现",
  unitTestGiven: (command) => `该步骤的单元测试是 \`${command}\`，在项目目录中运行。`,
  unitTestWanted: "该步骤的单元测试是你在回合结束时给出的命令，在项目目录中运行。",
  unitTestPassed: (command) => `提问的程序刚刚运行了单元测试 \`${command}\`，已通过。`,
  noUnitTest: "该步骤没有单元测试：请更仔细地查看。",
  implementProtocol: (mayName) =>
    mayName
      ? [
          "你的最后一条消息必须以一个只包含 `unit_test` 字段的 JSON 对象结尾，即测试该步骤的命令：",
          "",
          `    ${UNIT_TEST_EXAMPLE}`,
          "",
          "只输出裸 JSON：不使用 Markdown 代码块，字段使用英文双引号，其后不要有任何内容。`files` 和 `notes` 可以省略。如果该步骤不需要或无法编写专门的单元测试，请省略整个 JSON，不要输出空字段。",
        ]
      : ["请在最后一条消息中说明你做了什么。"],
  verifyProtocol: (count) => [
    `你的最后一条消息必须以一个 JSON 对象结尾，逐条说明 ${count} 个条目是否通过：`,
    "",
    `    ${REVIEW_EXAMPLE}`,
    "",
    '只输出裸 JSON，从行首开始：不使用 Markdown 代码块，字段使用英文双引号，键不重复，其后不要有任何内容。每个条目恰好一次，`result` 为 "pass" 或 "fail"，`evidence` 说明你看到的事实（文件与行号或命令）。没有这样的对象即视为验证失败。',
  ],
  analyzeProtocol: (requirements) => [
    "你的最后一条消息必须以如下形式的 JSON 对象结尾：",
    "",
    ...analysisExample(requirements.length > 0).map((line) => `    ${line}`),
    "",
    "只输出裸 JSON：不使用 Markdown 代码块，字段使用英文双引号，其后不要有任何内容。至少一个步骤，每个步骤至少一个 verification 条目。",
    ...(requirements.length === 0
      ? []
      : [
          "",
          "`covers` 列出该步骤实现的（或记录为已完成的）需求，使用以下编号（括号内为文档行号）：",
          "",
          ...listedRequirements(requirements),
          "",
          "每条需求都应由某个步骤覆盖。只列出步骤确实覆盖的编号；标题或备注可以不覆盖。",
        ]),
  ],

  previousFailure: "上一轮尝试失败原因摘要",
  attempt: (attempt, limit) => `尝试：第 ${attempt}/${limit} 次`,
  regression: "尝试：已完成步骤的回归验证",
  statuses: (from, to) => `状态：${from} → ${to}`,
  unitTest: "单元测试",
  unitTestCommand: "单元测试命令",
  aiError: "AI 错误",
  verificationError: "verification 错误",
  repair: "请先修复以上问题。文件保持上一轮结束时的样子。",
  answerUnusable: "你的上一个回答无法使用",

  unitTestFailed: "单元测试失败",
  unitTestRefused: (why) => `agent 给出的单元测试命令被拒绝 (${why})`,
  unitTestUnusable: {
    broken: "JSON 有误或不完整",
    ambiguous: "JSON 中有重复的键",
    not_an_object: "unit_test 必须是 JSON 对象",
    no_command: "没有命令；没有单元测试时请省略整个 JSON",
    several_lines: "命令必须是一行",
    control_characters: "命令含有控制字符",
    too_long: "命令超过 2000 个字符",
  },
  itemsFailed: (failed, count) => `${count} 个条目中 ${failed} 个未通过`,
  noVerdict: "没有可用的验证结论",
  verifierFailed: (name, how) => `${name} 无法验证：${how}`,
  verifierChanged: (paths) => `验证期间工作区发生了变化：${paths}`,
  agentFailed: (how) => `AI 实现失败：${how}`,
  brokenOff: (reason) => `中途结束 (${reason})`,
  stepChanged: (fields) => `步骤文件在运行期间被修改：${fields}`,
  stepInvalid: (problems) => `步骤文件已无法使用：${problems}`,
  stepNotWritten: (why) => `步骤文件无法写入：${why}`,
};

export const stepWords: Readonly<Record<Lang, typeof en>> = { en, zh };
