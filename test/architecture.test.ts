import fs from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { eventDefinitions } from "../src/core/events/index.ts";
import { MODES } from "../src/modes/registry.ts";

const SRC = join(import.meta.dirname, "..", "src");

/** From the inside out: a file may import from its own folder and from layers before it, but not from neighbours in its layer. */
const LAYERS: readonly (readonly string[])[] = [
  ["text"],
  ["platform"],
  ["core"],
  ["evidence", "agents"],
  ["engine"],
  ["ui"],
  ["modes"],
  ["screens"],
  ["cli"],
];
/** Modules without imports that every layer may use. */
const LEAVES = new Set(["version"]);

/** Files without side effects. Their runtime imports must be equally pure, or one of the pure packages. */
const PURE: readonly RegExp[] = [
  /^text\//,
  /^core\/(?!journal\/)/,
  /^evidence\/(?:[^/]+\.ts|(?:dependencies|ends|protected|results|words)\/.*)$/,
  /^modes\/[^/]+\/(?:.*(?:policy|legality|fold|rules|verdict)[^/]*\.ts|words\/.*|rules\/.*)$/,
];
const PURE_PACKAGES: ReadonlySet<string> = new Set(["unbash", "zod"]);

/** These write, run and judge with our own code only. */
const WITHOUT_PACKAGES: readonly RegExp[] = [
  /^platform\/(?:files|git|process)\//,
  /^core\/journal\//,
  /^evidence\/(?!ends\/|protected\/|receipt\/|report\/)/,
  /^engine\//,
];

/** These show any mode and reach it through its view. */
const SHOWING = /^(?:ui|screens)\//;
const MODE_INTERFACE: ReadonlySet<string> = new Set(["modes/mode.ts", "modes/registry.ts"]);

const MODE_NAMES: readonly string[] = MODES.map(({ rules }) => rules.name);
const EQUALITY = new Set(["===", "!==", "==", "!="]);

interface Import {
  readonly from: string;
  /** A type import, which does not exist at run time. */
  readonly isType: boolean;
  /** A file relative to src/, a package, or a Node module. */
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
const asts = new Map(
  files.map((file) => [file, parseAst(fs.readFileSync(join(SRC, file), "utf8"), { lang: "ts" })]),
);
const importsByFile = new Map(files.map((file) => [file, importsOf(file)]));
const imports = [...importsByFile.values()].flat();
const ours = imports.filter(({ to }) => to.endsWith(".ts"));

/** Static, dynamic and re-exporting imports, including type imports. */
function importsOf(file: string): Import[] {
  const found: Import[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    else if (isNode(node)) {
      const name = IMPORTING.has(node.type) ? literal(node["source"]) : undefined;
      if (name !== undefined) found.push({ from: file, to: resolved(file, name), isType: isOfTypes(node) });
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(asts.get(file));
  return found;
}

/** The strings of a file's code and types. */
function literalsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    else if (isNode(node)) {
      const text = literal(node);
      if (text !== undefined) found.push(text);
      for (const value of Object.values(node)) visit(value);
    }
  };
  visit(asts.get(file));
  return found;
}

function isOfTypes(node: Record<string, unknown>): boolean {
  return node["importKind"] === "type" || node["exportKind"] === "type" || node["type"] === "TSImportType";
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

/** All import cycles, each once. */
function cycles(): string[] {
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) found.add(canonical(path.slice(path.indexOf(file))));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of importsByFile.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return [...found];
}

function canonical(cycle: readonly string[]): string {
  const first = cycle.indexOf([...cycle].sort()[0] ?? "");
  return [...cycle.slice(first), ...cycle.slice(0, first)].join(" → ");
}

const MODE_FOLDERS = new Set<string | undefined>(["supervise", "steps", "orchestrate", "chat"]);

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

  test("nothing outside of modes/ compares the names of modes", () => {
    expect(MODE_NAMES).toHaveLength(5);
    expect(comparedModes()).toEqual([]);
  });

