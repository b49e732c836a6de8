import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addCompletion, suggest, type KnownRun } from "../../src/cli/completion.ts";
import { buildProgram } from "../../src/cli/program.ts";
import {
  asked,
  ended,
  failedAttempt,
  fakeIo,
  makeRun,
  passedAttempt,
  started,
  type FakeIo,
} from "./fixtures.ts";

function programOf(io: FakeIo): Command {
  const program = buildProgram(io, () => undefined);
  if (!program.commands.some((command) => command.name() === "completion")) addCompletion(program, io);
  const output = { writeOut: (text: string) => io.stdout.write(text), writeErr: () => undefined };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  return program;
}

async function run(io: FakeIo, ...args: string[]): Promise<string> {
  await programOf(io).parseAsync(args, { from: "user" });
  return io.text();
}

const RUNS: readonly KnownRun[] = [
  { value: "0301-asks", about: "a", goesOn: true, answers: ["continue", "pass", "fail"] },
  { value: "0301-open", about: "b", goesOn: true, answers: [] },
  { value: "0301-done", about: "c", goesOn: false, answers: [] },
];

function offered(...typed: string[]): readonly string[] | string {
  const found = suggest(programOf(fakeIo()), typed, RUNS);
  return typeof found === "string" ? found : found.map(({ value }) => value);
}

describe("suggestions", () => {
  test("commands, but no hidden one", () => {
    expect(offered("")).toEqual(expect.arrayContaining(["supervise", "show", "runs", "completion"]));
    expect(offered("")).not.toContain("__complete");
    expect(offered("re")).toEqual(["resume", "restore"]);
    expect(offered("nonsense", "")).toEqual([]);
  });

  test("flags of the program and of a command", () => {
    expect(offered("-")).toEqual(["--version", "--lang", "--help"]);
    expect(offered("decide", "--n")).toEqual(["--note"]);
    expect(offered("show", "--")).toEqual(["--lang", "--json", "--help"]);
  });

  test("run ids that suit the command", () => {
    expect(offered("show", "")).toEqual(["0301-asks", "0301-open", "0301-done"]);
    expect(offered("show", "0301-d")).toEqual(["0301-done"]);
    expect(offered("resume", "--json", "")).toEqual(["0301-asks", "0301-open"]);
    expect(offered("cancel", "--lang", "zh", "")).toEqual(["0301-asks", "0301-open"]);
    expect(offered("decide", "")).toEqual(["0301-asks"]);
    expect(offered("show", "0301-asks", "")).toEqual([]);
  });

  test("answers", () => {
    expect(offered("decide", "0301-asks", "")).toEqual(["continue", "pass", "fail"]);
    expect(offered("decide", "0301-asks", "p")).toEqual(["pass"]);
    expect(offered("decide", "0301-asks", "continue", "")).toEqual([]);
  });

  test("the options of a question that has its own", () => {
    const asking = { value: "0301-user", about: "", goesOn: true, answers: ["use_minio", "wait"] };
    expect(suggest(programOf(fakeIo()), ["decide", "--note", "x", "0301-user", "w"], [asking])).toEqual([
      { value: "wait", about: "" },
    ]);
    expect(offered("board", "")).toEqual(["show", "check", "init"]);
    expect(offered("board", "init", "--board", "")).toBe("dirs");
  });

  test("values of flags, however the shell splits at the sign", () => {
    expect(offered("runs", "--lang", "")).toEqual(["zh", "en"]);
    expect(offered("runs", "--lang=")).toEqual(["zh", "en"]);
    expect(offered("runs", "--lang=z")).toEqual(["zh"]);
    expect(offered("runs", "--lang", "=")).toEqual(["zh", "en"]);
    expect(offered("runs", "--lang", "=", "z")).toEqual(["zh"]);
  });

  test("paths, by the shell itself", () => {
    expect(offered("supervise", "--plan-file", "")).toBe("files");
    expect(offered("supervise", "--plan-file=sr")).toBe("files");
    expect(offered("supervise", "--agent-cmd", "./")).toBe("files");
    expect(offered("supervise", "--cwd", "")).toBe("dirs");
  });

  test("nothing for values that only a person knows", () => {
    expect(offered("supervise", "--task", "")).toEqual([]);
    expect(offered("supervise", "--max-loops", "")).toEqual([]);
  });

  test("after a flag with many values, one more or the next flag", () => {
    expect(offered("supervise", "--pass-env", "A", "--ve")).toEqual(["--verbose"]);
    expect(offered("supervise", "--test-fast", "a", "--ve")).toEqual(["--verbose"]);
    expect(offered("supervise", "--test-fast", "a", "--cwd", "")).toBe("dirs");
    expect(offered("supervise", "--test-fast", "a", "--task", "-x", "--ve")).toEqual(["--verbose"]);
  });
});

