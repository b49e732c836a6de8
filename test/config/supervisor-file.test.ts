import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { supervisorFile } from "../../src/cli/config/supervisor-file.ts";
import { Failure } from "../../src/platform/failure.ts";
import type { PromptTemplate } from "../../src/core/settings.ts";
import { failureText } from "../../src/cli/words/failures.ts";
import { Places } from "./fixtures.ts";

const asRoot = process.getuid?.() === 0;

/** A project with a folder two levels below its top. */
class Project extends Places {
  readonly folder = join(this.project, "packages", "one");

  constructor() {
    super();
    fs.mkdirSync(this.folder, { recursive: true });
  }

  find(cwd = this.project, env: NodeJS.ProcessEnv = {}): PromptTemplate {
    return supervisorFile(cwd, { HOME: this.home, ...env });
  }

  failure(cwd = this.project): Failure {
    try {
      this.find(cwd);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
    throw new Error("it was found");
  }

  /** The message for the user. */
  complaint(lang: "en" | "zh" = "en"): string {
    const { code, about } = this.failure();
    return failureText({ code, about }, lang).message;
  }
}

describe("C15 the project's SUPERVISOR.md precedes the user's, the nearest first", () => {
  test("each place is looked at where those before it are empty", () => {
    const places = new Project();
    const { folder, project, home } = places;
    const order = [
      join(folder, "SUPERVISOR.md"),
      join(folder, ".claude", "SUPERVISOR.md"),
      join(project, "packages", "SUPERVISOR.md"),
      join(project, "packages", ".claude", "SUPERVISOR.md"),
      join(project, "SUPERVISOR.md"),
      join(project, ".claude", "SUPERVISOR.md"),
      join(home, ".config", "agent-foreman", "SUPERVISOR.md"),
      join(home, ".claude", "SUPERVISOR.md"),
    ];
    for (const path of order) places.write(path, `from ${path}`);
    for (const path of order) {
      expect(places.find(folder)).toMatchObject({ path, text: `from ${path}` });
      fs.rmSync(path);
    }
    expect(places.failure(folder).about["places"]?.split(", ")).toEqual(order);
  });

  test("files above the project are not the project's", () => {
    const places = new Project();
    places.write(join(places.root, "SUPERVISOR.md"), "above");
    expect(places.failure().code).toBe("supervisor_missing");
  });

  test("outside of git only the work directory is the project", () => {
    const places = new Project();
    fs.rmSync(join(places.project, ".git"), { recursive: true });
    places.write(join(places.project, "SUPERVISOR.md"), "here");
    expect(places.find().text).toBe("here");
    expect(places.failure(places.folder).code).toBe("supervisor_missing");
  });

  test("XDG_CONFIG_HOME moves the user's, if it is absolute", () => {
    const places = new Project();
    const xdg = join(places.root, "xdg");
    places.write(join(xdg, "agent-foreman", "SUPERVISOR.md"), "moved");
    places.write(join(places.home, ".config", "agent-foreman", "SUPERVISOR.md"), "usual");
    expect(places.find(places.project, { XDG_CONFIG_HOME: xdg }).text).toBe("moved");
    expect(places.find(places.project, { XDG_CONFIG_HOME: "xdg" }).text).toBe("usual");
  });
});

test("it is kept as it is, with the digest of its bytes", () => {
  const places = new Project();
  const bytes = Buffer.from("\uFEFF# 审查\r\n\r\n{{not}} a template\r\n");
  places.write(join(places.project, "SUPERVISOR.md"), bytes);
  const { text, sha256 } = places.find();
  expect(text).toBe("# 审查\r\n\r\n{{not}} a template\r\n");
  expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
});

test("C16 without one, the message lists the places and how to make one", () => {
  const places = new Project();
  const failure = places.failure();
  expect(failure).toMatchObject({ code: "supervisor_missing", exitCode: 2 });
  for (const lang of ["en", "zh"] as const) {
    const { message, next } = failureText(failure, lang);
    expect(message).toContain(join(places.project, "SUPERVISOR.md"));
    expect(message).toContain(join(places.home, ".claude", "SUPERVISOR.md"));
    expect(next).toBe("agent-foreman chat init");
  }
});

describe("reports an unusable one, and does not use the user's instead", () => {
  const unusable = (content: string | Buffer): Project => {
    const places = new Project();
    places.write(join(places.home, ".claude", "SUPERVISOR.md"), "the user's");
    places.write(join(places.project, "SUPERVISOR.md"), content);
    return places;
  };

  test.each<[string, string | Buffer, string, string]>([
    ["empty", "", "it is empty", "文件为空"],
    ["blank", " \r\n\uFEFF\t\n", "it is empty", "文件为空"],
    ["not UTF-8", Buffer.from([0x41, 0xff, 0xfe]), "it is not UTF-8 text", "不是 UTF-8 文本"],
    ["with a NUL", "a\0b", "it is not UTF-8 text", "不是 UTF-8 文本"],
    ["too large", "x".repeat(1024 * 1024 + 1), "it is larger than 1 MiB", "超过 1 MiB"],
  ])("%s", (_, content, en, zh) => {
    const places = unusable(content);
    const path = join(places.project, "SUPERVISOR.md");
    expect(places.failure()).toMatchObject({ code: "supervisor_unusable", exitCode: 2 });
    expect(places.complaint()).toBe(`SUPERVISOR.md cannot be used: ${path} (${en})`);
    expect(places.complaint("zh")).toBe(`SUPERVISOR.md 无法使用：${path}（${zh}）`);
  });

  test("as large as may be", () => {
    expect(unusable("x".repeat(1024 * 1024)).find().text).toHaveLength(1024 * 1024);
  });

  test("a directory", () => {
    const places = new Project();
    fs.mkdirSync(join(places.project, "SUPERVISOR.md"));
    expect(places.complaint()).toContain("it is not a file");
  });

  test("a link that leads nowhere", () => {
    const places = new Project();
    fs.symlinkSync("nowhere", join(places.project, "SUPERVISOR.md"));
    expect(places.complaint()).toContain("no such file or directory");
  });

  test.skipIf(asRoot)("one without read permission", () => {
    const places = unusable("secret");
    fs.chmodSync(join(places.project, "SUPERVISOR.md"), 0);
    expect(places.complaint()).toContain("permission denied");
  });
});
