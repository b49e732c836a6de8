import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { detectContainment, type Container } from "../../src/platform/process/containment.ts";
import { placeOf } from "../../src/platform/git/tree-path.ts";
import { removeTree } from "../../src/evidence/room/remove-tree.ts";
import { openRoom, type Laid, type Room, type RoomSpec } from "../../src/evidence/room/room.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly room: Room;
}

let detected: Container | undefined;

/** Detected on demand, because a test may have changed its user. */
export function container(): Container {
  return (detected ??= detectContainment());
}

/** A work tree and a place for rooms, removed after the test. */
export class Rooms {
  readonly base: string;
  readonly root: string;
  readonly dir: string;

  constructor(name = "tree", forOneTest = true) {
    this.base = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-room-")));
    this.root = join(this.base, name);
    this.dir = join(this.base, "run", "room");
    fs.mkdirSync(this.root);
    if (forOneTest) onTestFinished(() => removeTree(this.base));
  }

  write(path: string, text: string, mode = 0o644): void {
    const place = placeOf(this.root, path);
    fs.mkdirSync(dirname(join(this.root, path)), { recursive: true });
    fs.writeFileSync(place, text);
    fs.chmodSync(place, mode);
  }

  read(path: string): string {
    return fs.readFileSync(placeOf(this.root, path), "utf8");
  }

  git(...args: readonly string[]): string {
    const who = ["-c", "user.name=rig", "-c", "user.email=rig@localhost", "-c", "safe.directory=*"];
    const result = spawnSync("git", [...who, ...args], { cwd: this.root, encoding: "utf8" });
    if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
    return result.stdout;
  }

  commitAll(): void {
    this.git("init", "--quiet");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "All");
  }

  spec(more: Partial<RoomSpec> = {}): RoomSpec {
    return {
      kind: "overlay",
      root: this.root,
      dir: this.dir,
      cwd: this.root,
      hidden: [],
      laid: [],
      env: { PATH: process.env["PATH"] ?? "", HOME: join(this.dir, "home") },
      files: fs.readdirSync(this.root).filter((name) => name !== ".git"),
      probes: {},
      ...more,
    };
  }

  /** Runs one command in a separate room with the containment of checks. `before` runs before the room is entered. */
  run(command: string, more: Partial<RoomSpec> = {}, before = ""): Ran {
    return this.enter(openRoom(this.spec(more)), command, before);
  }

  enter(room: Room, command: string, before = ""): Ran {
    const { file, args } = container().wrap(before + room.command(command));
    const { status, stdout, stderr } = spawnSync(file, args, { cwd: room.cwd, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr, room };
  }
}

export function laid(path: string, text: string, kind: Laid["kind"] = "file"): Laid {
  return { path, bytes: Buffer.from(text), kind };
}
