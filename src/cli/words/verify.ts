import type { Lang } from "../../core/settings.ts";

type About = Readonly<Record<string, string>>;

const en = {
  check: {
    shape: "receipt",
    journal: "journal",
    tree: "tree",
    protected: "protected files",
    rerun: "rerun",
  },
  seen: {
    shape_fits: (a) => `of run ${a["run"]} (${a["mode"]}), accepted ${a["at"]}, ${a["result"]}`,
    shape_contradicts: (a) => `it contradicts itself: ${a["field"]}`,
    journal_agrees: (a) => `${a["records"]} records, head ${a["head"]}: the receipt follows from them`,
    journal_not_here: () => "the journal is not here: only the tree is compared",
    journal_differs: (a) => `${a["field"]} is ${a["given"]}, by the journal ${a["derived"]}`,
    journal_damaged: (a) => `the journal is not trustworthy: ${a["code"]} (${a["why"]})`,
    run_not_accepted: () => "by its journal the run was not accepted",
    evidence_changed: (a) => `the stored test results are missing or changed: ${a["path"]}`,
    tree_same: (a) => `${a["tree"]}, ${a["files"]} files: what was accepted`,
    tree_other: (a) =>
      `${a["now"]}, accepted was ${a["tree"]}: changed since, in unknown files; check out the accepted work, or start a new run on this one`,
    tree_foreign: (a) =>
      `${a["now"]}, accepted was ${a["tree"]}; and the commit it began with (${a["commit"]}) is not known here: another repository, or a shallow clone`,
    tree_unreadable: (a) => `cannot be read: ${a["path"]}`,
    protected_same: (a) => `${a["protected"]}, ${a["files"]} files: as before the work`,
    protected_by_commit: (a) =>
      `${a["protected"]}, ${a["files"]} files, found again in ${a["commit"]}; ${a["changes"]} changed since, as the receipt says`,
    protected_differs: (a) => `${a["protected"]} in the receipt, ${a["derived"]} by commit ${a["commit"]}`,
    protected_undeclared: (a) => `changed since ${a["commit"]}, but not listed in the receipt: ${a["paths"]}`,
    protected_unknown: () => "cannot be found again from what is here",
    rerun_nothing: () => "the receipt lists no command",
    rerun_left: () => "not run: the receipt does not hold",
    rerun_dangerous: (a) => `not run, it looks dangerous (${a["rule"]}): ${a["command"]}`,
    rerun_passed: (a) => `${a["command"]}: ${a["passed"]} tests passed (${a["time"]})`,
    rerun_exited: (a) => `${a["command"]}: exit 0 (${a["time"]})`,
    rerun_failed: (a) => `${a["command"]}: ${a["end"]}`,
    rerun_not_sound: (a) => `${a["command"]}: exit 0, but ${a["why"]}`,
    rerun_other_tests: (a) => `${a["command"]}: ${a["passed"]} tests passed, ${a["expected"]} by the receipt`,
    rerun_no_room: (a) => `${a["command"]}: no clean room here (${a["why"]})`,
  } satisfies Record<string, (about: About) => string>,
  running: (command: string) => `running ${command}`,
  holds: "HOLDS",
  unreadable: {
    link: "it is a link: name the file itself",
    noFile: "it is not a plain file",
    tooLarge: (bytes: number) => `it is larger than ${bytes} bytes`,
    noJson: (why: string) => `it is not JSON: ${why}`,
    other: "it is not a receipt of agent-foreman",
    newer: (version: string) => `it has version ${version}: a newer agent-foreman wrote it`,
    older: (version: string) => `it has version ${version}: an older agent-foreman wrote it`,
    misfit: (where: string) => `it does not match the schema: ${where}`,
    saidTwice: "it contains a name twice",
  },
};

export type VerifyTexts = typeof en;
/** The codes of checks and their results are the same in every language. */
export type VerifyCheck = keyof VerifyTexts["check"];
export type VerifyCode = keyof VerifyTexts["seen"];

