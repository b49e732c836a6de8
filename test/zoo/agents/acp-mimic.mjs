#!/usr/bin/env node
// Speaks the Agent Client Protocol. ACP_DOES selects: work, auth (no session without a login), lies, mute, version (one that no client speaks).
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const does = process.env.ACP_DOES ?? "work";
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const says = (text) =>
  send({
    method: "session/update",
    params: {
      sessionId: "s1",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  });
const ANSWERS = {
  initialize: (id) =>
    send({
      id,
      result: {
        protocolVersion: does === "version" ? 99 : 1,
        agentCapabilities: {},
        agentInfo: { name: "mimic" },
      },
    }),
  "session/new": (id) =>
    does === "auth"
      ? send({ id, error: { code: -32000, message: "Authentication required" } })
      : send({ id, result: { sessionId: "s1" } }),
  "session/prompt": (id) => {
    if (does === "mute") return;
    if (does === "work") writeFileSync("work.txt", "by acp\n");
    says("All done.\n\nGA_STATUS=DONE\n");
    says("GA_EVIDENCE=work.txt is written\n");
    send({ id, result: { stopReason: "end_turn" } });
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  ANSWERS[method]?.(id);
});
