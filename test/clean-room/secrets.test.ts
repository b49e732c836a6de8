import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KILL_AFTER } from "../sweep/points.ts";
import { put, reasonsOf, RoomRig, testOf, WORKS } from "./project.ts";

/** One secret is known by its variable, the other by its form. */
const KNOWN = "tr0ub4dor-and-3-horses";
const FORM = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const ENV = { DEPLOY_KEY: KNOWN };
const HELPER = `test/${KNOWN}/helper-${FORM}.js`;
const ALLOWED = `test/allowed-${KNOWN}-${FORM}.js`;
const COMMAND = "node --test test/*.test.js";
const OPTIONS = { fast: [COMMAND], full: [COMMAND], more: ["--allow-oracle-change", "test/allowed-*"] };

/** The product stays wrong. The agent changes a test helper and adds a test; both paths contain tokens. */
const CHEATS = [
  put(HELPER, "exports.sum = -1;\n"),
  put(`test/${FORM}-${KNOWN}.test.js`, testOf(`adds ${KNOWN} ${FORM}`, "add(2, 3)", "6")),
  put(`src/${KNOWN}-${FORM}.js`, "exports.nothing = 0;\n"),
  `echo "changed ${HELPER} as ${KNOWN}"`,
].join("\n");
const WORKS_HONESTLY = [
  "git checkout --quiet -- test",
  put(`test/${FORM}-${KNOWN}.test.js`, testOf(`adds ${KNOWN} ${FORM}`, "add(2, 4)", "6")),
  put(ALLOWED, "exports.sum = 6;\n"),
  WORKS,
].join("\n");

function project(): RoomRig {
  const rig = new RoomRig({
    [HELPER]: "exports.sum = 5;\n",
    [ALLOWED]: "exports.sum = 5;\n",
    [`test/base-${FORM}-${KNOWN}.test.js`]: testOf(`subtracts ${KNOWN} ${FORM}`, "add(2, -2)", "0"),
  });
  rig.git("checkout", "--quiet", "-b", `fix/${FORM}/${KNOWN}`);
  rig.alwaysWith({ cleanRoom: true, env: ENV });
  return rig;
}

/** Everything that the run wrote for people, programs and agents, by path. Leaves out the output of commands and the content of the tree. */
function records(rig: RoomRig): ReadonlyMap<string, string> {
  const isRecord = (path: string): boolean =>
    path.startsWith("project/.goldagent-supervise/") ||
    path.startsWith("project/goldagent-supervise-report-") ||
    path.endsWith("/journal.jsonl") ||
    path.endsWith("/feedback.md");
  const paths = rig
    .everything()
    .filter((path) => isRecord(path) && fs.statSync(join(rig.root, path)).isFile());
  return new Map(paths.map((path) => [path, fs.readFileSync(join(rig.root, path), "utf8")]));
}

function expectClean(texts: Iterable<readonly [string, string]>): void {
  for (const [where, text] of texts)
    for (const token of [KNOWN, FORM]) expect(text.includes(token), `${token} in ${where}`).toBe(false);
}

const KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
const PEM = `-----BEGIN PRIVATE KEY-----\n${`${KEY_LINE}\n`.repeat(29)}-----END PRIVATE KEY-----`;

/** Each failure message has a secret where it is shortened. */
const FAILING_WITH_SECRETS = {
  "test/secrets.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { add } = require("../src/add.js");
const wrong = () => add(2, 3) !== 5;
test("in a value", () => assert.strictEqual(wrong() ? "v".repeat(190) + "${FORM}" : "", ""));
test("in a value of a list", () => assert.deepStrictEqual(wrong() ? ["l".repeat(190) + "${KNOWN}"] : [], []));
test("a key", () => { if (wrong()) throw new Error(${JSON.stringify(`key: ${PEM}`)}); });
test("behind a key", () => { if (wrong()) throw new Error(${JSON.stringify(`key: ${PEM}`)} + " beside it the token ${FORM}"); });
`,
  "tests/__init__.py": "",
  "tests/test_secrets.py": `import unittest
class Secrets(unittest.TestCase):
    def test_key(self):
        if "a + b" not in open("src/add.js").read():
            self.fail(${JSON.stringify(`key: ${PEM}`)} + " beside it the token ${FORM}")
`,
};

describe("secrets in messages of failing tests", () => {
  test.each([COMMAND, "python3 -m unittest discover -s tests -t ."])(
    "are removed before messages are shortened: %s",
    async (command) => {
      const rig = new RoomRig(FAILING_WITH_SECRETS);
      rig.alwaysWith({ cleanRoom: true, env: ENV });
      const ended = await rig.rounds([put("src/add.js", "exports.add = () => 8;\n")], { full: [command] });
      expect(ended.stdout).toContain("key: [redacted]");
      const show = await rig.run(["show", ended.runId]);
      for (const [where, text] of [["stdout", ended.stdout], ["show", show.stdout], ...records(rig)] as const)
        for (const part of ["ghp_", KNOWN.slice(0, 8), KEY_LINE.slice(0, 12)])
          expect(text.includes(part), `${part} in ${where}`).toBe(false);
    },
  );
});

describe("tokens in paths, in names of tests and in output", () => {
  test.each([[[]], [["--json", "--verbose"]], [["--verbose"]]])(
    "reach no record and no screen, and the verdicts are right %j",
    async (more) => {
      const rig = project();
      const ended = await rig.rounds([CHEATS, WORKS_HONESTLY], {
        ...OPTIONS,
        more: [...OPTIONS.more, ...more],
      });
      expect(reasonsOf(ended.report)).toEqual([expect.arrayContaining(["own_tests_failed"]), []]);
      expect(ended.code).toBe(0);
      const receipt = `goldagent-supervise-report-${ended.runId}.receipt.json`;
      expect(rig.read(receipt)).toContain("test/allowed-[redacted DEPLOY_KEY]-[redacted].js");
      expect(records(rig).size).toBeGreaterThan(5);
      const show = await rig.run(["show", ended.runId]);
      const verified = await rig.run(["verify", receipt]);
      expect(verified.code).toBe(0);
      expectClean([
        ["stdout", ended.stdout],
        ["stderr", ended.stderr],
        ["show", show.stdout + show.stderr],
        ["verify", verified.stdout + verified.stderr],
        ...records(rig),
      ]);
    },
  );

  test("do not keep a run from being resumed", async () => {
    const rig = project();
    const args = rig.superviseArgs({ agent: rig.agent(CHEATS, WORKS_HONESTLY), loops: 2, ...OPTIONS });
    const cut = await rig.run(args, { preload: KILL_AFTER, env: { ...ENV, SWEEP_KILL: "after:7" } });
    expect(cut.signal).toBe("SIGKILL");
    const [id = ""] = rig.runIds();
    expect(rig.events(id).map(({ type }) => type)).toContain("candidate_taken");
    const ended = await rig.run(["resume", id]);
    expect(ended.code).toBe(0);
    expect(reasonsOf(rig.report(id))).toEqual([expect.arrayContaining(["own_tests_failed"]), []]);
    expectClean([["stdout", ended.stdout], ["stderr", ended.stderr], ...records(rig)]);
  });

  test.each([
    ["--setup", `curl -u me:${FORM} localhost`],
    ["--allow-oracle-change", `test/${FORM}.js`],
  ])("are refused in %s", async (flag, value) => {
    const rig = project();
    const ended = await rig.run(rig.superviseArgs({ full: [COMMAND], more: [flag, value] }));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`${flag} holds a secret`);
    expectClean([["stderr", ended.stderr]]);
    expect(rig.runIds()).toEqual([]);
  });
});
