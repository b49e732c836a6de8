import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { reasonsOf, RoomRig, WORKS } from "./project.ts";

const TAP = `const right = require("./src/add.js").add(2, 3) === 5;
console.log("TAP version 13");
console.log(\`\${right ? "ok" : "not ok"} 1 - adds for git+https://user:hunter2@example.com/foo\`);
console.log("ok 2 - refuses git+https://user:hunter2@example.com/foo");
console.log("1..2");
process.exitCode = right ? 0 : 1;
`;

describe("names of tests", () => {
  test("may look like secrets: they are the same tests on the base and later, and are written nowhere", async () => {
    const rig = new RoomRig({ "test.js": TAP });
    const { code, report, runId } = await rig.rounds([WORKS], { full: ["node test.js"] });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.base?.tests[1]?.tests).toMatchObject({ passed: 1, failed: 1 });
    expect(report.attempts[0]?.tests[1]?.tests).toMatchObject({ passed: 2, vanished: { count: 0 } });
    const dir = dirname(rig.journalPath(runId));
    const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
    const kept = names.filter((name) => name.endsWith(".tests"));
    expect(kept.length).toBeGreaterThan(1);
    for (const name of kept) expect(fs.readFileSync(join(dir, name), "utf8")).not.toContain("hunter2");
  });
});
