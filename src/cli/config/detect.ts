import fs from "node:fs";
import { join } from "node:path";
import { ADAPTERS, type AdapterName } from "../../core/agent-profile.ts";
import { isRunnable } from "../../platform/files/tools.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";

export interface TestCommands {
  readonly fast: readonly string[];
  readonly full: readonly string[];
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Guesses the project's test commands. A Makefile only counts alone, because it usually calls the other tools. */
export function detectTests(dir: string): TestCommands {
  const has = (name: string): boolean => fs.existsSync(join(dir, name));
  const read = (name: string): string =>
    tryReadPlainFile(join(dir, name), MAX_MANIFEST_BYTES)?.toString("utf8") ?? "";
  const found = [
    nodeTests(read("package.json"), has),
    same(has("Cargo.toml"), "cargo test"),
    same(has("go.mod"), "go test ./..."),
    same(usesPytest(read, has), pytestCommand(has)),
  ];
  const all = { fast: found.flatMap(({ fast }) => fast), full: found.flatMap(({ full }) => full) };
  return all.full.length > 0 ? all : same(/^test\s*:(?!=)/m.test(read("Makefile")), "make test");
}

function same(there: boolean, command: string): TestCommands {
  return there ? { fast: [command], full: [command] } : { fast: [], full: [] };
}

function nodeTests(manifest: string, has: (name: string) => boolean): TestCommands {
  const scripts = scriptsOf(manifest);
  const runner = runnerOf(has);
  const command = (...names: readonly string[]): readonly string[] => {
    const script = names.find((name) => scripts.has(name));
    if (script === undefined) return [];
    return [script === "test" && runner === "npm run" ? "npm test" : `${runner} ${script}`];
  };
  return {
    fast: command("test:fast", "test:unit", "test"),
    full: command("test:full", "test:all", "test", "test:unit", "test:fast"),
  };
}

/** `npm init` writes this placeholder, which is no test. */
const NO_TESTS = /no test specified/;

function scriptsOf(manifest: string): ReadonlySet<string> {
  try {
    const parsed = JSON.parse(manifest) as { scripts?: Record<string, unknown> } | null;
    const scripts = Object.entries(parsed?.scripts ?? {});
    return new Set(
      scripts.filter(([, text]) => typeof text === "string" && !NO_TESTS.test(text)).map(([name]) => name),
    );
  } catch {
    return new Set();
  }
}

function runnerOf(has: (name: string) => boolean): string {
  if (has("pnpm-lock.yaml")) return "pnpm run";
  if (has("yarn.lock")) return "yarn run";
  return has("bun.lock") || has("bun.lockb") ? "bun run" : "npm run";
}

function usesPytest(read: (name: string) => string, has: (name: string) => boolean): boolean {
  if (has("pytest.ini") || has("conftest.py") || has("tests/conftest.py")) return true;
  return ["pyproject.toml", "setup.cfg", "tox.ini", "requirements-dev.txt"].some((name) =>
    /\bpytest\b/.test(read(name)),
  );
}

function pytestCommand(has: (name: string) => boolean): string {
  if (has("uv.lock")) return "uv run pytest";
  return has("poetry.lock") ? "poetry run pytest" : "pytest";
}

/** Agents with their own program; each has the name of its adapter. */
export const INSTALLABLE: readonly AdapterName[] = ADAPTERS.filter(
  (name) => name !== "acp" && name !== "command",
);

export function detectAgents(env: NodeJS.ProcessEnv): readonly AdapterName[] {
  return INSTALLABLE.filter((name) => isRunnable(name, env));
}
