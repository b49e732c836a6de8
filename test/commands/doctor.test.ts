import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  containmentFinding,
  doctor,
  forbiddenBy,
  gitFinding,
  languageFinding,
  nodeFinding,
  roomFinding,
} from "../../src/cli/doctor.ts";
import type { Containment } from "../../src/core/event.ts";
import { findingLines, type Finding } from "../../src/cli/finding.ts";
import { fakeIo, HOSTILE, makeRun, started, STEERS_TERMINAL } from "./fixtures.ts";

import { versionFinding } from "../../src/cli/doctor-agents.ts";
import { detectContainment } from "../../src/platform/process/containment.ts";
import { whyNoSandbox } from "../../src/platform/process/sandbox.ts";
import { wayIntoRooms } from "../../src/evidence/room/room.ts";
import { claude } from "../../src/agents/claude.ts";

const lines = (...findings: Finding[]): string[] => findingLines(findings, "en").map(({ text }) => text);

describe("doctor", () => {
  test("finds this machine fit for runs and leaves no trace", async () => {
    const io = fakeIo();
    expect(await doctor({}, io)).toBe(0);
    expect(io.text()).toMatch(/^[✓!] containment {3}\S/m);
    expect(io.text()).toMatch(new RegExp(`^✓ node {10}${process.versions.node}$`, "m"));
    expect(io.text()).toMatch(/^[✓!] state {9}\S+ {2}0 runs, (?:only )?[\d.]+ [KMG]?B free$/m);
    expect(io.text()).toMatch(/^- terminal {6}no questions are asked here/m);
    expect(io.text()).toMatch(/next {2}agent-foreman demo\n$/);
    expect(fs.existsSync(io.home)).toBe(false);
  });

  test("counts runs and gives programs the same by codes", async () => {
    const io = fakeIo({ env: { LANG: "zh_CN.UTF-8" } });
    makeRun(io.home, [started("0301-aaaa")]);
    expect(await doctor({ json: true }, io)).toBe(0);
    expect(JSON.parse(io.text())).toMatchObject({
      ok: true,
      findings: expect.arrayContaining([
        expect.objectContaining({ check: "node", level: "ok", code: "node_supported" }),
        expect.objectContaining({
          check: "language",
          about: { lang: "en", variable: "LANG", value: "zh_CN.UTF-8" },
        }),
        expect.objectContaining({
          check: "state",
          about: expect.objectContaining({ path: io.home, runs: 1, free_bytes: expect.any(Number) }),
        }),
      ]),
    });
    expect(fs.readdirSync(io.home)).toEqual(["runs"]);
  });

  test("fails when the state directory cannot be used, and says what to do", async () => {
    const io = fakeIo();
    fs.writeFileSync(io.home, "a file is in the way");
    expect(await doctor({}, io)).toBe(6);
    expect(io.text()).toMatch(/^✗ state {9}\S+ cannot be used: EEXIST/m);
    expect(io.text()).toContain("set AGENT_FOREMAN_HOME to a directory you can write\n");
    expect(io.text()).not.toContain("agent-foreman demo");
    const programs = fakeIo({ home: io.home });
    expect(await doctor({ json: true }, programs)).toBe(6);
    expect(JSON.parse(programs.text())).toMatchObject({ ok: false });
  });

  test("fails without mkfifo", async () => {
    const io = fakeIo();
    const path = process.env["PATH"];
    process.env["PATH"] = dirname(io.home);
    try {
      expect(await doctor({}, io)).toBe(process.platform === "win32" ? 0 : 6);
    } finally {
      process.env["PATH"] = path;
    }
    expect(io.text()).toMatch(/^✗ pipes {9}named pipes cannot be created: .*mkfifo/m);
    expect(io.text()).toMatch(/^! git {11}not found: no base commit/m);
  });

  test("removes only its own files", async () => {
    const base = fakeIo();
    const io = fakeIo({ home: join(base.cwd, "a", "b") });
    fs.mkdirSync(join(base.cwd, "a"));
    await doctor({}, io);
    expect(fs.readdirSync(join(base.cwd, "a"))).toEqual([]);
  });

  test("prints Chinese and recognizes a terminal", async () => {
    const io = fakeIo({ lang: "zh", columns: 80, env: { LC_ALL: "zh_CN.UTF-8" } });
    Object.assign(io.stdin, { isTTY: true });
    expect(await doctor({}, io)).toBe(0);
    expect(io.text()).toMatch(/^✓ 语言 {6}zh（LC_ALL=zh_CN.UTF-8）$/m);
    expect(io.text()).toMatch(/^✓ 终端 {6}可以在此询问人工$/m);
    expect(io.text()).toMatch(/^[✓!] 隔离 {6}\S/m);
  });

  test("no environment variable controls the terminal", async () => {
    const io = fakeIo({ env: { LC_ALL: HOSTILE } });
    await doctor({}, io);
    expect(io.text()).toContain(String.raw`LC_ALL=evil\x1b[2J`);
    expect(io.text()).not.toMatch(STEERS_TERMINAL);
  });
});

