import type { Lang } from "../domain/settings.ts";

/** What the board of `demo orchestrate` says, and what its scripted agents say on it. */
export interface DemoBoardWords {
  readonly context: string;
  readonly plan: string;
  readonly milestones: readonly [parse: string, format: string];
  readonly tasks: readonly [parse: string, refuse: string, format: string];
  readonly threshold: string;
  readonly none: string;
  readonly unchanged: string;
  /** MAIN's reason, iteration by iteration; the second of two is for when it is asked again. */
  readonly reasons: readonly (string | readonly [string, string])[];
  /** Headings of orders and reports. */
  readonly goal: string;
  readonly acceptance: string;
  readonly requirements: string;
  readonly code: string;
  readonly investigation: string;
  readonly devFeedback: string;
  readonly files: string;
  readonly asks: string;
  readonly reply: string;
  readonly testFeedback: string;
  readonly clarification: string;
  /** Keys of reports. */
  readonly conclusion: string;
  readonly selfTest: string;
  readonly testFiles: string;
  readonly commands: string;
  readonly coverage: string;
  readonly fault: string;
  readonly faultTest: string;
  /** By task. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly investigate: string;
  readonly investigateAsks: readonly [string, string, string];
  readonly waiver: string;
  readonly feedback: string;
  readonly found: string;
  readonly looked: string;
  readonly decisionTitle: string;
  readonly question: string;
  readonly short: string;
  readonly long: string;
}

const en: DemoBoardWords = {
  context:
    "# Context\n\nduration.mjs turns durations such as 1h30m into minutes and back.\n\nA number without a unit is refused.\n",
  plan: "Dev plan",
  milestones: ["read durations", "write durations"],
  tasks: ["parse(text) gives minutes", "parse(text) refuses nonsense", "format(minutes) gives a text"],
  threshold: "exit 0",
  none: "none",
  unchanged: "no change",
  reasons: [
    "M1-T1 has no tests yet",
    "the tests of M1-T1 are red",
    "the foreman saw M1-T1 red: parse has to add hours and minutes",
    "M1-T1 is green; M1-T2 has no tests yet",
    "the tests of M1-T2 are red",
    "DEV holds that a test is wrong: REVIEW looks into it",
    "REVIEW found the test at fault",
    "the test is mended; DEV shows that all is green",
    "M1 is done throughout",
    "M1 is reviewed; M2-T1 has no tests yet",
    "TEST asks what only a person can say",
    "a person has decided; the tests of M2-T1 are red",
    ["M2-T1 is green: everything is done", "M2-T1 is done, but nobody has reviewed it"],
    "M2 is reviewed",
    "all tasks are verified",
  ],
  goal: "Goal",
  acceptance: "Acceptance",
  requirements: "Test requirements",
  code: "Code under test",
  investigation: "Investigation",
  devFeedback: "DEV feedback",
  files: "Files",
  asks: "Requirements",
  reply: "Clarification reply",
  testFeedback: "Test feedback",
  clarification: "Clarification request",
  conclusion: "Conclusion: ",
  selfTest: "Self-test: ",
  testFiles: "Test files: ",
  commands: "Test commands: ",
  coverage: "Coverage: ",
  fault: "Fault: ",
  faultTest: "test",
  required: {
    "M1-T1": ["1h30m is 90", "45m is 45"],
    "M1-T2": ["words are refused", "a number without a unit is refused"],
    "M2-T1": ["90 is 1h30m", "45 is 45m"],
  },
  investigate: "DEV holds that a test is wrong; find out whose fault it is.",
  investigateAsks: [
    "Compare the requirement, the test and the implementation.",
    "Say whose fault it is: test, implementation or requirements.",
    "Say what has to be changed.",
  ],
  waiver: "the implementation is there already, only the test was wrong",
  feedback:
    "test/refuse.test.mjs expects parse('90') to be 90, but a number without a unit has to be refused.",
  found: "The context says that a number without a unit is refused. The test has to expect that.",
  looked: "looked at code and tests",
  decisionTitle: "How a whole hour is written",
  question: "How is a whole hour written, 1h or 1h0m?",
  short: "1h",
  long: "1h0m",
};

const zh: DemoBoardWords = {
  context:
    "# 项目背景\n\nduration.mjs 把 1h30m 这样的时长换算成分钟，再换算回来。\n\n没有单位的数字必须拒绝。\n",
  plan: "开发计划",
  milestones: ["读取时长", "写出时长"],
  tasks: ["parse(text) 返回分钟数", "parse(text) 拒绝无效输入", "format(minutes) 返回文本"],
  threshold: "退出码 0",
  none: "无",
  unchanged: "无变更",
  reasons: [
    "M1-T1 还没有测试",
    "M1-T1 的测试为红灯",
    "编排器看到 M1-T1 仍为红灯：parse 需要累加小时和分钟",
    "M1-T1 已绿灯；M1-T2 还没有测试",
    "M1-T2 的测试为红灯",
    "DEV 认为测试有误，由 REVIEW 调查",
    "REVIEW 认定是测试问题",
    "测试已修正，由 DEV 证明全部绿灯",
    "M1 的任务全部完成",
    "M1 已验收；M2-T1 还没有测试",
    "TEST 的问题只有人能回答",
    "人已决定；M2-T1 的测试为红灯",
    ["M2-T1 已绿灯，全部完成", "M2-T1 已完成，但尚未验收"],
    "M2 已验收",
    "所有任务均已验收",
  ],
  goal: "任务目标",
  acceptance: "验收标准",
  requirements: "测试需求",
  code: "被测代码",
  investigation: "调查任务",
  devFeedback: "DEV 反馈内容",
  files: "相关文件",
  asks: "调查要求",
  reply: "澄清回复",
  testFeedback: "测试问题反馈",
  clarification: "澄清请求",
  conclusion: "结论：",
  selfTest: "自测结果：",
  testFiles: "测试文件：",
  commands: "测试命令：",
  coverage: "覆盖：",
  fault: "问题归属：",
  faultTest: "测试问题",
  required: {
    "M1-T1": ["1h30m 是 90", "45m 是 45"],
    "M1-T2": ["拒绝文字", "拒绝没有单位的数字"],
    "M2-T1": ["90 是 1h30m", "45 是 45m"],
  },
  investigate: "DEV 反馈测试有误，请调查问题归属。",
  investigateAsks: ["对比需求、测试和实现。", "说明问题归属：测试、实现还是需求。", "说明需要修改什么。"],
  waiver: "实现已经存在，只是测试有误",
  feedback: "test/refuse.test.mjs 期望 parse('90') 等于 90，但没有单位的数字必须拒绝。",
  found: "项目背景要求拒绝没有单位的数字，测试应当如此期望。",
  looked: "已检查代码和测试",
  decisionTitle: "整小时的写法",
  question: "整小时写作 1h 还是 1h0m？",
  short: "1h",
  long: "1h0m",
};

export const demoBoardWords: Readonly<Record<Lang, DemoBoardWords>> = { en, zh };
