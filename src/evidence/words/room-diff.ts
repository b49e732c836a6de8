import type { Lang } from "../../core/settings.ts";
import { plural } from "../../text/plural.ts";

/** Messages about files that need a decision, beside their diffs. */
const en = {
  became: (before: string, now: string) => `before: ${before}, now: ${now}`,
  side: {
    none: "nothing",
    empty: "an empty file",
    file: "a file",
    pipe: "no file but a pipe",
    folder: "no file but a folder",
    special: "no file but a device or a socket",
    unread: "cannot be read",
    unkept: "a file that was not kept because it was too large or unreadable",
  },
  link: (to: string) => `link -> ${to}`,
  behind: (link: string, to: string) => `nothing: ${link} is a link -> ${to}`,
  large: (bytes: number) => `a file of ${bytes} bytes`,
  mode: (before: string, now: string) => `mode ${before} -> ${now}`,
  binary: (before: number, now: number) => `binary, ${before} -> ${now} bytes`,
  tooLarge: (before: number, now: number) => `too large to be shown, ${before} -> ${now} bytes`,
  same: "now the same as the original",
  noDiff: "the diff cannot be shown",
  leftOut: "not shown: there is too much before it",
  secretPath: "not shown: its path holds a secret; look for it in the work tree",
  moreFiles: (count: number) => `... ${plural(count, "more file")}`,
  allOfIt: (path: string) => `all of it: ${path}`,
  baseGone: "The diff cannot be shown: the saved original files are unreadable",
};

export type DiffTexts = typeof en;

const zh: DiffTexts = {
  became: (before, now) => `原为：${before}，现为：${now}`,
  side: {
    none: "不存在",
    empty: "空文件",
    file: "文件",
    pipe: "不是文件而是管道",
    folder: "不是文件而是目录",
    special: "不是文件而是设备或套接字",
    unread: "无法读取",
    unkept: "未保存的文件（过大或无法读取）",
  },
  link: (to) => `链接 -> ${to}`,
  behind: (link, to) => `不存在，因为 ${link} 是链接 -> ${to}`,
  large: (bytes) => `${bytes} 字节的文件`,
  mode: (before, now) => `权限 ${before} -> ${now}`,
  binary: (before, now) => `二进制，${before} -> ${now} 字节`,
  tooLarge: (before, now) => `过大，不予显示，${before} -> ${now} 字节`,
  same: "现已与基线相同",
  noDiff: "无法得出其中的改动",
  leftOut: "未显示：前面的内容已过多",
  secretPath: "未显示：路径含有机密；请在工作区中查看",
  moreFiles: (count) => `... 还有 ${count} 个文件`,
  allOfIt: (path) => `完整内容：${path}`,
  baseGone: "无法显示改动：保存的基线文件已无法读取",
};

export const diffTexts: Readonly<Record<Lang, DiffTexts>> = { en, zh };
