import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Redactor } from "../../src/text/redact.ts";
import { failureMessage } from "../../src/evidence/results/failure-message.ts";
import { readProbes } from "../../src/evidence/results/probe.ts";
import type { TestResult } from "../../src/core/evidence/result.ts";
import { keepingProbes, probed, probesIn } from "../../src/evidence/probes/probes.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Reported tests in the order of each process. */
  readonly reported: readonly unknown[];
  /** Shortened failure messages by test name. */
  readonly messages: Readonly<Record<string, string>>;
  /** Failed tests as the probes sent them. */
  readonly failures: readonly TestResult[];
}

/** A small project with the probes beside it. The paths contain characters that need quotes. */
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

  /** This project's vitest in a separate package directory, because it caches test durations there. */
  withVitest(): this {
    fs.mkdirSync(join(this.root, "node_modules/.bin"), { recursive: true });
    fs.symlinkSync(
      join(import.meta.dirname, "../../node_modules/vitest"),
      join(this.root, "node_modules/vitest"),
    );
    fs.symlinkSync("../vitest/vitest.mjs", join(this.root, "node_modules/.bin/vitest"));
    return this;
  }

  /** Runs without the probes, so nothing is reported. */
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
    const reported = lines.map((line): unknown => {
      const { test, ...entry } = JSON.parse(line) as { test?: TestResult };
      return test === undefined
        ? entry
        : { test: { suite: test.suite, name: test.name, status: test.status } };
    });
    return { code: status, stdout, stderr, reported, messages, failures };
  }

  write(path: string, text: string): void {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

/** A test as reported. */
export const reportedTest = (suite: string, name: string, status: "passed" | "failed" | "skipped") => ({
  test: { suite, name, status },
});

export const exits = ({ reported: lines }: Ran): unknown[] =>
  lines.filter((line) => typeof line === "object" && line !== null && "exit" in line);

/** The visible output without durations and paths. */
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
      // Whether Node's own queue calls a test is not part of the test's output.
      .replaceAll(/^.*\bprocessTicksAndRejections\b.*\n/gm, "")
      .replaceAll(/\d\d:\d\d:\d\d/g, "clock")
      .replaceAll(/(time, |transform|setup|import|tests|environment)+ time/g, "parts")
  );
}
