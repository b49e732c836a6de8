import fs from "node:fs";
import { join } from "node:path";
import { gemini } from "../../src/agents/gemini.ts";
import { describeClient } from "./cases.ts";

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