  test("a mode imports no other mode", () => {
    const modeOf = (file: string): string | undefined => /^modes\/([^/]+)\/[^/]/.exec(file)?.[1];
    const ofModes = ours.filter(
      ({ from, to }) => MODE_FOLDERS.has(modeOf(from)) && MODE_FOLDERS.has(modeOf(to)),
    );
    expect(ofModes.length).toBeGreaterThan(200);
    const wrong = ofModes.filter(({ from, to }) => modeOf(from) !== modeOf(to));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("ui and screens import no mode", () => {
    const shown = ours.filter(({ from }) => SHOWING.test(from));
    expect(shown.length).toBeGreaterThan(200);
    const wrong = shown.filter(({ to }) => to.startsWith("modes/") && !MODE_INTERFACE.has(to));
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("ui and screens name no event of a single mode", () => {
    const types = eventDefinitions().filter(({ owner }) => owner !== "core" && owner !== "evidence");
    const ofModes = new Set(types.map(({ type }) => type));
    expect(ofModes.size).toBeGreaterThan(12);
    const showing = files.filter((file) => SHOWING.test(file));
    const named = showing.flatMap((file) =>
      literalsIn(file)
        .filter((text) => ofModes.has(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(named).toEqual([]);
  });

  test("decisions import nothing with effects", () => {
    const pure = files.filter((file) => PURE.some((pattern) => pattern.test(file)));
    expect(pure.length).toBeGreaterThan(200);
    expect(pure.flatMap((file) => wayToEffects(file, []) ?? [])).toEqual([]);
  });

  test("reaches the effects through Node alone", () => {
    const effects = imports.filter(({ from }) => WITHOUT_PACKAGES.some((pattern) => pattern.test(from)));
    expect(effects.length).toBeGreaterThan(500);
    expect(effects.filter(({ to }) => isForeign(to) && !to.startsWith("node:"))).toEqual([]);
  });
});

describe("the source files that the benchmark and the scripts name", () => {
  test("exist", () => {
    const repo = dirname(SRC);
    const named = ["bench", "scripts"].flatMap((folder) =>
      fs.readdirSync(join(repo, folder)).flatMap((name) => {
        const text = fs.readFileSync(join(repo, folder, name), "utf8");
        return text.match(/\bsrc\/[\w/-]+\.ts\b/g) ?? [];
      }),
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((path) => !fs.existsSync(join(repo, path)))).toEqual([]);
  });
});

/** `file: "name"` for code outside of the modes that checks the mode. */
function comparedModes(): string[] {
  const found: string[] = [];
  for (const file of files.filter((name) => !name.startsWith("modes/"))) {
    const note = (one: unknown, other: unknown): void => {
      const name = literal(other);
      if (isMode(one) && name !== undefined && MODE_NAMES.includes(name)) found.push(`${file}: ${name}`);
    };
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) for (const item of node) visit(item);
      else if (isNode(node)) {
        const { left, right, discriminant } = node;
        if (node.type === "BinaryExpression" && EQUALITY.has(String(node["operator"]))) {
          note(left, right);
          note(right, left);
        }
        if (node.type === "SwitchStatement" && Array.isArray(node["cases"]))
          for (const one of node["cases"]) if (isNode(one)) note(discriminant, one["test"]);
        for (const value of Object.values(node)) visit(value);
      }
    };
    visit(asts.get(file));
  }
  return found;
}

/** `mode`, `settings.mode`, `settings?.mode`. */
function isMode(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === "ChainExpression") return isMode(node["expression"]);
  return node["name"] === "mode" || (node.type === "MemberExpression" && isMode(node["property"]));
}

function isForeign(to: string): boolean {
  return !to.endsWith(".ts") && !to.endsWith("?raw");
}

/** Files that lead to no effect, or are being looked at. */
const harmless = new Set<string>();

/** A chain of imports from a file to Node or to a package with side effects; null: none. */
function wayToEffects(file: string, before: readonly string[]): string | null {
  if (harmless.has(file)) return null;
  harmless.add(file);
  const way = [...before, file];
  for (const { to, isType } of importsByFile.get(file) ?? []) {
    if (isType || PURE_PACKAGES.has(to) || to.endsWith("?raw")) continue;
    const further = isForeign(to) ? [...way, to].join(" → ") : wayToEffects(to, way);
    if (further === null) continue;
    harmless.delete(file);
    return further;
  }
  return null;
}
