import fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { fileId, ownOutput } from "../../src/platform/files/own-output.ts";
import { project } from "./looking.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("knows the files of our own outputs even if other processes cannot be inspected", () => {
  const rig = project();
  const log = fs.statSync(rig.write("run.log", ""), { bigint: true });
  const { fstatSync, readFileSync } = fs;
  vi.spyOn(fs, "fstatSync").mockImplementation(((fd: number, options: { bigint: true }) => {
    if (fd === 1) throw new Error("closed");
    return fd === 2 ? log : fstatSync(fd, options);
  }) as typeof fs.fstatSync);
  vi.spyOn(fs, "readFileSync").mockImplementation(((path: string, encoding: "latin1") => {
    if (path.startsWith("/proc/")) throw new Error("there is no /proc");
    return readFileSync(path, encoding);
  }) as typeof fs.readFileSync);
  expect([...ownOutput()]).toEqual([fileId(log)]);
});
