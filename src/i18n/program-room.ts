import type { Lang } from "../domain/settings.ts";

/** What the flags of the clean room and the sandbox mean. */
interface RoomFlagTexts {
  readonly noCleanRoom: string;
  readonly setup: string;
  readonly allow: string;
  readonly proveTests: string;
  readonly passEnv: string;
  readonly sandbox: string;
  readonly noVariable: (name: string) => string;
}

export const roomFlagTexts: Readonly<Record<Lang, RoomFlagTexts>> = {
  en: {
    noCleanRoom: "run checks in the work tree as the agent left it: less protection",
    setup: "shell command that runs in the clean room before each check (npm ci, a build)",
    allow: "tests, and what decides about them, that agents may change; repeatable",
    proveTests: "new tests have to fail without the work they came with",
    passEnv: "environment variables that checks get in the clean room",
    sandbox: "agents can write nothing but the work tree (needs bubblewrap)",
    noVariable: (name) => `--pass-env: not a name of an environment variable: ${name}`,
  },
  zh: {
    noCleanRoom: "直接在代理留下的工作树中运行检查：防护较弱",
    setup: "每次检查前在洁净室中运行的 shell 命令（如 npm ci、构建）",
    allow: "允许代理修改的测试及其判定文件（通配符，可重复）",
    proveTests: "新增测试在去掉本次改动后必须失败",
    passEnv: "传入洁净室的环境变量名",
    sandbox: "代理只能写工作树（需要 bubblewrap）",
    noVariable: (name) => `--pass-env：不是环境变量名：${name}`,
  },
};
