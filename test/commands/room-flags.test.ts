import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RoomRig } from "../clean-room/project.ts";
import type { Ended, StartOptions } from "../rig/rig.ts";

/** The error message for these flags at the start of a run. */
async function refused(rig: RoomRig, more: readonly string[], options: StartOptions = {}): Promise<string> {
  const args = rig.superviseArgs({ agent: "touch started", more });
  const { code, stderr }: Ended = await rig.run(args, options);
  expect({ more, code, stderr }).toMatchObject({ code: 2 });
  expect(rig.runIds()).toEqual([]);
  expect(fs.existsSync(join(rig.project, "started"))).toBe(false);
  return stderr;
}

const allow = (pattern: string): string[] => ["--allow-oracle-change", "src/*.snap", pattern];

test("refuses a pattern that can match nothing, with a suggestion", async () => {
  const rig = new RoomRig();
  const cases: [string, string, string][] = [
    [`${rig.project}/test/*.js`, "at the top of the work tree, not with /", "test/*.js"],
    ["/test/**", "at the top of the work tree, not with /", "test/**"],
    ["/src", "at the top of the work tree, not with /", "./src"],
    ["/etc/nothing", "at the top of the work tree, not with /", "test/**"],
    ["test/../../x", "cannot leave it by ..", "test/**"],
    ["!src/**", "no exceptions by !", "src/**"],
    ["test/[ab.js", "a bracket has no counterpart", "test/**"],
    ["test/{a,b]}.js", "a bracket has no counterpart", "test/**"],
    ["test", "test is a folder", "test/**"],
    ["./test", "./test is a folder", "test/**"],
  ];
  for (const [pattern, why, write] of cases) {
    const output = await refused(rig, allow(pattern));
    expect(output).toMatch(
      /^error: --allow-oracle-change: .*\n {2}next {4}agent-foreman supervise --help\n$/,
    );
    expect(output).toContain(why);
    expect(output).toContain(pattern);
    expect(output).toMatch(
      new RegExp(`(?:write|instance) ${write.replaceAll(/[.*]/g, String.raw`\$&`)}[,\n]`),
    );
  }
});

test("a folder is also known from where the person works", async () => {
  const rig = new RoomRig({ "packages/a/spec/x.js": "" });
  const cwd = join(rig.project, "packages", "a");
  expect(await refused(rig, [...allow("spec"), "--cwd", cwd])).toContain("write packages/a/spec/**\n");
});

test("accepts patterns of files, of missing files and of unusual names", async () => {
  const rig = new RoomRig();
  const patterns = [
    ...["test/", "test/**", "*.snap", "./package.json", "later", "src/[id]/{a,b}..js", "a..b"],
    "x".repeat(300),
  ];
  fs.symlinkSync("test", join(rig.project, "link"));
  const args = rig.superviseArgs({
    agent: rig.agent("true"),
    loops: 1,
    more: ["--allow-oracle-change", ...patterns, "link"],
  });
  expect((await rig.run(args)).stderr).not.toContain("--allow-oracle-change");
  expect(rig.runIds()).toHaveLength(1);
});

test("a pattern of the configuration is named by its key", async () => {
  const rig = new RoomRig({ "agent-foreman.yaml": "clean_room: { allow_oracle_change: [test] }\n" });
  expect(await refused(rig, [])).toContain(
    "error: clean_room.allow_oracle_change: test is a folder, and the pattern matches no file in it; write test/**\n",
  );
  expect(await refused(rig, ["--lang", "zh"])).toContain("clean_room.allow_oracle_change：test 是目录");
});

test("refuses clean room flags without the clean room, by name", async () => {
  const rig = new RoomRig();
  const all = ["--setup", "true", "--prove-tests", "--pass-env", "A", "--allow-oracle-change", "test/**"];
  expect(await refused(rig, ["--no-clean-room", ...all])).toContain(
    "error: --setup, --allow-oracle-change, --prove-tests, --pass-env: no effect with --no-clean-room; leave one or the other out\n",
  );
  expect(await refused(rig, ["--no-clean-room", "--prove-tests", "--lang", "zh"])).toContain(
    "--prove-tests：与 --no-clean-room 同用时不起作用",
  );
  rig.write("agent-foreman.yaml", "clean_room: { enabled: false }\n");
  expect(await refused(rig, ["--setup", "true"])).toContain(
    "error: --setup: no effect with clean_room.enabled: false; leave one or the other out\n",
  );
});

test("keys of the configuration may appear next to --no-clean-room", async () => {
  const config =
    "clean_room: { setup: 'false', prove_tests: true, pass_env: [A], allow_oracle_change: [test] }\n";
  const rig = new RoomRig({ "agent-foreman.yaml": config });
  const more = ["--no-clean-room"];
  const { code, stderr } = await rig.run(
    rig.superviseArgs({ agent: rig.agent("true"), fast: ["true"], full: ["true"], loops: 1, more }),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("does not suggest to install bubblewrap if it exists but may not make namespaces", async () => {
  const rig = new RoomRig();
  // A PATH with only the necessary system programs.
  const bin = rig.outside("bin");
  fs.mkdirSync(bin);
  for (const tool of ["sh", "git", "mkfifo"]) fs.symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
  const bwrap = (says: string): void =>
    fs.writeFileSync(join(bin, "bwrap"), `#!/bin/sh\necho 'bwrap: ${says}' >&2\nexit 1\n`, { mode: 0o755 });
  const env = { PATH: bin };
  expect(await refused(rig, ["--sandbox"], { env })).toContain("next    install bubblewrap");
  bwrap("No permissions to create new namespace");
  const forbidden = await refused(rig, ["--sandbox"], { env });
  expect(forbidden).toContain(
    "error: no sandbox can be made here: bwrap: No permissions to create new namespace\n",
  );
  expect(forbidden).toContain(
    "next    bubblewrap is installed, but may not make namespaces: allow user namespaces",
  );
  expect(await refused(rig, ["--sandbox", "--lang", "zh"], { env })).toContain("请允许 user namespace");
  bwrap("Unknown option --perms");
  expect(await refused(rig, ["--sandbox"], { env })).toContain("next    bubblewrap is installed, but fails");
});
