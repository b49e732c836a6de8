import fs from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");

/**
 * From the inside out: a file may import from its own part and from the parts of the layers before it. Parts of one layer
 * do not know each other.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["domain"],
  ["policies"],
  ["files"],
  [
    "agents",
    "board",
    "checks",
    "config",
    "i18n",
    "journal",
    "probes",
    "process",
    "prompts",
    "steps",
    "terminal",
    "workspace",
  ],
  ["reports"],
  ["reporters"],
  ["views"],
  ["engine"],
  ["commands"],
  ["cli"],
];
/** Facts that everybody may look at and that look at nobody. */
const LEAVES = new Set(["version", "demo"]);

/** What writes, runs and decides is written by hand. */
const EFFECTS = new Set(["board", "engine", "files", "journal", "process", "steps", "workspace"]);

interface Import {
  readonly from: string;
  /** A file of ours, relative to src/, or the name of a package or of a module of Node's. */
  readonly to: string;
}

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

const files = fs
  .readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"));
const imports = files.flatMap((file) => importsOf(file));
const ours = imports.filter(({ to }) => to.endsWith(".ts"));

/** Static, dynamic and re-exporting imports, of types as well. */
function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const source = fs.readFileSync(join(SRC, file), "utf8");
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    else if (isNode(node)) {
      const name = IMPORTING.has(node.type) ? literal(node["source"]) : undefined;
      if (name !== undefined) found.push({ from: file, to: resolved(file, name) });
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(parseAst(source, { lang: "ts" }));
  return found;
}

function isNode(value: unknown): value is Record<string, unknown> & { type: string } {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function literal(value: unknown): string | undefined {
  return isNode(value) && typeof value["value"] === "string" ? value["value"] : undefined;
}

function resolved(file: string, name: string): string {
  return name.startsWith(".") ? relative(SRC, resolve(SRC, dirname(file), name)) : name;
}

function partOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.slice(0, -".ts".length);
}

function layerOf(part: string): number {
  return LAYERS.findIndex((parts) => parts.includes(part));
}

function mayImport(from: string, to: string): boolean {
  if (from === to || LEAVES.has(to)) return true;
  return !LEAVES.has(from) && layerOf(to) < layerOf(from);
}

/** The cycles that a walk finds, each told once. */
function cycles(): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.add(canonical(path.slice(path.indexOf(file))));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of ours.filter(({ from }) => from === file)) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return [...found];
}

function canonical(cycle: readonly string[]): string {
  const first = cycle.indexOf([...cycle].sort()[0] ?? "");
  return [...cycle.slice(first), ...cycle.slice(0, first)].join(" → ");
}

describe("the import graph of src/", () => {
  test("is seen: every import of ours leads to a file, and every file belongs to a layer", () => {
    expect(imports.length).toBeGreaterThan(files.length);
    expect(ours.map(({ to }) => to).filter((to) => !files.includes(to))).toEqual([]);
    const parts = new Set(files.map((file) => partOf(file)));
    expect([...parts].filter((part) => layerOf(part) < 0 && !LEAVES.has(part))).toEqual([]);
  });

  test("goes one way", () => {
    const wrong = ours.filter(({ from, to }) => !mayImport(partOf(from), partOf(to)));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("has no cycle", () => {
    expect(cycles()).toEqual([]);
  });

  test("ends at domain and policies: they import nothing from outside, not even from Node", () => {
    const pure = imports.filter(({ from }) => ["domain", "policies"].includes(partOf(from)));
    expect(pure.filter(({ to }) => !to.endsWith(".ts"))).toEqual([]);
  });

  test("reaches the effects through Node alone", () => {
    const effects = imports.filter(({ from }) => EFFECTS.has(partOf(from)));
    expect(effects.filter(({ to }) => !to.endsWith(".ts") && !to.startsWith("node:"))).toEqual([]);
  });
});