describe("containment", () => {
  const weak = { level: "process_group" } as const;
  const means = (tools: string, settings: Record<string, string> = {}, platform = "linux") => ({
    platform,
    has: (tool: string) => tools.split(" ").includes(tool),
    setting: (name: string) => settings[name],
  });

  test.for<[Containment, string]>([
    ["pid_namespace", "pid namespace"],
    ["bubblewrap", "bubblewrap"],
  ])("%s contains everything", ([level, mechanism]) => {
    expect(lines(containmentFinding({ level }, means("")))).toEqual([
      `✓ containment  ${mechanism}; whatever a command starts ends with it and with the foreman`,
    ]);
  });

  test("that is best effort is a warning, and says which tools would make it better", () => {
    const finding = containmentFinding(weak, means("unshare"));
    expect(finding.level).toBe("warning");
    expect(lines(finding)).toEqual([
      "! containment  process group, best effort only: a process that hides may outlive its command",
      "               missing: setpriv, bwrap",
      "               install util-linux (setpriv, unshare) or bubblewrap (bwrap)",
    ]);
  });

  test.for([
    ["setpriv unshare", { "kernel.unprivileged_userns_clone": "0" }, ": kernel.unprivileged_userns_clone=0"],
    ["bwrap", {}, ""],
  ] as const)("says that namespaces are forbidden where %s cannot make one", ([tools, settings, by]) => {
    const finding = containmentFinding(weak, means(tools, settings));
    expect(finding).toMatchObject({ level: "warning", code: "namespaces_forbidden" });
    expect(lines(finding)[1]).toContain(
      `${tools.replace(" ", ", ")} found, but pid namespaces are forbidden here${by}`,
    );
  });

  test("is best effort where the system knows no namespaces", () => {
    const finding = containmentFinding(weak, means("", {}, "darwin"));
    expect(finding).toMatchObject({ level: "warning", code: "no_namespaces_on_platform" });
  });
});

describe("clean room and sandbox", () => {
  test("of this machine are shown, in both languages", async () => {
    const overlay = wayIntoRooms(detectContainment().wrap, fakeIo().cwd);
    for (const [lang, room, sandbox] of [
      ["en", overlay ? "✓ clean room {4}overlay" : "! clean room {4}copy", "sandbox {7}"],
      ["zh", overlay ? "✓ 洁净室 {4}overlay" : "! 洁净室 {4}另一路径", "沙箱 {6}"],
    ] as const) {
      const io = fakeIo({ lang });
      await doctor({}, io);
      expect(io.text()).toMatch(new RegExp(`^${room}`, "m"));
      const works = whyNoSandbox(detectContainment().wrap) === null;
      expect(io.text()).toMatch(new RegExp(`^${works ? "✓" : "-"} ${sandbox}.*--sandbox`, "m"));
    }
  });

  /** The report on a machine with only these scripted programs. */
  async function output(programs: Readonly<Record<string, string>>): Promise<string> {
    const io = fakeIo({ home: fakeIo().cwd });
    const bin = join(io.cwd, "bin");
    fs.mkdirSync(bin);
    fs.symlinkSync("/usr/bin/mkfifo", join(bin, "mkfifo"));
    for (const [name, script] of Object.entries(programs))
      fs.writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const path = process.env["PATH"];
    process.env["PATH"] = bin;
    try {
      expect(await doctor({}, io)).toBe(0);
    } finally {
      process.env["PATH"] = path;
    }
    return io.text();
  }

  test.runIf(process.platform === "linux")("report missing parts and their causes", async () => {
    const bare = await output({});
    expect(bare).toMatch(/^! clean room {4}copy of the files at another path \(no_overlay\)/m);
    expect(bare).toContain("by such a path a check still reaches the work tree");
    expect(bare).toContain("there are no mount namespaces here, see containment");
    expect(bare).toMatch(
      /^- sandbox {7}--sandbox does not work here: bubblewrap \(bwrap\) is not installed\n {16}install bubblewrap/m,
    );
    const forbidden = await output({
      bwrap: "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
    });
    expect(forbidden).toMatch(
      /^- sandbox {7}.*: bubblewrap is installed, but may not make namespaces\n {16}bwrap: setting up uid map: Permission denied.*\n {16}allow user namespaces/m,
    );
    expect(forbidden).not.toContain("install bubblewrap");
    const old = await output({ bwrap: "echo 'bwrap: Unknown option --perms' >&2; exit 1" });
    expect(old).toMatch(/^- sandbox {7}.*but fails\n {16}bwrap: Unknown option --perms$/m);
  });

  test("a setting of the kernel that forbids is named", () => {
    const says = lines({
      check: "sandbox",
      level: "info",
      code: "sandbox_forbidden",
      about: { why: "bwrap: no", by: forbiddenBy((name) => (name.endsWith("_clone") ? "0" : undefined)) },
    });
    expect(says[1]).toContain("bwrap: no (kernel.unprivileged_userns_clone=0)");
  });

  test.for([
    ["linux", "user_pid_namespace", "no overlay can be mounted in /state: needs util-linux"],
    ["linux", "process_group", "there are no mount namespaces here"],
    ["darwin", "process_group", "darwin has no overlays"],
  ] as const)("a copy on %s with %s", ([platform, level, why]) => {
    const finding = roomFinding(false, { platform, level, where: "/state" });
    expect(finding).toMatchObject({ level: "warning", code: "room_copy" });
    expect(lines(finding)[2]).toContain(why);
  });
});

