import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { detectAgents, detectTests } from "../../src/cli/config/detect.ts";
import { Places } from "./fixtures.ts";

const scripts = (entries: Record<string, string>): string => JSON.stringify({ scripts: entries });
const same = (command: string) => ({ fast: [command], full: [command] });

test.each<[string, Record<string, string>, { fast: string[]; full: string[] }]>([
  ["nothing", {}, { fast: [], full: [] }],
  ["npm", { "package.json": scripts({ test: "vitest" }) }, same("npm test")],
  [
    "npm's stand-in",
    { "package.json": scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    { fast: [], full: [] },
  ],
  [
    "unit tests",
    { "package.json": scripts({ test: "x", "test:unit": "y" }) },
    { fast: ["npm run test:unit"], full: ["npm test"] },
  ],
  [
    "all kinds",
    { "package.json": scripts({ test: "x", "test:unit": "y", "test:fast": "z", "test:all": "a" }) },
    { fast: ["npm run test:fast"], full: ["npm run test:all"] },
  ],
  ["only unit tests", { "package.json": scripts({ "test:unit": "y" }) }, same("npm run test:unit")],
  ["pnpm", { "package.json": scripts({ test: "x" }), "pnpm-lock.yaml": "" }, same("pnpm run test")],
  ["yarn", { "package.json": scripts({ test: "x" }), "yarn.lock": "" }, same("yarn run test")],
  ["bun", { "package.json": scripts({ test: "x" }), "bun.lock": "" }, same("bun run test")],
  ["a broken manifest", { "package.json": "{" }, { fast: [], full: [] }],
  ["a strange manifest", { "package.json": "null" }, { fast: [], full: [] }],
  ["a stranger one", { "package.json": '{"scripts":{"test":5}}' }, { fast: [], full: [] }],
  ["cargo", { "Cargo.toml": "" }, same("cargo test")],
  ["go", { "go.mod": "" }, same("go test ./...")],
  ["pytest", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, same("pytest")],
  [
    "pytest by uv",
    { "pyproject.toml": "[dependency-groups]\ndev = ['pytest']\n", "uv.lock": "" },
    same("uv run pytest"),
  ],
  ["pytest by poetry", { "pytest.ini": "", "poetry.lock": "" }, same("poetry run pytest")],
  ["python without pytest", { "pyproject.toml": "[project]\n" }, { fast: [], full: [] }],
  ["make", { Makefile: "all:\n\ntest: all\n\tx\n" }, same("make test")],
  ["a Makefile that only sets test", { Makefile: "test := x\n" }, { fast: [], full: [] }],
  [
    "several languages",
    { "Cargo.toml": "", "go.mod": "", Makefile: "test:\n" },
    { fast: ["cargo test", "go test ./..."], full: ["cargo test", "go test ./..."] },
  ],
])("tests of a project with %s", (_, files, expected) => {
  const places = new Places();
  for (const [name, text] of Object.entries(files)) places.write(join(places.project, name), text);
  expect(detectTests(places.project)).toEqual(expected);
});

test("agents are programs on PATH, in the order of the list", () => {
  const places = new Places();
  const bin = join(places.root, "bin");
  places.write(join(bin, "gemini"), "");
  places.write(join(bin, "claude"), "");
  places.write(join(bin, "codex"), "");
  fs.mkdirSync(join(bin, "qwen"));
  for (const name of ["gemini", "claude"]) fs.chmodSync(join(bin, name), 0o755);
  expect(detectAgents({ PATH: `:/nowhere:${bin}` })).toEqual(["claude", "gemini"]);
  expect(detectAgents({})).toEqual([]);
});
