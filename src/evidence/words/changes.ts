import type { ChangeCounts, LostFile } from "../../core/evidence/changes.ts";
import type { Lang } from "../../core/settings.ts";
import { plural } from "../../text/plural.ts";

/** Messages about files that a run changed or lost. Values arrive escaped. */
const en = {
  counts: ({ files, added, deleted, insertions, deletions }: ChangeCounts) => {
    const parts = [...(added > 0 ? [`${added} new`] : []), ...(deleted > 0 ? [`${deleted} deleted`] : [])];
    return `${plural(files, "file")} +${insertions} -${deletions}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`;
  },
  none: "no file changed",
  lost: (files: string) => `lost: ${files}`,
  lostFile: (path: string, was: LostFile["was"]) => {
    const words = {
      modified: "your uncommitted changes",
      untracked: "never committed",
      ignored: "ignored by git",
    };
    return `${path} (${words[was]})`;
  },
  bringBack: (command: string) => `to bring them back: ${command}`,
  lookFirst: "changed during the run; look at these before you use git or run programs here",
  stat: { binary: "binary", unknown: "too large to show", added: "new", deleted: "deleted" },
  restored: { restored: "restored ", unchanged: "unchanged", kept: "kept     " },
  why: {
    changed_since: "changed since the run (--force overwrites it)",
    not_kept: "was too large to be kept",
    behind_link: "a folder on the way to it is now a file or a link; remove that first",
    not_writable: "cannot be written; check the permissions",
  },
  nothingLost: (diff: string) => `nothing was lost; ${diff} shows what the run changed`,
};

export type ChangeTexts = typeof en;

const zh: ChangeTexts = {
  counts: ({ files, added, deleted, insertions, deletions }) => {
    const parts = [...(added > 0 ? [`新增 ${added}`] : []), ...(deleted > 0 ? [`删除 ${deleted}`] : [])];
    return `${files} 个文件 +${insertions} -${deletions}${parts.length > 0 ? `（${parts.join("，")}）` : ""}`;
  },
  none: "没有文件变更",
  lost: (files) => `丢失：${files}`,
  lostFile: (path, was) => {
    const words = { modified: "你未提交的改动", untracked: "从未提交", ignored: "git 忽略的文件" };
    return `${path}（${words[was]}）`;
  },
  bringBack: (command) => `恢复：${command}`,
  lookFirst: "在运行期间被改动；在此使用 git 或运行程序之前请先查看",
  stat: { binary: "二进制", unknown: "过大，不显示", added: "新增", deleted: "已删除" },
  restored: { restored: "已恢复", unchanged: "未变化", kept: "未覆盖" },
  why: {
    changed_since: "运行之后又有改动（--force 可覆盖）",
    not_kept: "文件过大，未保存",
    behind_link: "其所在目录现在是文件或链接；请先移除",
    not_writable: "无法写入；请检查权限",
  },
  nothingLost: (diff) => `没有丢失文件；${diff} 可查看本次运行的改动`,
};

export const changeTexts: Readonly<Record<Lang, ChangeTexts>> = { en, zh };
