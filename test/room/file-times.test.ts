import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { programStamps } from "../../src/evidence/base/programs.ts";
import { ignoredStamps, type Stamps } from "../../src/platform/git/stamps.ts";
import { Rooms } from "./rooms.ts";

const FOLDERS = 10;
/** So many that a thread helps. */
const FILES = 500;

const rooms = new Rooms("tree", false);
rooms.write(".gitignore", "out/\n");
for (let folder = 0; folder < FOLDERS; folder++)
  for (let file = 0; file < FILES; file++) rooms.write(`out/${folder}/${file}`, "x");
rooms.commitAll();
afterAll(() => fs.rmSync(rooms.base, { recursive: true }));

const look = (): Stamps => {
  const stamps = ignoredStamps(rooms.root, { excludesFile: "/dev/null" });
  if (!stamps) throw new Error("too many");
  return stamps;
};

/** Looks until the thread has started and nothing is too new to be trusted. */
async function settled(): Promise<Stamps> {
  await wait(100);
  for (let count = 0; count < 3; count++) look();
  await wait(100);
  return look();
}

const placeOf = (path: string): string => join(rooms.root, "out", path);

describe("many ignored files", () => {
  test("are not listed again if nothing was touched", async () => {
    const before = await settled();
    expect(look()).toBe(before);
  });

  const changes: Readonly<Record<string, readonly [() => void, string]>> = {
    "a changed first file": [() => fs.writeFileSync(placeOf("0/0"), "y"), "0/0"],
    "a changed last file": [() => fs.writeFileSync(placeOf("9/99"), "y"), "9/99"],
    "an old time": [() => fs.utimesSync(placeOf("5/250"), 1, 1), "5/250"],
    "other permissions": [() => fs.chmodSync(placeOf("5/251"), 0o755), "5/251"],
    "a new file": [() => fs.writeFileSync(placeOf("7/new"), ""), "7/new"],
    "a removed file": [() => fs.rmSync(placeOf("3/3")), "3/3"],
    "a removed folder": [() => fs.rmSync(placeOf("8"), { recursive: true }), "8"],
    "a file that replaces a folder": [
      () => {
        fs.rmSync(placeOf("6"), { recursive: true });
        fs.writeFileSync(placeOf("6"), "");
      },
      "6",
    ],
  };
  test.each(Object.entries(changes))("show %s", async (_, [change, path]) => {
    const before = await settled();
    change();
    const now = look();
    expect(now.get(`out/${path}`)).not.toBe(before.get(`out/${path}`));
  });
});

describe("programs on PATH", () => {
  const bin = join(rooms.base, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "tool"), "", { mode: 0o755 });
  fs.writeFileSync(join(bin, "text"), "", { mode: 0o644 });
  fs.symlinkSync("../elsewhere", join(bin, "link"));
  const programs = (): Stamps => programStamps(`${bin}:${join(rooms.base, "none")}`, rooms.root);

  const changes: Readonly<Record<string, () => void>> = {
    "a changed program": () => fs.writeFileSync(join(bin, "tool"), "exit 0"),
    "a file that became a program": () => fs.chmodSync(join(bin, "text"), 0o755),
    "a target that appeared": () => fs.writeFileSync(join(rooms.base, "elsewhere"), "", { mode: 0o755 }),
    "a new program": () => fs.writeFileSync(join(bin, "new"), "", { mode: 0o755 }),
    "a new directory": () => fs.mkdirSync(join(rooms.base, "none")),
  };
  test.each(Object.entries(changes))("show %s", async (_, change) => {
    await wait(100);
    const before = programs();
    expect(programs()).toBe(before);
    change();
    expect(programs()).not.toBe(before);
  });
});
