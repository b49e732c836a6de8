import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { StepsRig, TODO } from "../rig/steps.ts";
import { refused } from "./refused.ts";

/** Every test file is a separate process, so this one can change its user for good. */
const OTHER_USER = 65534;

const SECOND = {
  id: "step-002",
  description: "Do the work",
  status: TODO,
  verification: [{ type: "unit", description: "it works" }],
};

describe.runIf(process.getuid?.() === 0)("a user who is not root", () => {
  let roots = "";

  beforeAll(() => {
    const dir = fs.mkdtempSync(join(tmpdir(), "foreman-roots-"));
    roots = join(dir, "step.json");
    fs.writeFileSync(roots, JSON.stringify(SECOND), { mode: 0o644 });
    fs.chownSync(dir, OTHER_USER, OTHER_USER);
    process.setgroups?.([]);
    process.setgid?.(OTHER_USER);
    process.setuid?.(OTHER_USER);
  });

  test("M15 a later step that belongs to root: found before the first step is paid", async () => {
    const rig = new StepsRig();
    rig.step(1);
    fs.renameSync(roots, join(rig.project, rig.dir, rig.step(2)));
    expect(await refused(rig, [rig.dir])).toMatchObject({
      code: 2,
      errors: [
        expect.stringMatching(/^step file cannot be written: 002-step\.json \(EACCES: permission denied\)$/),
        expect.stringContaining("steps cannot be run"),
      ],
    });
  });

  test("M15 a directory without write permission", async () => {
    const rig = new StepsRig();
    rig.step(1);
    const dir = join(rig.project, rig.dir);
    fs.chmodSync(dir, 0o555);
    const { code, errors } = await refused(rig, [rig.dir]);
    fs.chmodSync(dir, 0o755);
    expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining(dir)] });
  });
});
