import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoChatWords } from "../../src/cli/words/demo-chat.ts";
import { demoTexts } from "../../src/cli/words/demo.ts";
import type { ChatReport } from "../../src/modes/chat/chat-report.ts";
import { Rig } from "../rig/rig.ts";

/** The project that a demo created in the rig's temporary directory. */
function projectOf(rig: Rig): string {
  const name = fs.readdirSync(rig.root).find((one) => one.startsWith("agent-foreman-demo-"));
  return join(rig.root, name ?? "", "project");
}

function reportIn(project: string): ChatReport {
  const name = fs.readdirSync(project).find((one) => one.startsWith("goldagent-chat-report-"));
  return JSON.parse(fs.readFileSync(join(project, name ?? ""), "utf8")) as ChatReport;
}

describe("demo chat", () => {
  test.each(["en", "zh"] as const)(
    "in %s: the review finds the fault that the check misses; then it is fixed",
    async (lang) => {
      const rig = new Rig();
      const before = fs.readdirSync(rig.project);
      const { code, stdout, stderr } = await rig.run(["demo", "chat", "--lang", lang], {
        env: { TMPDIR: rig.root },
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

      const project = projectOf(rig);
      const report = reportIn(project);
      expect(report.prompt).toBe(demoChatWords[lang].asked);
      expect(report.attempts.map(({ decision, reasons }) => [decision, ...reasons])).toEqual([
        ["rejected", "review_rejected"],
        ["accepted"],
      ]);
      expect(rig.events(rig.runIds()[0] ?? "").filter(({ type }) => type === "check_ended")).toMatchObject([
        { process: { end: { kind: "exited", code: 0 } } },
        { process: { end: { kind: "exited", code: 0 } } },
      ]);
      const [, , missing] = demoChatWords[lang].missing;
      expect(stdout).toContain(missing);
      expect(stdout).toContain('slugify("Café Olé") → "caf-ol"');
      expect(stdout.endsWith(`${demoTexts[lang].outro(fs.realpathSync(project))}\n`)).toBe(true);
      expect(fs.readFileSync(join(project, "slug.mjs"), "utf8")).toContain("NFD");
      expect(fs.readdirSync(rig.project)).toEqual(before);
      expect(rig.survivors()).toEqual([]);
    },
  );

  test("prints only events in JSON mode", async () => {
    const rig = new Rig();
    const { code, stdout } = await rig.run(["demo", "chat", "--json"], { env: { TMPDIR: rig.root } });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
    expect(stdout).not.toContain(demoTexts.en.outro(""));
  });
});