const zh: VerifyTexts = {
  check: { shape: "凭证", journal: "日志", tree: "工作树", protected: "受保护文件", rerun: "重跑" },
  seen: {
    shape_fits: (a) => `运行 ${a["run"]}（${a["mode"]}），接受于 ${a["at"]}，${a["result"]}`,
    shape_contradicts: (a) => `自相矛盾：${a["field"]}`,
    journal_agrees: (a) => `${a["records"]} 条记录，末端 ${a["head"]}：可推出这份凭证`,
    journal_not_here: () => "日志不在此处：只比较工作树",
    journal_differs: (a) => `${a["field"]} 为 ${a["given"]}，按日志应为 ${a["derived"]}`,
    journal_damaged: (a) => `日志不可信：${a["code"]}（${a["why"]}）`,
    run_not_accepted: () => "按其日志，该运行未被接受",
    evidence_changed: (a) => `该运行保存的测试结果已丢失或被改动：${a["path"]}`,
    tree_same: (a) => `${a["tree"]}，${a["files"]} 个文件：与被接受时相同`,
    tree_other: (a) =>
      `现为 ${a["now"]}，被接受的是 ${a["tree"]}：此后有改动，无法得知是哪些文件；请检出被接受的版本，或重新运行`,
    tree_foreign: (a) =>
      `现为 ${a["now"]}，被接受的是 ${a["tree"]}；此处没有其起始提交（${a["commit"]}）：可能是另一个仓库或浅克隆`,
    tree_unreadable: (a) => `无法读取：${a["path"]}`,
    protected_same: (a) => `${a["protected"]}，${a["files"]} 个文件：与工作开始前相同`,
    protected_by_commit: (a) =>
      `${a["protected"]}，${a["files"]} 个文件，由提交 ${a["commit"]} 重新得出；此后改动：${a["changes"]}，与凭证一致`,
    protected_differs: (a) => `凭证中为 ${a["protected"]}，由提交 ${a["commit"]} 得出 ${a["derived"]}`,
    protected_undeclared: (a) => `自 ${a["commit"]} 以来有改动而凭证未提：${a["paths"]}`,
    protected_unknown: () => "无法由此处的内容重新得出",
    rerun_nothing: () => "没有命令为这项工作作证",
    rerun_left: () => "未运行：凭证不成立",
    rerun_dangerous: (a) => `未运行，命令看起来危险（${a["rule"]}）：${a["command"]}`,
    rerun_passed: (a) => `${a["command"]}：通过 ${a["passed"]} 个测试（${a["time"]}）`,
    rerun_exited: (a) => `${a["command"]}：退出码 0（${a["time"]}）`,
    rerun_failed: (a) => `${a["command"]}：${a["end"]}`,
    rerun_not_sound: (a) => `${a["command"]}：退出码 0，但${a["why"]}`,
    rerun_other_tests: (a) => `${a["command"]}：通过 ${a["passed"]} 个测试，凭证中为 ${a["expected"]}`,
    rerun_no_room: (a) => `${a["command"]}：此处没有洁净室（${a["why"]}）`,
  },
  running: (command) => `正在运行 ${command}`,
  holds: "成立",
  unreadable: {
    link: "它是一个链接：请指明文件本身",
    noFile: "它不是普通文件",
    tooLarge: (bytes) => `它大于 ${bytes} 字节`,
    noJson: (why) => `它不是 JSON：${why}`,
    other: "它不是 agent-foreman 的凭证",
    newer: (version) => `版本为 ${version}：由更新的 agent-foreman 写成`,
    older: (version) => `版本为 ${version}：由较旧的 agent-foreman 写成`,
    misfit: (where) => `格式不符：${where}`,
    saidTwice: "同一内容出现了两次",
  },
};

export const verifyTexts: Readonly<Record<Lang, VerifyTexts>> = { en, zh };
