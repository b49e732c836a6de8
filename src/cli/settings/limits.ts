import { configured, flagOnly } from "./setting.ts";
import { dollars, duration, mebibytes, timeout, whole } from "./value-types.ts";

const HOUR_MS = 3_600_000;

/** How much a run may take. Times are in milliseconds; zero: no limit. */
export const limitSettings = {
  maxLoops: configured("limits.max_loops", {
    about: "Attempts of `supervise` before a person is asked",
    flag: "--max-loops <n>",
    help: { en: "attempts before a person is asked", zh: "询问人工之前的最大轮数" },
    type: whole(1, 100_000),
    default: 6,
  }),
  maxIterations: configured("limits.max_iterations", {
    about: "Iterations of a run of `orchestrate`",
    flag: "--max-iterations <n>",
    help: { en: "iterations before a person is asked", zh: "询问人之前的迭代次数" },
    of: {
      resume: {
        help: {
          en: "orchestrate: iterations the run may have in all from now on",
          zh: "orchestrate：从现在起该运行总共可以有的迭代次数",
        },
      },
    },
    type: whole(1, 100_000),
    default: 60,
  }),
  maxCostUsd: configured("limits.max_cost_usd", {
    about: "Dollars a run may cost; 0: no limit",
    flag: "--max-cost-usd <n>",
    help: { en: "dollars the agents may cost; 0: no limit", zh: "agent 花费上限（美元）；0 表示不限" },
    type: dollars,
    default: 0,
    empty: "noLimit",
  }),
  maxTokens: configured("limits.max_tokens", {
    about: "Tokens a run may use; 0: no limit",
    flag: "--max-tokens <n>",
    help: { en: "tokens the agents may use; 0: no limit", zh: "agent 的 token 上限；0 表示不限" },
    type: whole(0, Number.MAX_SAFE_INTEGER),
    default: 0,
    empty: "noLimit",
  }),
  maxTimeMs: configured("limits.max_time", {
    about: "How long a run may take; 0: no limit",
    flag: "--max-time <time>",
    help: {
      en: "how long the run may take, waiting included: 90s, 30m, 8h; 0: no limit",
      zh: "运行时长上限（含等待）：90s、30m、8h；0 表示不限",
    },
    type: duration,
    default: 0,
    empty: "noLimit",
  }),
  maxWaitMs: configured("limits.max_wait", {
    about: "How long to wait for an agent's quota; 0: not at all",
    flag: "--max-wait <time>",
    help: {
      en: "how long to wait for agents that are out of quota, overloaded or cannot reach their API",
      zh: "agent 额度用完、过载或连不上 API 时最多等待多久",
    },
    type: duration,
    default: 6 * HOUR_MS,
    empty: "noWait",
  }),
  stallMs: configured("limits.stall", {
    about: "A turn in which nothing moves for so long is ended; 0: never",
    flag: "--stall-sec <s>",
    help: {
      en: "seconds after which a turn without output, CPU time and file changes is stuck; 0: never",
      zh: "没有输出、CPU 时间和文件变化达到此秒数即视为卡住；0 表示从不",
    },
    type: timeout,
    default: HOUR_MS / 4,
    empty: "never",
  }),
  agentTimeoutMs: configured("limits.agent_timeout", {
    about: "How long a turn may take; 0: no limit",
    flag: "--agent-timeout-sec <s>",
    help: { en: "seconds a turn may take; 0: no limit", zh: "每轮 agent 的秒数上限；0 表示不限" },
    type: timeout,
    default: HOUR_MS,
    empty: "noLimit",
  }),
  testTimeoutMs: configured("limits.test_timeout", {
    about: "How long a test command may take; 0: no limit",
    flag: "--test-timeout-sec <s>",
    help: { en: "seconds a test command may take; 0: no limit", zh: "每条测试命令的秒数上限；0 表示不限" },
    type: timeout,
    default: HOUR_MS / 2,
    empty: "noLimit",
  }),
  maxOutputBytes: flagOnly("--max-output-mb <n>", {
    help: {
      en: "MiB a command may write before it is ended",
      zh: "单条命令的输出上限（MiB），超过即终止",
    },
    type: mebibytes,
    default: 4096 * 1024 * 1024,
  }),
};