describe("__complete", () => {
  test("shows the subject of each run", async () => {
    const io = fakeIo();
    makeRun(io.home, [started("0301-aaaa", { task: "Fix\tlogin\nnow" }), ...failedAttempt(1), asked]);
    makeRun(io.home, [started("0301-bbbb"), ...passedAttempt(1), ended("passed", "accepted")], 1);
    const { journal } = makeRun(io.home, [started("0301-cccc")]);
    fs.writeFileSync(journal, "");
    expect(await run(io, "__complete", "--", "show", "")).toBe(
      "0301-bbbb\tAdd pagination\n0301-aaaa\tFix login now\n0301-cccc\tjournal_empty\n",
    );
  });

  test("treats every typed word as a word, never as its own flag", async () => {
    expect(await run(fakeIo(), "__complete", "--", "runs", "--json", "--help", "--version", "--la")).toBe(
      "--lang\tlanguage of messages (default: by locale)\n",
    );
    expect(await run(fakeIo(), "__complete", "--", "supervise", "--plan-file", "")).toBe(":files\n");
    expect(await run(fakeIo(), "__complete", "--", "decide", "0301-aaaa", "p")).toBe("pass\n");
    expect(await run(fakeIo(), "__complete")).toContain("supervise\t");
  });

  test("keeps quiet about a state directory that cannot be read", async () => {
    const io = fakeIo();
    fs.writeFileSync(io.home, "");
    expect(await run(io, "__complete", "--", "show", "")).toBe("");
  });
});

describe("the command line is as strict as before", () => {
  test("unknown commands and shells are refused", async () => {
    await expect(run(fakeIo(), "complet")).rejects.toMatchObject({
      code: "commander.unknownCommand",
      message: expect.stringContaining("Did you mean completion?"),
    });
    await expect(run(fakeIo(), "completion", "tcsh")).rejects.toMatchObject({
      code: "commander.invalidArgument",
    });
  });

  test("help shows completion and how to set it up, in the person's language", async () => {
    const io = fakeIo({ lang: "zh" });
    await expect(run(io, "--help")).rejects.toMatchObject({ exitCode: 0 });
    expect(io.text()).toContain("输出 shell 补全脚本");
    expect(io.text()).not.toContain("__complete");
    const more = fakeIo();
    await expect(run(more, "completion", "--help")).rejects.toMatchObject({ exitCode: 0 });
    expect(more.text()).toContain("source <(agent-foreman completion bash)");
  });
});

describe("scripts", () => {
  test.for(["bash", "zsh", "fish"])("%s: serves both names and evaluates no typed text", async (shell) => {
    const script = await run(fakeIo(), "completion", shell);
    expect(script).toContain("agent-foreman __complete -- ");
    expect(script).toContain("goldagent");
    expect(script).not.toMatch(/\beval\b|compgen -W/);
  });

  const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;

  test.skipIf(!hasBash)("bash: loads silently, twice, and completes the program's suggestions", async () => {
    const io = fakeIo();
    const script = join(io.cwd, "completion.bash");
    fs.writeFileSync(script, await run(io, "completion", "bash"));
    const program = join(io.cwd, "agent-foreman");
    fs.writeFileSync(program, '#!/bin/sh\nprintf "<%s>" "$@" >> "$CALLS"\nprintf "$REPLY"\n', {
      mode: 0o755,
    });
    const bash = (reply: string, words: string, type = 9): string => {
      const load = `set -u; source '${script}'; source '${script}'`;
      // Outside a real completion bash has no options to change.
      const stubs = 'compopt() { echo "compopt $*"; }';
      const call = `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_TYPE=${type}; _agent_foreman`;
      const ran = spawnSync(
        "bash",
        ["--norc", "-c", `${load}; ${stubs}; ${call}; printf '[%s]' "\${COMPREPLY[@]-}"`],
        {
          encoding: "utf8",
          env: { PATH: `${io.cwd}:${process.env["PATH"] ?? ""}`, REPLY: reply, CALLS: join(io.cwd, "calls") },
        },
      );
      expect(ran.stderr).toBe("");
      return ran.stdout;
    };
    const runIds = String.raw`0301-aaaa\tFix login\n0301-bbbb\tAdd pages\n`;
    expect(bash(runIds, "agent-foreman show ''")).toBe("compopt +o default\n[0301-aaaa][0301-bbbb]");
    expect(bash(runIds, "agent-foreman show ''", 63)).toBe(
      "compopt +o default\n[0301-aaaa  (Fix login)][0301-bbbb  (Add pages)]",
    );
    expect(bash(":files\\n", "agent-foreman supervise --plan-file ''")).toBe("[]");
    expect(bash(":dirs\\n", "agent-foreman supervise --cwd ''")).toBe("compopt +o default -o dirnames\n[]");
    expect(bash("zh\\n", "agent-foreman runs --lang=z")).toBe("compopt +o default\n[--lang=zh]");
    expect(bash("", "agent-foreman nonsense ''")).toBe("compopt +o default\n[]");
    const trap = join(io.cwd, "trap");
    bash("", `agent-foreman supervise --task '"$(touch ${trap})"' '--pl'`);
    expect(fs.existsSync(trap)).toBe(false);
    expect(fs.readFileSync(join(io.cwd, "calls"), "utf8")).toMatch(
      /<__complete><--><supervise><--task><"\$\(touch .*\)"><--pl>$/,
    );
  });
});
