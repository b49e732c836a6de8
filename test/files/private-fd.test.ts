import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import { text } from "node:stream/consumers";
import type { ReadStream } from "node:tty";
import * as native from "@lydell/node-pty";
import { describe, expect, onTestFinished, test } from "vitest";
import { holdPrivate, spawnPrivately, type Stdio } from "../../src/platform/files/private-fd.ts";

/** Missing in its types. */
const { open } = native as unknown as {
  open: (options: { cols: number; rows: number }) => {
    readonly fd: number;
    readonly master: ReadStream;
    readonly slave: ReadStream;
  };
};

/** The master of a pseudo terminal. The native module creates it so that every program inherits it. */
function openMaster(): number {
  const { fd, master, slave } = open({ cols: 80, rows: 24 });
  for (const stream of [master, slave]) stream.on("error", () => undefined);
  onTestFinished(() => {
    for (const stream of [master, slave]) stream.destroy();
  });
  return fd;
}

function hold(fd: number): () => void {
  const giveUp = holdPrivate(fd);
  onTestFinished(giveUp);
  return giveUp;
}

const LIST = ["-c", "for fd in /proc/self/fd/*; do echo ${fd##*/} $(readlink $fd); done"];
const OUT: Stdio = ["ignore", "pipe", "ignore"];

/** The open files of a program by descriptor. */
async function given(child: ChildProcess): Promise<ReadonlyMap<number, string>> {
  if (!child.stdout) throw new Error("it says nothing");
  const lines = (await text(child.stdout)).trim().split("\n");
  return new Map(lines.map((line) => [Number.parseInt(line, 10), line.split(" ")[1] ?? ""]));
}

const MASTER = /ptmx/;

describe("a descriptor that no program of ours may get", () => {
  test("is inherited by every program otherwise", async () => {
    const fd = openMaster();
    expect((await given(spawn("/bin/sh", LIST, { stdio: [...OUT] }))).get(fd)).toMatch(MASTER);
    expect((await given(spawnPrivately("/bin/sh", LIST, { stdio: OUT }))).get(fd)).toMatch(MASTER);
  });

  test("is the null device to it", async () => {
    const masters = [openMaster(), openMaster()];
    masters.forEach(hold);
    const seen = await given(spawnPrivately("/bin/sh", LIST, { stdio: OUT }));
    expect(masters.map((fd) => seen.get(fd))).toEqual(["/dev/null", "/dev/null"]);
    expect([...seen.values()].filter((path) => MASTER.test(path))).toEqual([]);
  });

  test("is an ordinary one again once it was given up", async () => {
    const fd = openMaster();
    hold(fd)();
    expect((await given(spawnPrivately("/bin/sh", LIST, { stdio: OUT }))).get(fd)).toMatch(MASTER);
  });

  test("does not change a program's other descriptors, nor its input", async () => {
    const fd = openMaster();
    hold(fd);
    const child = spawnPrivately("/bin/sh", ["-c", 'read word; echo "$1 $word" >&3; exit 7', "sh", "hello"], {
      stdio: ["pipe", "ignore", "ignore", "pipe"],
    });
    const [stdin, , , third] = child.stdio;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (!stdin || !("end" in stdin)) throw new Error("nothing can be said to it");
    stdin.end("world\n");
    if (!third || !("read" in third)) throw new Error("it says nothing");
    expect([await text(third), await ended]).toEqual(["hello world\n", 7]);
  });

  test("costs no descriptor, also where a program cannot be started", async () => {
    hold(openMaster());
    const nulls = (): number => fs.readdirSync("/proc/self/fd").filter((fd) => isNull(fd)).length;
    const before = nulls();
    await given(spawnPrivately("/bin/sh", LIST, { stdio: OUT }));
    await new Promise((resolve) =>
      spawnPrivately("/nowhere/at/all", [], { stdio: OUT }).once("error", resolve),
    );
    expect(nulls()).toBe(before);
  });
});

function isNull(fd: string): boolean {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`) === "/dev/null";
  } catch {
    // The descriptor of the listing itself.
    return false;
  }
}
