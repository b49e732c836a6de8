import { TEST_CHANGES } from "../../core/evidence/settings.ts";
import { configured } from "./setting.ts";
import { choice, commands, patterns, yesNo } from "./value-types.ts";

/** Tests, and how changes of them are judged. */
export const testSettings = {
  testFast: configured("tests.fast", {
    about: "Shell commands that `supervise` runs after every turn",
    flag: "--test-fast <command>",
    help: {
      en: "shell command run after every turn; may be given several times",
      zh: "每轮之后的快测命令，可多次给出",
    },
    type: commands,
    default: [],
  }),
  testFull: configured("tests.full", {
    about: "Shell commands that `supervise` runs before acceptance",
    flag: "--test-full <command>",
    help: {
      en: "shell command run before acceptance; may be given several times",
      zh: "验收前的全量测试命令，可多次给出",
    },
    type: commands,
    default: [],
  }),
  testChanges: configured("tests.changes", {
    about: "Edited tests: `judge` them by what the original tests show, or `hold` each one for a person",
    flag: "--test-changes <how>",
    help: {
      en: "edited tests: judge them by result, or hold each one for you",
      zh: "被修改的测试：judge 按结果判断，hold 逐一交给你决定",
    },
    needsRoom: true,
    type: choice(TEST_CHANGES),
    default: "judge",
  }),
  allowNoChange: configured("tests.allow_no_change", {
    about: "Whether work that changes no file can be accepted",
    flag: "--allow-no-change",
    help: { en: "accept work that changes no file", zh: "允许接受没有改动任何文件的工作" },
    needsRoom: true,
    type: yesNo,
    default: false,
  }),
  protect: configured("tests.protect", {
    about: "Patterns of files that are always protected, like test files",
    type: patterns,
    default: [],
  }),
  product: configured("tests.product", {
    about: "Patterns of files that are never protected. `protect` takes precedence",
    type: patterns,
    default: [],
  }),
};
