/**
 * Tests of the built program under unusual circumstances (hostile agents, broken state, signals, whole demos). They take long, so they
 * are a suite of their own: `npm run test:slower`.
 */
export const SLOWER: readonly string[] = [
  "test/analyze/unusable.test.ts",
  "test/board/abuse.test.ts",
  "test/board/demo.test.ts",
  "test/chat/besteffort.test.ts",
  "test/chat/control.test.ts",
  "test/chat/demo.test.ts",
  "test/chat/ends.test.ts",
  "test/chat/forged.test.ts",
  "test/chat/keys.test.ts",
  "test/chat/odd.test.ts",
  "test/chat/signals.test.ts",
  "test/journal/refused.test.ts",
  "test/process/best-effort.test.ts",
  "test/run/abuse.test.ts",
  "test/run/agents-run.test.ts",
  "test/run/edited.test.ts",
  "test/run/left-true.test.ts",
  "test/run/own-output.test.ts",
  "test/run/stuck.test.ts",
  "test/run/verifier.test.ts",
  "test/supervise/agent-input.test.ts",
  "test/supervise/bad-state.test.ts",
  "test/supervise/meddlers.test.ts",
  "test/supervise/signals.test.ts",
  "test/supervise/tricksters.test.ts",
  "test/supervise/zoo.test.ts",
  "test/workspace/tree-git.test.ts",
];
