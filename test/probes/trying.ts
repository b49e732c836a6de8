import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Redactor } from "../../src/domain/redact.ts";
import { failureMessage } from "../../src/domain/tests/failure-message.ts";
import { readProbes } from "../../src/domain/tests/probe.ts";
import type { TestResult } from "../../src/domain/tests/result.ts";
import { keepingProbes, probed, probesIn } from "../../src/probes/probes.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What was told, in the order of each process. */
  readonly told: readonly unknown[];
  /** Why tests failed, by their names: shortened. */
  readonly messages: Readonly<Record<string, string>>;
  /** The failed tests as the probes sent them. */
  readonly failures: readonly TestResult[];
}

/** A small project, and the probes beside it. Their places have names that have to be quoted. */
export class Trial {
  readonly base = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-probes-")));
  readonly root = join(this.base, "the tree");
  readonly #probe: string;
  readonly #results = join(this.base, "results");

  constructor(files: Readonly<Record<string, string>>, probe = `pro 'be"`) {
    this.#probe = join(this.base, probe);
    onTestFinished(() => fs.rmSync(this.base, { recursive: true, force: true }));
    fs.mkdirSync(this.root);
    for (const [path, text] of Object.entries(files)) this.write(join(this.root, path), text);
    for (const [path, text] of Object.entries(this.#probes().files))
      this.write(join(this.#probe, path), text);
  }

  /** That of this project, in a directory of packages of its own: it keeps notes there of how long tests took. */
  withVitest(): this {
    fs.mkdirSync(join(this.root, "node_modules/.bin"), { recursive: true });
    fs.symlinkSync(
      join(import.meta.dirname, "../../node_modules/vitest"),
      join(this.root, "node_modules/vitest"),
    );
    fs.symlinkSync("../vitest/vitest.mjs", join(this.root, "node_modules/.bin/vitest"));
    return this;
  }

  /** Without the probes: nothing is told. */
  bare(command: string): Ran {
    return this.#run(command, {});
  }

  probed(command: string, env: Readonly<Record<string, string>> = {}): Ran {
    return this.#run(keepingProbes(command, this.#probes()), probed(env, this.#probes()));
  }

  #probes() {
    return probesIn(this.#probe, this.#results, this.root);
  }

  #run(command: string, env: Readonly<Record<string, string>>): Ran {
    fs.rmSync(this.#results, { recursive: true, force: true });
    fs.mkdirSync(this.#results);
    const home = { PATH: process.env["PATH"], HOME: os.homedir(), TMPDIR: this.base, CI: "1", NO_COLOR: "1" };
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", command], {
      cwd: this.root,
      env: { ...home, ...env },
      encoding: "utf8",
    });
    const lines = fs
      .readdirSync(this.#results)
      .flatMap((name) => fs.readFileSync(join(this.#results, name), "utf8").split("\n").slice(0, -1));
    const failures = (readProbes(lines).tests?.results ?? []).filter(({ message }) => message !== undefined);
    const messages = Object.fromEntries(
      failures.map((result) => [result.name, failureMessage(result, new Redactor([]))]),
    );
    const told = lines.map((line): unknown => {
      const { test, ...entry } = JSON.parse(line) as { test?: TestResult };
      return test === undefined
        ? entry
        : { test: { suite: test.suite, name: test.name, status: test.status } };
    });
    return { code: status, stdout, stderr, told, messages, failures };
  }

  write(path: string, text: string): void {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

/** A test, as it is told. */
export const told = (suite: string, name: string, status: "passed" | "failed" | "skipped") => ({
  test: { suite, name, status },
});

export const exits = ({ told: lines }: Ran): unknown[] =>
  lines.filter((line) => typeof line === "object" && line !== null && "exit" in line);

/** What people see, but for how long it took and where it was. */
export const seen = ({ code, stdout, stderr }: Ran): unknown => ({
  code,
  stdout: steady(stdout),
  stderr: steady(stderr),
});

function steady(text: string): string {
  return (
    text
      .replaceAll(/duration_ms:? [\d.]+/g, "duration")
      .replaceAll(/\(?\b\d+(\.\d+)?m?s\b\)?/g, "time")
      // Whether it is Node's own queue that calls a test is nothing that the test says.
      .replaceAll(/^.*\bprocessTicksAndRejections\b.*\n/gm, "")
      .replaceAll(/\d\d:\d\d:\d\d/g, "clock")
      .replaceAll(/(time, |transform|setup|import|tests|environment)+ time/g, "parts")
  );
}
