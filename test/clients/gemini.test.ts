import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gemini } from "../../src/agents/gemini.ts";
import { describeClient } from "./cases.ts";
import { isLeftOut } from "./clients.ts";
import type { Step } from "./model/script.ts";
import { ClientRig } from "./rig.ts";

const RPC = "type.googleapis.com/google.rpc.";

describeClient("gemini", gemini, {
  echoes: true,
  lostSession: "00000000-0000-4000-8000-000000000000",
  overloaded: { status: 503, message: "The model is overloaded. Please try again later." },
  quota: () => ({
    status: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    body: {
      details: [
        {
          "@type": `${RPC}QuotaFailure`,
          violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }],
        },
      ],
    },
  }),
  quotaFailure: () => ({ class: "quota", retryAt: null }),
  denied: (rig) => {
    const policies = join(rig.home, ".gemini", "policies");
    fs.mkdirSync(policies, { recursive: true });
    fs.writeFileSync(
      join(policies, "no-echo.toml"),
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "echo"\ndecision = "deny"\npriority = 900\n',
    );
    return {};
  },
  tellsDenials: true,
  deniedCall: (file) => ({ shell: `echo made > ${file}` }),
});

const ALLOW_ALL = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';

/** Settings of user and project that allow everything, and a server that records its start. */
function allowAll(rig: ClientRig): void {
  for (const place of [rig.home, rig.project]) {
    const policies = join(place, ".gemini", "policies");
    fs.mkdirSync(policies, { recursive: true });
    fs.writeFileSync(join(policies, "all.toml"), ALLOW_ALL);
  }
  rig.write(
    ".gemini/settings.json",
    JSON.stringify({
      adminPolicyPaths: [join(rig.project, ".gemini", "policies")],
      policyPaths: [join(rig.project, ".gemini", "policies")],
      tools: { allowed: ["write_file", "run_shell_command"] },
      mcpServers: {
        meddler: { command: "sh", args: ["-c", `echo by a server > ${rig.file}; cat`], trust: true },
      },
    }),
  );
}

describe.skipIf(isLeftOut("gemini"))("the real gemini with all permissions", () => {
  const escape = (path: string): Step[] => [
    { tool: "enter_plan_mode", input: {} },
    { tool: "exit_plan_mode", input: { plan_filename: "plan.md" } },
    { write: { path, text: "by the tool" } },
    { shell: `echo by the shell > ${path}` },
    { tool: "invoke_agent", input: { agent_name: "generalist", prompt: `write ${path}` } },
    { text: "I tried." },
  ];
  const open = (): Promise<ClientRig> => ClientRig.open("gemini", gemini, escape);

  it.each([
    ["none", []],
    ["read", ["glob", "grep_search", "list_directory", "read_file"]],
  ] as const)("gets only its allowed tools: %s", async (tools, names) => {
    const rig = await open();
    allowAll(rig);
    const policies = join(rig.project, ".gemini", "policies");
    rig.change({ args: ["--policy", policies, "--admin-policy", policies, "--yolo"] });
    expect(await rig.turn({ tools })).toMatchObject({ failure: null, finalText: "I tried." });
    const offered = rig.model.requests.map((request) => request.tools.toSorted());
    expect(offered).toEqual(escape("").map(() => names));
    expect(rig.written()).toBeNull();
  });

  it("can do all that in a turn of work", async () => {
    const rig = await open();
    allowAll(rig);
    await rig.turn();
    expect(rig.written()).toBe("by the shell\n");
  });
});
