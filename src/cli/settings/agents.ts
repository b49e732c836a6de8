import { configured, flagOnly, type ConfiguredSetting } from "./setting.ts";
import { agentNames, choice, patterns, repeated, text, yesNo } from "./value-types.ts";

const role = (name: string, who: string): ConfiguredSetting<readonly string[], readonly string[]> =>
  configured(`roles.${name}`, {
    about: `Agents or profiles for ${who} in \`orchestrate\`. Without it \`agents\``,
    type: agentNames,
    default: [] as readonly string[],
    empty: "anyAgent",
  });

/** Settings of agents, verifiers and roles. */
export const agentSettings = {
  agents: configured("agents", {
    about: "Agents or profiles, in the order they are tried",
    flag: "--agents <names>",
    help: {
      en: "agents by name, tried in this order (default: claude,codex,gemini,opencode)",
      zh: "按名称指定 agent，依次尝试（默认：claude,codex,gemini,opencode）",
    },
    of: {
      supervise: {
        flag: "--agent <names>",
        help: {
          en: "agents by name, the first that is available works: claude, codex, gemini, opencode, qwen, pi, copilot, or a profile (default: claude,codex,gemini,opencode)",
          zh: "按名称指定 agent，由第一个可用的工作：claude、codex、gemini、opencode、qwen、pi、copilot，或某个 profile（默认：claude,codex,gemini,opencode）",
        },
      },
    },
    type: agentNames,
    default: [],
    variable: "AGENT_FOREMAN_AGENTS",
  }),
  verifiers: configured("verifiers", {
    about:
      "Agents or profiles that verify the steps of `run`. Without it any agent does, rather another one than did the work",
    flag: "--verifier <names>",
    help: {
      en: "who verifies, by name (default: another agent than did the work, where there is one)",
      zh: "由谁验证（默认：尽可能选择未参与实现的 agent）",
    },
    of: {
      resume: {
        help: {
          en: "run: who verifies from now on; agents or profiles of the current configuration",
          zh: "run：从现在起由谁验证；可用当前配置中的 agent 或 profile",
        },
      },
    },
    type: agentNames,
    default: [],
    variable: "AGENT_FOREMAN_VERIFIERS",
    empty: "anyAgent",
  }),
  "roles.main": role("main", "MAIN, which decides"),
  "roles.test": role("test", "TEST, which writes tests"),
  "roles.dev": role("dev", "DEV, which implements"),
  "roles.review": role("review", "REVIEW, which looks at the work"),
  roles: flagOnly("--roles <role=agents...>", {
    help: {
      en: "who takes which role: MAIN=claude DEV=codex,claude (default: the configured agents)",
      zh: "由谁担任哪个角色：MAIN=claude DEV=codex,claude（默认：已配置的 agent）",
    },
    type: patterns,
  }),
  agentCmd: flagOnly("--agent-cmd <command>", {
    help: {
      en: "shell command that runs one turn of the agent; or:",
      zh: "执行一轮 agent 的 shell 命令；或者：",
    },
    excludes: "agents",
    type: text,
  }),
  model: flagOnly("--model <name>", {
    help: {
      en: "model of the first agent; agent=model for another one (may be given several times)",
      zh: "第一个 agent 使用的模型；其他 agent 写作 agent=模型（可多次给出）",
    },
    type: repeated,
  }),
  session: flagOnly("--session <use>", {
    help: {
      en: "whether an attempt starts afresh or continues the agent's session",
      zh: "每次尝试新开会话还是延续会话",
    },
    type: choice(["fresh", "continue"]),
    default: "fresh",
  }),
  nonce: flagOnly("--nonce", {
    help: {
      en: "require markers that an echo cannot satisfy (GA_NONCE_1 and GA_NONCE_2, joined)",
      zh: "要求回显无法满足的标记（GA_NONCE_1 与 GA_NONCE_2 相连）",
    },
    excludes: "agents",
    type: yesNo,
    default: false,
  }),
};