test.for<[string, Finding["code"]]>([
  ["20.18.9", "node_too_old"],
  ["20.19.0", "node_supported"],
  ["22.1.0", "node_supported"],
  ["18.20.0", "node_too_old"],
])("Node.js %s is %s", ([version, code]) => {
  expect(nodeFinding(version)).toMatchObject({ code, level: code === "node_supported" ? "ok" : "failure" });
});

test("a missing git is a warning about the lost features", () => {
  expect(gitFinding(undefined).level).toBe("warning");
  expect(lines(gitFinding(undefined)).join("\n")).toContain("no summary of changes");
});

test("the language says where it comes from", () => {
  const lang = "en";
  expect(languageFinding({ lang }, { lang, env: { LANG: "zh" } })).toMatchObject({
    code: "language_by_flag",
  });
  expect(languageFinding({}, { lang, env: { LC_ALL: "", LANG: "C" } })).toMatchObject({
    code: "language_by_locale",
    about: { variable: "LANG", value: "C" },
  });
  expect(languageFinding({}, { lang, env: {} })).toMatchObject({ code: "language_by_default" });
});

describe("agents", () => {
  const VERSIONS: [string | null, Finding["code"]][] = [
    ["2.1.325", "agent_found"],
    ["2.1.999", "agent_found"],
    ["2.2.0", "agent_newer"],
    ["10.0.0", "agent_newer"],
    ["2.0.9", "agent_older"],
    [null, "agent_mute"],
  ];
  test.each(VERSIONS)("version %s: %s", (version, code) => {
    expect(versionFinding(claude, version).code).toBe(code);
  });

  test("are asked for their version; each appears under its name with its features and its command", async () => {
    const io = fakeIo();
    const bin = `${io.home}-bin`;
    fs.mkdirSync(bin);
    for (const [name, script] of [
      ["claude", 'echo "2.1.325 (Claude Code)"'],
      ["codex", 'echo "codex-cli 99.0.1"'],
      ["gemini", "exit 1"],
    ])
      fs.writeFileSync(join(bin, name ?? ""), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await doctor({}, { ...io, env: { ...io.env, PATH: `${bin}:/usr/bin:/bin` } });
    expect(io.text()).toMatch(
      /^✓ claude {8}2\.1\.325 {2}tested \S+; resume, fork, read only, no tools, tokens, cost, chat by hooks, review in a fork\n {16}claude --print /m,
    );
    expect(io.text()).toMatch(/^! codex {9}99\.0\.1 {2}newer than tested \(/m);
    expect(io.text()).toMatch(/^! gemini {8}found, but does not report its version/m);
    expect(io.text()).toMatch(/^- opencode {6}not found: npm install -g opencode-ai$/m);
  });

  test("a program that hangs, or fails, has no version and is gone afterwards", async () => {
    const io = fakeIo();
    const bin = `${io.home}-bin`;
    fs.mkdirSync(bin);
    fs.writeFileSync(join(bin, "claude"), "#!/bin/sh\necho 2.1.325; exit 3\n", { mode: 0o755 });
    await doctor({}, { ...io, env: { ...io.env, PATH: `${bin}:/usr/bin:/bin` } });
    expect(io.text()).toMatch(/^! claude {8}found, but does not report its version/m);
  });

  test("profiles are checked as well, and a broken configuration is reported", async () => {
    const io = fakeIo();
    const cwd = `${io.home}-project`;
    fs.mkdirSync(cwd);
    const yaml =
      'profiles: { a: { extends: claude, program: ./no }, b: { extends: command, command: x, env: { K: "${env:NOPE}" } } }\n';
    fs.writeFileSync(join(cwd, "agent-foreman.yaml"), yaml);
    await doctor({}, { ...io, cwd });
    expect(io.text()).toMatch(/^! a {13}profile of claude: \.\/no not found$/m);
    expect(io.text()).toMatch(/^! b {13}profile of command: not set: NOPE$/m);
    fs.writeFileSync(join(cwd, "agent-foreman.yaml"), "limits: 5\n");
    const broken = fakeIo({ home: io.home });
    await doctor({}, { ...broken, cwd });
    expect(broken.text()).toMatch(
      /^! config {8}cannot be used \(config_invalid\)\n {16}agent-foreman config check$/m,
    );
  });
});
