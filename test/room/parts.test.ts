import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RoomSpec } from "../../src/evidence/room/room.ts";
import { laid, Rooms } from "./rooms.ts";

const PROBES = { "preload.cjs": "// probe\n" };

/** Successive rooms in the same directory. */
class Following {
  readonly rooms = new Rooms();
  readonly #spec: Partial<RoomSpec>;

  constructor(spec: Partial<RoomSpec> = {}) {
    this.rooms.write("a", "a\n");
    this.rooms.write("old/b", "b\n");
    this.#spec = { isReused: true, probes: PROBES, hidden: ["old"], laid: [laid("a", "laid\n")], ...spec };
  }

  run(command: string, more: Partial<RoomSpec> = {}): string {
    const { out, err, room } = this.rooms.run(command, { ...this.#spec, ...more });
    room.remove();
    return out + err;
  }

  /** A room is reused unless it was created right before the command. */
  settle(): void {
    for (const command of ["true", "true"]) this.run(command);
  }

  /** Null: the file is gone. */
  inode(path: string): bigint | null {
    const place = join(this.rooms.dir, path);
    return fs.lstatSync(place, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  }
}

const PARTS = { home: "home/.gitconfig", probe: "probe/preload.cjs", tree: "layers/0/upper/a" };

describe("of rooms in the same directory", () => {
  test("the next one uses what no command touched", () => {
    const following = new Following();
    following.settle();
    const made = Object.values(PARTS).map((path) => following.inode(path));
    expect(following.run("cat a; ls -A; echo x >$TMPDIR/x", { env: environment(following) })).toBe(
      "laid\na\n",
    );
    expect(Object.values(PARTS).map((path) => following.inode(path))).toEqual(made);
    expect(made).not.toContain(null);
  });

  test.each([
    ["home", 'echo evil >"$HOME/evil"', 'ls -A "$HOME"', "evil"],
    ["home", 'chmod 755 "$HOME"', 'stat -c %a "$HOME"', "755"],
    ["probe", 'printf "// evil.\\n" >"$PROBE"; touch -d @1000000000 "$PROBE"', 'cat "$PROBE"', "evil"],
    ["tree", "printf 'evil\\n' >a", "cat a", "evil"],
    ["tree", "mkdir old", "ls", "old"],
    ["tree", 'rm "$UPPER/old"', "ls", "old"],
  ] as const)("the next one does not see what a command did to the %s by %s", (part, does, look, trace) => {
    const following = new Following();
    following.settle();
    const env = environment(following);
    const before = following.run(look, { env });
    expect(before).not.toContain(trace);
    following.run(does, { env });
    expect(following.inode(PARTS[part])).toBeNull();
    expect(following.run(look, { env })).toBe(before);
  });

  test("the next one does not see changes made in between", () => {
    const following = new Following();
    following.settle();
    fs.writeFileSync(join(following.rooms.dir, PARTS.tree), "evil\n");
    expect(following.run("cat a")).toBe("laid\n");
  });

  test("the next one shows the requested tree", () => {
    const following = new Following();
    following.settle();
    expect(following.run("cat a; ls", { laid: [laid("a", "more\n")], hidden: [] })).toBe("more\na\nold\n");
    fs.chmodSync(join(following.rooms.root, "a"), 0o600);
    fs.mkdirSync(join(following.rooms.root, "new"));
    expect(following.run("stat -c %a a; ls", { hidden: ["old", "new"] })).toBe("600\na\n");
  });

  test("the next one hides new files in a hidden folder with an overlaid file", () => {
    const spec = { laid: [laid("old/x", "laid\n")] };
    const following = new Following(spec);
    following.settle();
    following.rooms.write("old/new", "");
    expect(following.run("ls old")).toBe("x\n");
  });

  test("a replacement of their directory is not entered", () => {
    const following = new Following();
    following.settle();
    const { dir, base } = following.rooms;
    const other = join(base, "other");
    fs.mkdirSync(other, { mode: 0o700 });
    fs.writeFileSync(join(other, "kept"), "");
    fs.renameSync(dir, `${dir}-moved`);
    fs.symlinkSync(other, dir);
    expect(following.run("cat a")).toBe("laid\n");
    expect(fs.readdirSync(other)).toEqual(["kept"]);
  });
});

function environment({ rooms: { dir } }: Following): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(dir, "home"),
    TMPDIR: join(dir, "tmp"),
    PROBE: join(dir, "probe", "preload.cjs"),
    UPPER: join(dir, "layers", "0", "upper"),
  };
}
