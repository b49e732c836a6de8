import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ExitCode } from "../../src/platform/outcome.ts";
import { openPack, PackChanged, readPacked, writePack } from "../../src/platform/git/pack.ts";
import { Rooms } from "./rooms.ts";

function packed() {
  const rooms = new Rooms();
  rooms.write("a", "one");
  rooms.write("empty", "");
  rooms.write("bin/run", "#!", 0o755);
  rooms.write("\udcff\n", "odd");
  fs.symlinkSync("to/nowhere", join(rooms.root, "link"));
  fs.symlinkSync("a", join(rooms.root, "alias"));
  const paths = ["a", "empty", "bin/run", "\udcff\n", "link", "alias"];
  return { rooms, path: join(rooms.base, "pack"), paths };
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("a pack", () => {
  test("restores the original files, whatever became of them, also in another process", () => {
    const { rooms, path, paths } = packed();
    const pack = writePack(path, rooms.root, paths);
    fs.rmSync(rooms.root, { recursive: true });
    for (const opened of [pack, openPack(pack.kept)]) {
      const read = paths.map((name) => opened && readPacked(opened, name));
      expect(read.map((each) => each && `${each.kind} ${each.bytes.toString()}`)).toEqual([
        "file one",
        "file ",
        "program #!",
        "file odd",
        "link to/nowhere",
        "link a",
      ]);
      expect(opened && readPacked(opened, "b")).toBeNull();
    }
  });

  test("is identified by its length and digest, and there is no other file", () => {
    const { rooms, path, paths } = packed();
    const { kept } = writePack(path, rooms.root, paths);
    const bytes = fs.readFileSync(path);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(kept).toEqual({ path, bytes: bytes.length, sha256 });
    expect(fs.readdirSync(rooms.base).sort()).toEqual(["pack", "tree"]);
  });

  test("leaves out large files, non-files and missing ones, and says so", () => {
    const { rooms, path } = packed();
    rooms.write("large", "");
    fs.truncateSync(join(rooms.root, "large"), 16 * 1024 * 1024 + 1);
    spawnSync("mkfifo", [join(rooms.root, "pipe")]);
    const wanted = ["a", "large", "pipe", "bin", "none", "link/x"];
    const { entries, leftOut, kept } = writePack(path, rooms.root, wanted);
    expect([...entries.keys()]).toEqual(["a"]);
    expect(leftOut).toEqual(["large", "pipe", "bin", "none", "link/x"]);
    expect(openPack(kept)?.leftOut).toEqual(leftOut);
  });

  test("is bounded, and contains the first files", () => {
    const { rooms, path } = packed();
    rooms.write("first", "12345");
    rooms.write("second", "123456");
    const { entries, leftOut } = writePack(path, rooms.root, ["first", "second", "a", "link", "empty"], 8);
    expect([...entries.keys()]).toEqual(["first", "a", "link"]);
    expect(leftOut).toEqual(["second", "empty"]);
  });

  test("does not read a changed pack", () => {
    const { rooms, path, paths } = packed();
    const pack = writePack(path, rooms.root, paths);
    const bytes = fs.readFileSync(path);
    const at = pack.entries.get("a")?.offset ?? 0;
    fs.writeFileSync(
      path,
      Buffer.concat([bytes.subarray(0, at), Buffer.from("ONE"), bytes.subarray(at + 3)]),
    );
    expect(openPack(pack.kept)).toBeNull();
    expect(() => readPacked(pack, "a")).toThrow(PackChanged);
    expect(readPacked(pack, "bin/run")?.bytes.toString()).toBe("#!");
    fs.writeFileSync(path, Buffer.concat([bytes, Buffer.from("x")]));
    expect(openPack(pack.kept)).toBeNull();
    // The offset of the list of contents is at the end of the file.
    fs.writeFileSync(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from("x")]));
    expect(openPack(pack.kept)).toBeNull();
    fs.rmSync(path);
    expect(openPack(pack.kept)).toBeNull();
    expect(() => readPacked(pack, "empty")).toThrow(PackChanged);
  });

  test("that was altered is an expected failure, and names the file", () => {
    const { rooms, path, paths } = packed();
    const pack = writePack(path, rooms.root, paths);
    fs.truncateSync(path);
    const failure = thrownBy(() => readPacked(pack, "a"));
    expect(failure).toMatchObject({ code: "base_changed", about: { path }, exitCode: ExitCode.state });
  });
});
