import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { planMounts, type SandboxSpec } from "../../src/platform/process/sandbox-mounts.ts";

/** A directory with subdirectories and the mounts there. */
class Ground {
  readonly dir = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-mounts-")));

  constructor(...names: readonly string[]) {
    onTestFinished(() => fs.rmSync(this.dir, { recursive: true, force: true }));
    for (const name of names) fs.mkdirSync(join(this.dir, name), { recursive: true });
  }

  at(name: string): string {
    return join(this.dir, name);
  }

  /** By names: `kind name`. */
  plan(spec: {
    readonly [Kind in keyof SandboxSpec]: SandboxSpec[Kind] extends string ? string : readonly string[];
  }): readonly string[] {
    const all = (names: readonly string[] = []): readonly string[] => names.map((name) => this.at(name));
    const mounts = planMounts({
      workTree: this.at(spec.workTree),
      writable: all(spec.writable),
      // Treated like any other directory, although it is a temporary one.
      readable: [this.dir, ...all(spec.readable)],
      hidden: all(spec.hidden),
    });
    return mounts
      .filter(({ path }) => path.startsWith(`${this.dir}/`))
      .map(({ path, kind }) => `${kind} ${path.slice(this.dir.length + 1)}`);
  }
}

const NOTHING = { writable: [], readable: [], hidden: [] };

test("the root comes first and is readable, temporary directories are private", () => {
  const [root, ...others] = planMounts(null);
  expect(root).toEqual({ path: "/", kind: "readable" });
  expect(others).toContainEqual({ path: fs.realpathSync("/tmp"), kind: "private" });
  expect(planMounts({ ...NOTHING, workTree: "/" })[0]).toEqual({ path: "/", kind: "writable" });
  expect(planMounts({ ...NOTHING, workTree: "/tmp" })).toContainEqual({
    path: fs.realpathSync("/tmp"),
    kind: "writable",
  });
});

test("a home that is the directory for temporary files stays one", () => {
  const mounts = planMounts({ ...NOTHING, workTree: "/usr", readable: ["/", "/tmp"] });
  expect(mounts).toContainEqual({ path: fs.realpathSync("/tmp"), kind: "private" });
});

test("mounts a nested path after its parent, and not at all if nothing differs", () => {
  const ground = new Ground("a/b/c/d", "tree/x", "other");
  const spec = { ...NOTHING, workTree: "tree" };
  expect(ground.plan({ ...spec, writable: ["tree/x", "other", "other"] })).toEqual([
    "writable tree",
    "writable other",
  ]);
  expect(ground.plan({ ...spec, readable: ["tree/x", "other"] })).toEqual(["writable tree"]);
  expect(ground.plan({ ...spec, hidden: ["a", "a/b/c"], writable: ["a/b/c/d"], readable: ["a/b"] })).toEqual([
    "hidden a",
    "readable a/b",
    "writable tree",
    "hidden a/b/c",
    "writable a/b/c/d",
  ]);
});

test("hidden is stronger than writable, and writable than readable", () => {
  const ground = new Ground("tree", "a", "b");
  expect(
    ground.plan({ workTree: "tree", writable: ["a", "b"], readable: ["a", "b"], hidden: ["b"] }),
  ).toEqual(["writable a", "hidden b", "writable tree"]);
});

test("hidden paths in a writable place cannot be moved with the directories around them", () => {
  const ground = new Ground("tree/a/b/state", "tree/a/c/other");
  expect(ground.plan({ ...NOTHING, workTree: "tree", hidden: ["tree/a/b/state", "tree/a/c/other"] })).toEqual(
    [
      "writable tree",
      "writable tree/a",
      "writable tree/a/b",
      "writable tree/a/c",
      "hidden tree/a/b/state",
      "hidden tree/a/c/other",
    ],
  );
});

test("missing paths are left out", () => {
  const ground = new Ground("tree");
  fs.symlinkSync("round", ground.at("round"));
  const missing = ["missing", "tree/missing/x", "round"];
  expect(ground.plan({ workTree: "tree", writable: missing, readable: missing, hidden: missing })).toEqual([
    "writable tree",
  ]);
});

test("follows links, unless they are where the agent writes", () => {
  const ground = new Ground("tree", "real/deep", "victim/deep", "home");
  fs.symlinkSync("../real/deep/..", ground.at("home/fine"));
  fs.symlinkSync(ground.at("tree/turned"), ground.at("home/bad"));
  fs.symlinkSync(ground.at("real/turned"), ground.at("home/worse"));
  fs.symlinkSync("../victim", ground.at("tree/turned"));
  fs.symlinkSync("../victim", ground.at("real/turned"));
  const spec = { ...NOTHING, workTree: "tree" };
  expect(ground.plan({ ...spec, writable: ["home/fine"] })).toEqual(["writable real", "writable tree"]);
  expect(ground.plan({ ...spec, writable: ["home/worse"] })).toEqual(["writable tree", "writable victim"]);
  const turned = ["home/bad", "tree/turned", "home/worse"];
  expect(ground.plan({ ...spec, writable: [...turned, "home/fine"] })).toEqual([
    "writable real",
    "writable tree",
  ]);
  // Hidden directories are not shown either.
  expect(ground.plan({ ...spec, readable: ["home/bad/deep", "home/bad"], hidden: ["victim"] })).toEqual([
    "writable tree",
    "hidden victim",
  ]);
});

test.each(["/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private"])(
  "%s is hidden where it is",
  (door) => {
    const somewhere = fs.lstatSync("/");
    const look = vi.spyOn(fs, "lstatSync").mockImplementation((path) => {
      if (door.startsWith(String(path))) return somewhere;
      throw new Error(`there is no ${String(path)}`);
    });
    onTestFinished(() => look.mockRestore());
    expect(planMounts(null)).toEqual([
      { path: "/", kind: "readable" },
      { path: door, kind: "hidden" },
    ]);
  },
);
