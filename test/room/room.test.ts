import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { openRoom, wayIntoRooms } from "../../src/evidence/room/room.ts";
import { Bench, WAYS } from "../process/machine.ts";
import { roomCases } from "./cases.ts";
import { laid, Rooms } from "./rooms.ts";

roomCases("for whoever runs the tests", ["overlay", "copy"]);

/** Simulates a mount. Only the container sees the real mounts. */
function pretendMounted(...points: readonly string[]): void {
  const read = fs.readFileSync;
  const lines = points.map(
    (point) => `1 1 0:1 / ${point.replaceAll(" ", String.raw`\040`)} rw - tmpfs x rw\n`,
  );
  vi.spyOn(fs, "readFileSync").mockImplementation(((path: fs.PathLike, options: BufferEncoding) =>
    path === "/proc/self/mountinfo" ? lines.join("") : read(path, options)) as typeof fs.readFileSync);
}

describe.runIf(process.getuid?.() === 0)("an overlay, for root", () => {
  test("covers mounts in the tree as well", () => {
    const rooms = new Rooms();
    rooms.write("node modules/bad", "covered, and there, for whoever is not in the container");
    rooms.write("secret", "covered");
    rooms.write("whole/x", "covered");
    fs.mkdirSync(join(rooms.base, "volume"));
    for (const name of ["kept", "bad", "test"]) fs.writeFileSync(join(rooms.base, "volume", name), name);
    pretendMounted(...["node modules", "secret", "whole"].map((name) => join(rooms.root, name)));
    const { out, err } = rooms.run(
      "cd 'node modules'; ls; cat test ../secret; echo more >>kept; ls ..",
      { hidden: ["node modules/bad", "whole"], laid: [laid("node modules/test", "strong ")] },
      `mount --bind '${rooms.base}/volume' '${rooms.root}/node modules' && mount --bind '${rooms.base}/volume/kept' '${rooms.root}/secret' && `,
    );
    vi.restoreAllMocks();
    expect({ out, err }).toEqual({ out: "kept\ntest\nstrong keptnode modules\nsecret\n", err: "" });
    expect(fs.readFileSync(join(rooms.base, "volume", "kept"), "utf8")).toBe("kept");
  });

  test.each(["overlay", "other"])(
    "is in memory if the room is on an %s file system, which supports none",
    (system) => {
      const rooms = new Rooms();
      const names = ["gone/x", "deep/er/x\ny", "deep/er/z", "test"];
      for (const name of names) rooms.write(name, "weak ");
      for (const name of ["u", "w"]) fs.mkdirSync(join(rooms.base, name));
      const run = join(rooms.base, "run");
      // An empty PATH, so that no device is found, as on an overlay.
      if (system === "overlay") vi.stubEnv("PATH", "");
      const room = openRoom(
        rooms.spec({
          hidden: ["gone", "deep/er/x\ny"],
          laid: [laid("test", "strong ")],
          env: { PATH: "/usr/bin:/bin" },
        }),
      );
      vi.unstubAllEnvs();
      const refuse =
        system === "overlay"
          ? `mount -t overlay -o lowerdir=${run},upperdir=${rooms.base}/u,workdir=${rooms.base}/w x ${run}`
          : `mount -t tmpfs -o size=1m x ${room.cwd}/layers/0/work`;
      const { out, err } = rooms.enter(
        room,
        "cat test; ls . deep/er; mkdir gone && ls gone; mount | grep -c '/space type tmpfs'",
        `${refuse} && `,
      );
      expect({ out, err }).toEqual({ out: "strong .:\ndeep\ntest\n\ndeep/er:\nz\n1\n", err: "" });
    },
  );

  test("is never mounted where the foreman itself would see it", () => {
    const rooms = new Rooms();
    const mounts = (): string => fs.readFileSync("/proc/self/mountinfo", "utf8");
    const before = mounts();
    expect(
      wayIntoRooms((command) => ({ file: "/bin/sh", args: ["-c", command] }), rooms.base),
    ).not.toBeNull();
    expect(mounts()).toBe(before);
  });

  test("keeps owners, and who is root in it may give files away", () => {
    const rooms = new Rooms();
    rooms.write("t/a", "weak");
    fs.chownSync(join(rooms.root, "t"), 1, 2);
    fs.chownSync(join(rooms.root, "t", "a"), 3, 4);
    fs.chownSync(rooms.root, 5, 6);
    rooms.write("touched", "");
    fs.chownSync(join(rooms.root, "touched"), 9, 10);
    fs.chmodSync(join(rooms.root, "touched"), 0o4755);
    rooms.commitAll();
    const { out, err } = rooms.run(
      "stat -c '%u:%g %n' . t t/a t/new; stat -c '%u:%g %a' touched; git status --porcelain; chown 7:8 t/a && stat -c %u t/a",
      { laid: [laid("t/a", "weak"), laid("t/new", "")], touched: ["touched"] },
    );
    expect({ out, err }).toEqual({
      out: "5:6 .\n1:2 t\n3:4 t/a\n5:6 t/new\n9:10 4755\n?? t/new\n7\n",
      err: "",
    });
  });
});

test.each(WAYS)("a room is entered by every starter of commands: %s", async (way) => {
  const bench = new Bench(way);
  const rooms = new Rooms("it's\na tree");
  rooms.write("test", "weak");
  const room = openRoom(
    rooms.spec({ kind: way === "process group" ? "copy" : "overlay", laid: [laid("test", "strong")] }),
  );
  const { out, err, process } = await bench.run(room.command("cat test; exit 4"), { cwd: room.cwd });
  expect({ out, err, end: process.end }).toEqual({
    out: "strong",
    err: "",
    end: { kind: "exited", code: 4 },
  });
});

test("a repository of another format, and a shallow one, are understood", () => {
  const rooms = new Rooms();
  rooms.write("a", "a");
  rooms.git("init", "--quiet", "--object-format=sha256");
  rooms.commitAll();
  expect(rooms.run("git status --porcelain && git rev-parse HEAD | wc -c").out.trim()).toBe("65");

  const shallow = new Rooms();
  const from = new Rooms();
  from.write("a", "a");
  from.commitAll();
  from.git("commit", "--quiet", "--allow-empty", "--message", "More");
  fs.rmdirSync(shallow.root);
  spawnSync("git", ["clone", "--quiet", "--depth=1", `file://${from.root}`, shallow.root]);
  expect(shallow.run("git log --format=%s").out).toBe("More\n");
});
