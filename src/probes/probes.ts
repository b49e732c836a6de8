import { join } from "node:path";
import assertions from "./assertions.cjs?raw";
import exits from "./exits.cjs?raw";
import givers from "./givers.cjs?raw";
import jestResults from "./jest-results.cjs?raw";
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
import runnerArguments from "./runner-arguments.cjs?raw";
import tell from "./tell.cjs?raw";
import vitestReporter from "./vitest-reporter.mjs?raw";

/** Files to be written below a directory of the room, and the environment that has test processes load them. */
export interface Probes {
  /** Texts by path, relative to the directory. */
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const FILES: Probes["files"] = {
  "assertions.cjs": assertions,
  "exits.cjs": exits,
  "givers.cjs": givers,
  "jest-results.cjs": jestResults,
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
  "runner-arguments.cjs": runnerArguments,
  "tell.cjs": tell,
  "vitest-reporter.mjs": vitestReporter,
};

/**
 * `root` is that of the work tree, as processes in the room see it; results appear in `resultsDir`, which has to exist.
 *
 * Go is left out: GOFLAGS=-json reaches `go list`, `go env` and `go vet` as well, and changes what they print.
 */
export function probesIn(dir: string, resultsDir: string, root: string): Probes {
  return {
    files: FILES,
    env: {
      AGENT_FOREMAN_TESTS: resultsDir,
      AGENT_FOREMAN_ROOT: root,
      NODE_OPTIONS: `--require ${quoted(join(dir, "node-preload.cjs"))}`,
      PYTHONPATH: join(dir, "python"),
    },
  };
}

/** As Node reads NODE_OPTIONS: between quotes a backslash takes the next character as it is. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
