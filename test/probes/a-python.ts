import { spawnSync } from "node:child_process";

/** The real path, because the name may be a script that searches for python each time. */
export const PYTHON = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], {
  encoding: "utf8",
}).stdout?.trim();
/** The modules of this python. */
const HAS: readonly string[] = spawnSync(
  PYTHON || "false",
  [
    "-c",
    `import sys
print("python" * (sys.version_info >= (3, 8)))
import pytest
print("pytest", "subtests" * (int(pytest.__version__.split(".")[0]) >= 9))`,
  ],
  { encoding: "utf8" },
).stdout.split(/\s+/);
export const without = (what: string): boolean => !HAS.includes(what);

export const PRODUCT = {
  "app/__init__.py": "",
  "app/core.py": "import os, sys\ndef hard(): os._exit(0)\ndef soft(): sys.exit(0)\n",
  "app/leaves.py": "import sys\nsys.exit(0)\n",
  "tests/__init__.py": "",
};
