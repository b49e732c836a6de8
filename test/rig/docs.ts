import fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CLI, Rig } from "./rig.ts";

export const REPO = join(CLI, "..", "..");
export const read = (name: string): string => fs.readFileSync(join(REPO, name), "utf8");
export const words = (text: string): string[] => text.trim().split(/\s+/);

export function expectNamed(file: string, names: readonly string[]): void {
  const text = read(file);
  expect(
    names.filter((name) => !text.includes(name)),
    `not in ${file}`,
  ).toEqual([]);
}

/** The part of a document below a heading, up to the next one. Ignores headings in code blocks. */
export function section(file: string, heading: string): string {
  const [, text] = read(file).split(`\n${heading}\n`);
  expect(text, `${heading} in ${file}`).toBeDefined();
  const outside = text?.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll("#", "-")) ?? "";
  const end = outside.search(/^#{1,3} /m);
  return text?.slice(0, end < 0 ? undefined : end) ?? "";
}

/** The rows of the first table of a text, without its header. */
export function rows(text: string): string[][] {
  const table = /(?:^\|.*\n)+/m.exec(text)?.[0] ?? "";
  const lines = table.trimEnd().split("\n").slice(2);
  return lines.map((line) => line.slice(2, -2).split(/(?<!\\) \| /));
}

export const codes = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");
export const flagsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag)),
];

export async function help(...command: string[]): Promise<string> {
  return (await new Rig().run([...command, "--help"])).stdout;
}

/** The flags of a command from its own help, ignoring flags in descriptions. */
export async function flagsOf(command: string): Promise<string[]> {
  const text = await help(command);
  return [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)]
    .map(([, flag]) => flag ?? "")
    .filter((flag) => flag !== "--help");
}

/** A shipped schema with its references resolved. */
export function shippedSchema(name: string): unknown {
  const { $defs, ...schema } = JSON.parse(read(`schemas/${name}.schema.json`)) as {
    $defs?: Record<string, unknown>;
  };
  const expanded = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(expanded);
    const { $ref, ...rest } = value as { $ref?: string };
    const referred = $ref ? (expanded($defs?.[$ref.replace("#/$defs/", "")]) as object) : {};
    const own = Object.entries(rest).map(([key, inner]) => [key, expanded(inner)]);
    return { ...referred, ...Object.fromEntries(own) };
  };
  return expanded(schema);
}

/** A part of a shipped schema, found by its path of names. */
export function enumOf(schema: string, ...names: string[]): unknown {
  const found = properties(shippedSchema(schema), []).find(
    ({ path }) => names.every((name) => path.includes(name)) && path.at(-1) === names.at(-1),
  );
  return (found?.value as { enum?: unknown } | undefined)?.enum;
}

interface Property {
  readonly path: readonly string[];
  readonly value: unknown;
}

export function properties(value: unknown, path: readonly string[]): Property[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== "properties") return properties(inner, path);
    return Object.entries(inner as object).flatMap(([name, property]) => [
      { path: [...path, name], value: property as unknown },
      ...properties(property, [...path, name]),
    ]);
  });
}

/** Every string that a schema allows as a value. */
export function values(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "const" && typeof inner === "string") return [inner];
    if (key === "enum") return (inner as unknown[]).filter((word) => typeof word === "string");
    return values(inner);
  });
}

export function endReasons(): string[] {
  const schema = shippedSchema("run-report") as {
    properties: { end_reason: unknown };
  };
  return values(schema.properties.end_reason);
}
