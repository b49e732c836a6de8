import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { chatInit } from "../../src/cli/chat-init.ts";
import type { FlagsOf } from "../../src/cli/settings/table.ts";
import { supervisorFile } from "../../src/cli/config/supervisor-file.ts";
import { DEFAULT_MARKER, DEFAULT_WAITING_MARKER, readVerdict } from "../../src/modes/chat/completed.ts";
import { Failure } from "../../src/platform/failure.ts";
import type { Lang } from "../../src/core/settings.ts";
import { STARTER_SUPERVISOR } from "../../src/modes/prompts/supervisor.ts";
import { fakeIo, type FakeIo } from "./fixtures.ts";

/** An empty home, so that the user's own files have no influence. */
function newIo(lang: Lang = "en"): FakeIo {
  const io = fakeIo({ lang });
  return { ...io, env: { ...io.env, HOME: dirname(io.cwd) } };
}

function failure(flags: FlagsOf<"chat">, io: FakeIo): Failure {
  try {
    chatInit(flags, io);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was written");
}

describe("C16 chat init", () => {
  test("writes a SUPERVISOR.md that is found afterwards", () => {
    const io = newIo();
    expect(chatInit({}, io)).toBe(0);
    expect(io.text()).toBe("✓ wrote  SUPERVISOR.md\nnext  agent-foreman chat --supervisor\n");
    const path = join(io.cwd, "SUPERVISOR.md");
    expect(supervisorFile(io.cwd, io.env)).toMatchObject({ path, text: STARTER_SUPERVISOR.en });
  });

  test("writes the user's own with --global, if there is none", () => {
    const io = newIo("zh");
    expect(chatInit({ global: true }, io)).toBe(0);
    const path = join(io.env["HOME"] ?? "", ".config", "agent-foreman", "SUPERVISOR.md");
    expect(supervisorFile(io.cwd, io.env)).toMatchObject({ path, text: STARTER_SUPERVISOR.zh });
    expect(io.text()).toBe(`✓ 已写入  ${path}\n下一步  agent-foreman chat --supervisor\n`);
  });

  test("writes into the directory that is named", () => {
    const io = newIo();
    fs.mkdirSync(join(io.cwd, "below"));
    chatInit({ cwd: "below" }, io);
    expect(fs.existsSync(join(io.cwd, "below", "SUPERVISOR.md"))).toBe(true);
  });

  test.each([{}, { global: true }])("never overwrites an existing one without --force (%j)", (flags) => {
    const io = newIo();
    chatInit(flags, io);
    const { path } = supervisorFile(io.cwd, io.env);
    fs.writeFileSync(path ?? "", "mine\n");
    expect(failure(flags, io)).toMatchObject({ code: "supervisor_exists", exitCode: 2, about: { path } });
    expect(fs.readFileSync(path ?? "", "utf8")).toBe("mine\n");
    expect(chatInit({ ...flags, force: true }, io)).toBe(0);
    expect(fs.readFileSync(path ?? "", "utf8")).toBe(STARTER_SUPERVISOR.en);
  });

  test("a dangling link counts as existing", () => {
    const io = newIo();
    fs.symlinkSync("elsewhere", join(io.cwd, "SUPERVISOR.md"));
    expect(failure({}, io).code).toBe("supervisor_exists");
    expect(fs.existsSync(join(io.cwd, "elsewhere"))).toBe(false);
  });

  test("reports a failed write", () => {
    const io = newIo();
    fs.mkdirSync(join(io.cwd, "SUPERVISOR.md", "x"), { recursive: true });
    expect(failure({ force: true }, io)).toMatchObject({ code: "supervisor_not_writable", exitCode: 2 });
    expect(failure({}, { ...io, cwd: "" }).code).toBe("here_is_gone");
  });
});

describe.each(["en", "zh"] as const)("the SUPERVISOR.md to start from (%s)", (lang) => {
  const text = STARTER_SUPERVISOR[lang];
  const MARKERS = { marker: DEFAULT_MARKER, waitingMarker: DEFAULT_WAITING_MARKER };

  test("names the markers, and completes nothing when repeated", () => {
    expect(text).toContain(DEFAULT_MARKER);
    expect(text).toContain(DEFAULT_WAITING_MARKER);
    expect(readVerdict(text, MARKERS)).toMatchObject({
      completed: false,
      waiting: false,
      words: text.trim(),
    });
  });

  test("is no template", () => {
    expect(text).not.toContain("{{");
  });
});
