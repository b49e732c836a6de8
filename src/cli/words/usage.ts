import type { MarkerProblem } from "../../modes/chat/completed.ts";
import type { Lang } from "../../core/settings.ts";

const en = {
  meant: (what: string) => `; did you mean ${what}?`,
  unknownFlag: (flag: string) => `unknown flag ${flag}`,
  unknownCommand: (command: string) => `unknown command ${command}`,
  missingValue: (flag: string) => `flag ${flag} needs a value`,
  missingArgument: (name: string) => `missing argument ${name}`,
  notOneOf: (flag: string, choices: string, given: string) =>
    `${flag} must be one of ${choices}, got ${given}`,
  conflict: (one: string, other: string) => `${one} cannot be used with ${other}`,
  unexpected: (argument: string) => `unexpected argument ${argument}`,
  quoteIt: (words: string) => `; quote the command: ${words}`,
  empty: (flag: string) => `${flag} is empty`,
  promptTooLarge: (limit: number) => `more than ${limit} bytes`,
  promptLacks: (name: string) => `{{${name}}} is missing`,
  promptUnknown: (name: string, line: number) => `line ${line}: unknown placeholder {{${name}}}`,
  noSuchStep: (flag: string, given: string, known: string) =>
    `${flag} names no step: ${given} (there are ${known})`,
  needs: (flag: string, other: string) => `${flag} needs ${other}`,
  notARole: (given: string) =>
    `--roles takes MAIN=, TEST=, DEV= and REVIEW= with names of agents (MAIN=claude DEV=codex,claude), got ${given}`,
  roleTwice: (role: string) => `--roles names ${role} twice`,
  sameMarkers: (flag: string, other: string, marker: string) =>
    `${flag} must differ from ${other}: ${marker}`,
  modelOfUnknownAgent: (given: string, agents: string) =>
    `--model ${given}: the agents of this run are ${agents}`,
  modelTwice: (agent: string) => `--model names two models for ${agent}`,
  takesNoModel: (agent: string) =>
    `--model: ${agent} is a shell command and takes no model; name the model in its command`,
  verifierWrongMode: (runId: string, mode: string) =>
    `--verifier is for runs of steps, and ${runId} is a run of ${mode}`,
  verifierConfigChanged: (path: string, userFile: string) =>
    `${path} changed since the run started, so it cannot define a verifier; put it back, or define the verifier in ${userFile}`,
  /** Why a marker of `chat` is invalid. */
  marker: {
    empty: (flag) => `${flag} is empty`,
    several_lines: (flag) => `${flag} must be one line`,
    control_character: (flag, marker) => `${flag} holds a control character: ${marker}`,
    too_long: (flag) => `${flag} is longer than 200 characters`,
    no_word: (flag, marker) => `${flag} holds no letter and no digit: ${marker}`,
    code: (flag, marker) => `${flag} would be taken for code, which does not count: ${marker}`,
  } satisfies Record<MarkerProblem, (flag: string, marker: string) => string>,
  isNoFile: "it is not a file",
  isTaken: "the run needs the file that is there",
  noVariable: (name: string) => `--pass-env: not a name of an environment variable: ${name}`,
  /** Flags of the clean room, and the flag that switched it off. */
  noEffect: (flags: string, off: string) => `${flags}: no effect with ${off}; leave one or the other out`,
  /** Why a pattern matches nothing: its source, the pattern and the correction. */
  pattern: {
    absolute: (where: string, given: string, write: string) =>
      `${where}: patterns begin at the top of the work tree, not with /: ${given}; write for instance ${write}`,
    outside: (where: string, given: string, write: string) =>
      `${where}: patterns begin at the top of the work tree and cannot leave it by ..: ${given}; write for instance ${write}`,
    exception: (where: string, given: string, write: string) =>
      `${where}: there are no exceptions by !: ${given}; name the files that are meant, for instance ${write}`,
    unbalanced: (where: string, given: string, write: string) =>
      `${where}: a bracket has no counterpart: ${given}; write for instance ${write}, or ? in its place`,
    folder: (where: string, given: string, write: string) =>
      `${where}: ${given} is a folder, and the pattern matches no file in it; write ${write}`,
  },
};

