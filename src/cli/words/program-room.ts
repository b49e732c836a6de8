import type { Lang } from "../../core/settings.ts";

const en = {
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
