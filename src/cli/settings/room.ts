import { configured, flagOnly } from "./setting.ts";
import { patterns, text, variables, yesNo } from "./value-types.ts";

/** How checks are isolated from the agent's files, and the agent from the system. */
export const roomSettings = {
  cleanRoom: configured("clean_room.enabled", {
    about: "Whether checks run in a clean room rather than in the work tree as the agent left it",
    flag: "--no-clean-room",
    help: {
      en: "run checks in the work tree as the agent left it: less protection",
      zh: "直接在代理留下的工作树中运行检查：防护较弱",
    },
    type: yesNo,
    default: true,
  }),
  setup: configured("clean_room.setup", {
    about: "Shell command that runs in the clean room before each check: `npm ci`, a build",
    flag: "--setup <command>",
    help: {
      en: "shell command that runs in the clean room before each check (npm ci, a build)",
      zh: "每次检查前在洁净室中运行的 shell 命令（如 npm ci、构建）",
    },
    needsRoom: true,
    inChatNeeds: "--supervisor",
    type: text,
    default: null,
  }),
  allowOracleChange: configured("clean_room.allow_oracle_change", {
    about: "Patterns of protected files that agents may change",
    flag: "--allow-oracle-change <glob...>",
    help: {
      en: "protected files that agents may change; repeatable",
      zh: "允许代理修改的测试及其判定文件（通配符，可重复）",
    },
    needsRoom: true,
    inChatNeeds: "--supervisor",
    type: patterns,
    default: [],
  }),
  proveTests: configured("clean_room.prove_tests", {
    about: "Whether new tests have to fail without the work they came with",
    flag: "--prove-tests",
    help: {
      en: "new tests have to fail without the work they came with",
      zh: "新增测试在去掉本次改动后必须失败",
    },
    needsRoom: true,
    inChatNeeds: "--supervisor",
    type: yesNo,
    default: false,
  }),
  passEnv: configured("clean_room.pass_env", {
    about: "Names of environment variables that checks get in the clean room",
    flag: "--pass-env <name...>",
    help: { en: "environment variables that checks get in the clean room", zh: "传入洁净室的环境变量名" },
    needsRoom: true,
    inChatNeeds: "--supervisor",
    type: variables,
    default: [],
  }),
  // Only a flag counts, because an agent can write configuration.
  acceptTree: flagOnly("--accept-tree", {
    help: {
      en: "take protected files as they are, even if an unaccepted run left them changed",
      zh: "按现状采用受保护文件，即使它们由未通过验收的运行改动",
    },
    needsRoom: true,
    type: yesNo,
    default: false,
  }),
  sandbox: configured("sandbox", {
    about: "Whether agents can write nothing but the work tree, where bubblewrap is installed",
    flag: "--sandbox",
    help: {
      en: "agents can write nothing but the work tree (needs bubblewrap)",
      zh: "代理只能写工作树（需要 bubblewrap）",
    },
    inChatNeeds: "--print",
    type: yesNo,
    default: false,
  }),
};