const zh: typeof en = {
  meant: (what) => `；是否想用 ${what}？`,
  unknownFlag: (flag) => `未知参数 ${flag}`,
  unknownCommand: (command) => `未知命令 ${command}`,
  missingValue: (flag) => `参数 ${flag} 缺少值`,
  missingArgument: (name) => `缺少参数 ${name}`,
  notOneOf: (flag, choices, given) => `${flag} 只能是 ${choices}，实际为 ${given}`,
  conflict: (one, other) => `${one} 不能与 ${other} 同时使用`,
  unexpected: (argument) => `多余的参数 ${argument}`,
  quoteIt: (words) => `；命令需要加引号：${words}`,
  empty: (flag) => `${flag} 为空`,
  promptTooLarge: (limit) => `超过 ${limit} 字节`,
  promptLacks: (name) => `缺少 {{${name}}}`,
  promptUnknown: (name, line) => `第 ${line} 行：未知占位符 {{${name}}}`,
  noSuchStep: (flag, given, known) => `${flag} 没有对应的步骤：${given}（现有 ${known}）`,
  needs: (flag, other) => `${flag} 需要与 ${other} 一起使用`,
  notARole: (given) =>
    `--roles 接受 MAIN=、TEST=、DEV=、REVIEW= 及 agent 名称（MAIN=claude DEV=codex,claude），得到的是 ${given}`,
  roleTwice: (role) => `--roles 重复指定了 ${role}`,
  sameMarkers: (flag, other, marker) => `${flag} 不能与 ${other} 相同：${marker}`,
  modelOfUnknownAgent: (given, agents) => `--model ${given}：本次运行的 agent 是 ${agents}`,
  modelTwice: (agent) => `--model 为 ${agent} 指定了两个模型`,
  takesNoModel: (agent) => `--model：${agent} 是 shell 命令，不能指定模型；请把模型写进它的命令`,
  verifierWrongMode: (runId, mode) => `--verifier 只用于步骤运行，而 ${runId} 是 ${mode} 的运行`,
  verifierConfigChanged: (path, userFile) =>
    `${path} 在运行开始后有改动，不能用来定义验证者；请恢复原样，或在 ${userFile} 中定义验证者`,
  marker: {
    empty: (flag) => `${flag} 为空`,
    several_lines: (flag) => `${flag} 只能是一行`,
    control_character: (flag, marker) => `${flag} 含有控制字符：${marker}`,
    too_long: (flag) => `${flag} 超过 200 个字符`,
    no_word: (flag, marker) => `${flag} 不含字母或数字：${marker}`,
    code: (flag, marker) => `${flag} 会被当作代码而不作数：${marker}`,
  },
  isNoFile: "不是文件",
  isTaken: "运行需要该处的文件",
  noVariable: (name) => `--pass-env：不是环境变量名：${name}`,
  noEffect: (flags, off) => `${flags}：与 ${off} 同用时不起作用；请去掉其中之一`,
  pattern: {
    absolute: (where, given, write) =>
      `${where}：通配符从工作树顶层开始，不以 / 开头：${given}；例如写 ${write}`,
    outside: (where, given, write) =>
      `${where}：通配符从工作树顶层开始，不能用 .. 离开：${given}；例如写 ${write}`,
    exception: (where, given, write) =>
      `${where}：不支持用 ! 排除：${given}；请写出所指的文件，例如 ${write}`,
    unbalanced: (where, given, write) => `${where}：括号不成对：${given}；例如写 ${write}，或用 ? 代替该括号`,
    folder: (where, given, write) => `${where}：${given} 是目录，该通配符不匹配其中任何文件；请写 ${write}`,
  },
};

export const usageTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
