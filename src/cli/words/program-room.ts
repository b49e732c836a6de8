import type { Lang } from "../../core/settings.ts";

const en = {
  noCleanRoom: "run checks in the work tree as the agent left it: less protection",
  setup: "shell command that runs in the clean room before each check (npm ci, a build)",
  allow: "tests, and what decides about them, that agents may change; repeatable",
  testChanges: "edited tests: judge them by result, or hold each one for you",
  allowNoChange: "accept work that changes no file",
  proveTests: "new tests have to fail without the work they came with",
  acceptTree: "take protected files as they are, even if an unaccepted run left them changed",
  passEnv: "environment variables that checks get in the clean room",
  sandbox: "agents can write nothing but the work tree (needs bubblewrap)",
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

export type RoomFlagTexts = typeof en;

const zh: RoomFlagTexts = {
  noCleanRoom: "直接在代理留下的工作树中运行检查：防护较弱",
  setup: "每次检查前在洁净室中运行的 shell 命令（如 npm ci、构建）",
  allow: "允许代理修改的测试及其判定文件（通配符，可重复）",
  testChanges: "被修改的测试：judge 按结果判断，hold 逐一交给你决定",
  allowNoChange: "允许接受没有改动任何文件的工作",
  proveTests: "新增测试在去掉本次改动后必须失败",
  acceptTree: "按现状采用受保护文件，即使它们由未通过验收的运行改动",
  passEnv: "传入洁净室的环境变量名",
  sandbox: "代理只能写工作树（需要 bubblewrap）",
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

export const roomFlagTexts: Readonly<Record<Lang, RoomFlagTexts>> = { en, zh };
