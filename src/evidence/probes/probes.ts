import { join } from "node:path";
import { shellQuoted } from "../../text/shell-quote.ts";
import assertions from "./assertions.cjs?raw";
import exits from "./exits.cjs?raw";
import givers from "./givers.cjs?raw";
import goTest from "./go-test.cjs?raw";
import goTestProgram from "./go-test.sh?raw";
import jestResults from "./jest-results.cjs?raw";
import listeners from "./listeners.cjs?raw";
import messages from "./messages.cjs?raw";
import mocha from "./mocha.cjs?raw";
import nodePreload from "./node-preload.cjs?raw";
import nodeTest from "./node-test.cjs?raw";
import places from "./places.cjs?raw";
import gone from "./python/agent_foreman_gone.py?raw";
import leaving from "./python/agent_foreman_leaving.py?raw";
import plugins from "./python/agent_foreman_plugins.py?raw";
import probe from "./python/agent_foreman_probe.py?raw";
import pytest from "./python/agent_foreman_pytest.py?raw";
import program from "./python/agent_foreman_program.py?raw";
import replaced from "./python/agent_foreman_replaced.py?raw";
import unittest from "./python/agent_foreman_unittest.py?raw";
import sitecustomize from "./python/sitecustomize.py?raw";
import usercustomize from "./python/usercustomize.py?raw";
import runnerArguments from "./runner-arguments.cjs?raw";
import surroundings from "./surroundings.cjs?raw";
import report from "./report.cjs?raw";
import vitestReporter from "./vitest-reporter.mjs?raw";

/** Files to write below a directory of the room, and the environment that makes test processes load them. */
export interface Probes {
  /** Texts by path, relative to the directory. Those that begin with `#!` are programs. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Precedes other values of these variables, separator included. */
  readonly first: Readonly<Record<string, string>>;
}

const FILES: Probes["files"] = {
  "assertions.cjs": assertions,
  "exits.cjs": exits,
  "givers.cjs": givers,
  "go-test.cjs": goTest,
  "go-test.sh": goTestProgram,
  "jest-results.cjs": jestResults,
  "listeners.cjs": listeners,
  "messages.cjs": messages,
  "mocha.cjs": mocha,
  "node-preload.cjs": nodePreload,
  "node-test.cjs": nodeTest,
  "places.cjs": places,
  "python/agent_foreman_gone.py": gone,
  "python/agent_foreman_leaving.py": leaving,
  "python/agent_foreman_plugins.py": plugins,
  "python/agent_foreman_probe.py": probe,
  "python/agent_foreman_pytest.py": pytest,
  "python/agent_foreman_program.py": program,
  "python/agent_foreman_replaced.py": replaced,
  "python/agent_foreman_unittest.py": unittest,
  "python/sitecustomize.py": sitecustomize,
  "python/usercustomize.py": usercustomize,
  "runner-arguments.cjs": runnerArguments,
  "surroundings.cjs": surroundings,
  "report.cjs": report,
  "vitest-reporter.mjs": vitestReporter,
};

/** `root`: the work tree's path as processes in the room see it. Results appear in `resultsDir`, which has to exist. */
export function probesIn(dir: string, resultsDir: string, root: string): Probes {
  const first = {
    NODE_OPTIONS: `--require ${quoted(join(dir, "node-preload.cjs"))} `,
    PYTHONPATH: `${join(dir, "python")}:`,
    ...goFlags(join(dir, "go-test.sh")),
  };
  return {
    files: FILES,
    env: {
      AGENT_FOREMAN_TESTS: resultsDir,
      AGENT_FOREMAN_ROOT: root,
      AGENT_FOREMAN_NODE: process.execPath,
      AGENT_FOREMAN_PUT: JSON.stringify({ first, assigned: assignmentOf(Object.keys(first)).source }),
    },
    first,
  };
}

/**
 * Not `-json`: `go vet`, `go list` and `go build` accept it too, and then print something else. Cached results would appear without a run.
 * Older versions cannot read a path with a space.
 */
function goFlags(runner: string): Record<string, string> {
  return /[\s"']/.test(runner) ? {} : { GOFLAGS: `-exec=${runner} -count=1 ` };
}

/** Adds the variables that make processes load the probes. */
export function probed(
  env: Readonly<Record<string, string>>,
  { env: own, first }: Probes,
): Record<string, string> {
  const values = Object.entries(first).map(([name, value]) => [
    name,
    env[name] === undefined ? value.slice(0, -1) : value + env[name],
  ]);
  return { ...env, ...own, ...Object.fromEntries(values) };
}

/** Puts our values before those that the command sets itself (`PYTHONPATH=src pytest`). */
export function keepingProbes(command: string, { first }: Probes): string {
  return command.replace(
    assignmentOf(Object.keys(first)),
    (_, name: string) => `${name}=${shellQuoted(first[name] ?? "")}`,
  );
}

const QUOTED = String.raw`'[^']*'|"[^"\\\x60$]*"`;

/** Matches an assignment to one of these variables, also by `env`, in a place that is certainly a command. */
function assignmentOf(names: readonly string[]): RegExp {
  const before = String.raw`^(?:[^'"\\\x60]|${QUOTED})*`;
  const starts = String.raw`(?:^|[;&|(\n]|\b(?:env|export|cross-env(?:-shell)?)\s)\s*`;
  const others = String.raw`(?:\w+=(?:[^\s;&|'"\\\x60]|${QUOTED})*\s+)*`;
  return new RegExp(`(?<=${before}${starts}${others})(${names.join("|")})=(?=\\S)`, "g");
}

/** As Node reads NODE_OPTIONS: between quotes a backslash escapes the next character. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
