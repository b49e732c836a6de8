import { DEFAULT_MARKER, DEFAULT_WAITING_MARKER } from "../../modes/chat/completed.ts";
import type { Config, Origin, Sourced } from "./config.ts";

const origin: Origin = { kind: "default" };
const byDefault = <T>(value: T): Sourced<T> => ({ value, origin });
const HOUR_MS = 3_600_000;

export const DEFAULTS: Config = {
  files: [],
  agents: byDefault([]),
  verifiers: byDefault([]),
  roles: { main: byDefault([]), test: byDefault([]), dev: byDefault([]), review: byDefault([]) },
  profiles: new Map(),
  limits: {
    maxLoops: byDefault(6),
    maxIterations: byDefault(60),
    maxCostUsd: byDefault(0),
    maxTokens: byDefault(0),
    maxTimeMs: byDefault(0),
    maxWaitMs: byDefault(6 * HOUR_MS),
    stallMs: byDefault(HOUR_MS / 4),
    agentTimeoutMs: byDefault(HOUR_MS),
    testTimeoutMs: byDefault(HOUR_MS / 2),
  },
  tests: {
    fast: byDefault([]),
    full: byDefault([]),
    changes: byDefault("judge"),
    allowNoChange: byDefault(false),
    protect: byDefault([]),
    product: byDefault([]),
  },
  chat: {
    agent: byDefault("claude"),
    reviewer: byDefault(null),
    marker: byDefault(DEFAULT_MARKER),
    waitingMarker: byDefault(DEFAULT_WAITING_MARKER),
    maxReviews: byDefault(5),
    checks: byDefault([]),
  },
  prompts: {
    supervise: byDefault(null),
    implement: byDefault(null),
    verify: byDefault(null),
    analyze: byDefault(null),
    main: byDefault(null),
    test: byDefault(null),
    dev: byDefault(null),
    review: byDefault(null),
  },
  cleanRoom: {
    enabled: byDefault(true),
    setup: byDefault(null),
    allow: byDefault([]),
    proveTests: byDefault(false),
    passEnv: byDefault([]),
  },
  sandbox: byDefault(false),
  onStuck: byDefault(null),
  lang: byDefault(null),
  secrets: [],
};
