import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RoomKind } from "../../src/core/evidence/event.ts";
import { junitFiles } from "../../src/evidence/room/junit-files.ts";
import { openRoom, wayIntoRooms } from "../../src/evidence/room/room.ts";
import { container, laid, Rooms } from "./rooms.ts";

/** Requirements of every room, for every user. */
export function roomCases(who: string, kinds: readonly RoomKind[]): void {
  describe.each(kinds)(`a room as %s, ${who}`, (kind) => {
    test("shows overlaid and hides hidden files, and no change in it reaches the tree", () => {
      const rooms = new Rooms();
      rooms.write("src/a.js", "product");
      rooms.write("test/a.test.js", "weak");
      rooms.write("evil/deep/hook.js", "evil");
      rooms.write("dist/out.js", "old");
      rooms.write("node_modules/x/index.js", "x");
      rooms.write("node_modules/.bin/shim", "shim");
      const { out, code } = rooms.run(
        "cat src/a.js test/a.test.js test/gone/b.js node_modules/x/index.js; ls -A . node_modules;" +
          "rm -rf dist && mkdir dist && ls -A dist && echo new >dist/n && rm src/a.js && echo more >>test/a.test.js",
        {
          kind,
          hidden: ["evil", "evil/deep", "dist", "node_modules/.bin/shim", "not/there"],
          laid: [laid("test/a.test.js", "strong"), laid("test/gone/b.js", "back")],
        },
      );
      expect(out).toBe(
        "productstrongbackx.:\nnode_modules\nsrc\ntest\n\nnode_modules:\n.bin\nx\n".replaceAll(
          "\n\n",
          "\n\n",
        ),
      );
      expect(code).toBe(0);
      expect([rooms.read("src/a.js"), rooms.read("test/a.test.js"), rooms.read("dist/out.js")]).toEqual([
        "product",
        "weak",
        "old",
      ]);
      expect(fs.existsSync(join(rooms.root, "test", "gone"))).toBe(false);
    });

    test("is entered for the command alone: its exit code and both outputs are its own", () => {
      const rooms = new Rooms();
      const { code, out, err, room } = rooms.run("echo out; echo err >&2; exit 3", { kind });
      expect({ code, out, err, problem: room.problem() }).toEqual({
        code: 3,
        out: "out\n",
        err: "err\n",
        problem: null,
      });
    });

    test("that cannot be entered is no failed test", () => {
      const rooms = new Rooms();
      rooms.write("build/x", "x");
      const { code, room } = rooms.run("true", { kind, cwd: join(rooms.root, "build"), hidden: ["build"] });
      expect(code).toBe(125);
      expect(room.problem()).toContain("the room cannot be entered");
    });

    test("is not entered if nothing can start in it", () => {
      const room = openRoom(new Rooms().spec({ kind }));
      room.command("true");
      expect(room.problem()).toBe("the room cannot be entered");
    });

    test("that cannot be built is not a failed test", () => {
      const rooms = new Rooms();
      fs.writeFileSync(join(rooms.base, "run"), "in the way");
      const room = openRoom(rooms.spec({ kind }));
      expect(room.problem()).not.toBeNull();
      expect(room.command("true")).toBe("exit 125");
    });

    test("passes on only the given variables, and no descriptor of ours", () => {
      const rooms = new Rooms();
      const value = 'it\'s "$HOME" \\ `x`\nand more';
      const env = { PATH: process.env["PATH"] ?? "", VALUE: value, "-i": "no name" };
      const { out } = rooms.run("printf %s \"$VALUE\"; env | grep -c = ; ls /proc/self/fd | tr '\\n' ' '", {
        kind,
        env,
      });
      const [told, count, descriptors] = [out.slice(0, value.length), ...out.slice(value.length).split("\n")];
      expect(told).toBe(value);
      // PATH, VALUE, and PWD, which the shell sets.
      expect(count).toBe("3");
      expect(Number(descriptors?.trim().split(" ").length)).toBeLessThanOrEqual(5);
    });

    test("has a git that knows the commits and runs nothing from the tree", () => {
      const rooms = new Rooms();
      rooms.write("a", "a\n");
      rooms.write(".gitattributes", "a filter=evil\n");
      rooms.write(".gitignore", "cache\n");
      rooms.commitAll();
      rooms.git("tag", "--annotate", "--message=One", "v1");
      rooms.write("cache/x", "x");
      rooms.write("own", "x");
      fs.appendFileSync(join(rooms.root, ".git", "info", "exclude"), "/own\n");
      const trap = join(rooms.base, "trap");
      fs.writeFileSync(trap, `#!/bin/sh\ntouch ${rooms.base}/sprung\ncat\n`, { mode: 0o755 });
      rooms.git("config", "filter.evil.clean", trap);
      rooms.git("config", "core.fsmonitor", trap);
      for (const hook of ["pre-commit", "post-commit", "post-index-change"])
        fs.copyFileSync(trap, join(rooms.root, ".git", "hooks", hook));
      const config = rooms.read(".git/config");
      const before = fs.readdirSync(join(rooms.root, ".git"), { recursive: true });
      const { out, err } = rooms.run(
        "git status --porcelain && git describe && git ls-files | wc -l && echo b >>a && git add a &&" +
          "git -c user.name=a -c user.email=a@b commit -qm more && git log --oneline | wc -l",
        { kind },
      );
      expect(err).toBe("");
      expect(out.replaceAll(" ", "")).toBe("v1\n3\n2\n");
      expect(fs.existsSync(join(rooms.base, "sprung"))).toBe(false);
      expect(rooms.read(".git/config")).toBe(config);
      expect(fs.readdirSync(join(rooms.root, ".git"), { recursive: true })).toEqual(before);
    });

    test("has a git if nothing is committed yet, or `.git` is a file", () => {
      const unborn = new Rooms();
      unborn.git("init", "--quiet", "--initial-branch=trunk");
      unborn.write("a", "a");
      expect(unborn.run("git status --porcelain --branch", { kind }).out).toBe(
        "## No commits yet on trunk\n?? a\n",
      );

      const linked = new Rooms();
      linked.write("a", "a");
      linked.commitAll();
      linked.git("worktree", "add", "--quiet", "../other");
      const root = join(linked.base, "other");
      const { out, err } = linked.run("git status --porcelain && git log --format=%s && test -d .git", {
        kind,
        root,
        cwd: root,
        files: ["a"],
      });
      expect({ out, err }).toEqual({ out: "All\n", err: "" });
      expect(fs.statSync(join(root, ".git")).isFile()).toBe(true);
    });

    test("takes any name", () => {
      const rooms = new Rooms("a, b:c\\d 'e' \"f\"\ng=$h");
      const odd = ["x,y:z\\", "line\nend", "\udcff\udcfe", "'\"", "-n"];
      for (const name of odd) {
        rooms.write(`keep/${name}`, "weak");
        rooms.write(`hide/${name}`, "gone");
      }
      rooms.commitAll();
      const { out, err, code } = rooms.run("cat keep/*; ls -A hide | wc -l; git status --porcelain | wc -l", {
        kind,
        dir: join(rooms.base, "r, o:o\\'m\n"),
        hidden: odd.map((name) => `hide/${name}`),
        laid: odd.map((name) => laid(`keep/${name}`, "strong ")),
      });
      expect({ out, err, code }).toEqual({
        out: `${"strong ".repeat(5)}0\n10\n`,
        err: "",
        code: 0,
      });
    });

    test("keeps permissions: of folders, and of files but for who may run them", () => {
      const rooms = new Rooms();
      rooms.write("t/file", "x", 0o777);
      rooms.write("t/program", "x", 0o600);
      rooms.write("t/unreadable", "x", 0o000);
      fs.chmodSync(join(rooms.root, "t"), 0o750);
      const { out } = rooms.run("stat -c '%a %n' t t/*; readlink t/link", {
        kind,
        laid: [
          laid("t/file", "x"),
          laid("t/program", "x", "program"),
          laid("t/unreadable", "x"),
          laid("t/new", "x", "program"),
          laid("t/link", "to/where", "link"),
        ],
      });
      expect(out).toBe(
        "750 t\n666 t/file\n777 t/link\n755 t/new\n700 t/program\n600 t/unreadable\nto/where\n",
      );
    });

    test("lays files in place of folders, of links, and in a folder that is hidden", () => {
      const rooms = new Rooms();
      rooms.write("a/b", "now a folder");
      rooms.write("elsewhere/x", "x");
      fs.symlinkSync("elsewhere", join(rooms.root, "test"));
      rooms.write("mixed/base", "weak");
      rooms.write("mixed/new/file", "new");
      const { out } = rooms.run("cat a test/x mixed/base; ls -A test mixed elsewhere", {
        kind,
        hidden: ["mixed", "test/x"],
        laid: [laid("a", "file "), laid("test/x", "strong "), laid("mixed/base", "base ")],
      });
      expect(out).toBe("file strong base elsewhere:\nx\n\nmixed:\nbase\n\ntest:\nx\n");
      expect(rooms.read("elsewhere/x")).toBe("x");
    });

    test("shows files as written just now, or at another time, and with all else they have", () => {
      const rooms = new Rooms();
      const names = ["old/now", "old/then", "old/same", "old/laid", "old/hidden", "gone/x"];
      for (const name of names) rooms.write(name, name, 0o750);
      fs.symlinkSync("now", join(rooms.root, "old/link"));
      for (const name of [...names, "old/link"]) fs.lutimesSync(join(rooms.root, name), 1, 1.5);
      const start = Math.floor(Date.now() / 1000);
      const { out, err } = rooms.run("stat -c '%Y %a' old/* ; ls gone; cat old/now old/then old/laid", {
        kind,
        hidden: ["old/hidden", "gone"],
        laid: [laid("old/laid", " strong")],
        touched: ["old/now", "old/link", "old/laid", "old/hidden", "gone/x", "none"],
        dated: [
          { path: "old/then", seconds: 1234.5 },
          { path: "old/laid", seconds: 1 },
        ],
      });
      const [laidAs, link, now, same, dated, ...rest] = out
        .split("\n")
        .map((line) => line.replace(/^\d{10}/, (seconds) => (Number(seconds) >= start ? "now" : "?")));
      expect({ laidAs, link, now, same, dated, rest, err }).toEqual({
        laidAs: "now 640",
        link: "now 777",
        now: "now 750",
        same: "1 750",
        dated: "1234 750",
        rest: ["old/nowold/then strong"],
        err: expect.stringContaining("gone"),
      });
      expect(fs.statSync(join(rooms.root, "old/now")).mtimeMs).toBe(1500);
    });

    test("is removed with any content, and replaces an older one", () => {
      const rooms = new Rooms();
      const { room } = rooms.run('mkdir -p a/b "$HOME/c" && touch a/b/x && chmod 000 a/b a "$HOME/c"', {
        kind,
      });
      expect(rooms.run("ls -A; ls -A $HOME", { kind }).out).toBe(".gitconfig\n");
      room.remove();
      expect(fs.readdirSync(join(rooms.base, "run"))).toEqual([]);
    });

    test("contains the probes, and gives back their output and the command's", () => {
      const rooms = new Rooms();
      rooms.write("old.xml", "<testsuite/>");
      rooms.write("reports/other.xml", "<other/>");
      const { room, out } = rooms.run(
        "cat $HOME/../probe/deep/p.js; echo told >$HOME/../results/1; mkdir -p reports; echo '<testsuites/>' >reports/new.xml; echo '<b/>' >>reports/other.xml",
        { kind, probes: { "deep/p.js": "probe" }, laid: [laid("laid.xml", "<testsuite/>")] },
      );
      expect(out).toBe("probe");
      expect(fs.readFileSync(join(room.results, "1"), "utf8")).toBe("told\n");
      expect(junitFiles(room)).toEqual(["<testsuites/>\n"]);
    });
  });

  describe.runIf(kinds.includes("copy"))(`a copy, ${who}`, () => {
    test("contains the given files, never through a link, and keeps times", () => {
      const rooms = new Rooms();
      rooms.write("src/a", "a");
      rooms.write("src/b", "b");
      rooms.write("deep/c/d", "d");
      fs.symlinkSync(join(rooms.root, "deep"), join(rooms.root, "link"));
      fs.utimesSync(join(rooms.root, "src", "a"), 1, 2);
      const files = ["src/a", "link", "link/c", "deep/c/d", "deep", "none"];
      const { out, room } = rooms.run("find . | sort; stat -c %Y src/a", { kind: "copy", files });
      expect(out).toBe(".\n./deep\n./deep/c\n./deep/c/d\n./link\n./src\n./src/a\n2\n");
      expect(room.root).toBe(join(rooms.dir, "tree"));
    });
  });

  describe(`an overlay, ${who}`, () => {
    test("covers the tree's own path and cannot be removed", () => {
      const rooms = new Rooms();
      rooms.write("test", "weak");
      const { out, room } = rooms.run(
        'pwd; umount -l "$PWD"; cat "$PWD/test";' +
          "unshare --user --map-root-user --mount sh -c \"umount -l '$PWD'; cat '$PWD/test'\";" +
          'nsenter --target 1 --mount cat "$PWD/test"; cat "/proc/1/root/$PWD/test"; cat /proc/1/environ',
        { laid: [laid("test", "strong")] },
      );
      expect(out).toBe(`${rooms.root}\nstrongstrong`);
      expect(room.root).toBe(rooms.root);
    });

    test("may have its own directory in the tree", () => {
      const rooms = new Rooms();
      rooms.write("a", "a");
      rooms.commitAll();
      const { room, out, err } = rooms.run(
        "cat a && echo told >.state/room/results/1 && echo b >>a && git log --format=%s",
        { dir: join(rooms.root, ".state", "room") },
      );
      expect({ out, err, problem: room.problem() }).toEqual({ out: "aAll\n", err: "", problem: null });
      expect(rooms.read("a")).toBe("a");
      expect(fs.readdirSync(room.results)).toEqual(["1"]);
    });

    test("keeps git's objects from being changed", () => {
      const rooms = new Rooms();
      rooms.write("a", "a");
      rooms.commitAll();
      const before = rooms.git("count-objects", "-v");
      const { out } = rooms.run("rm -rf .git/objects/*; git cat-file -e HEAD || echo gone");
      expect(out).toBe("gone\n");
      expect(rooms.git("count-objects", "-v")).toBe(before);
    });

    test("is tried before it is relied on", () => {
      const rooms = new Rooms();
      expect(wayIntoRooms(container().wrap, rooms.base)).not.toBeNull();
      expect(wayIntoRooms(() => ({ file: "/bin/false", args: [] }), rooms.base)).toBeNull();
      // The rooms of the run need the whiteout again.
      expect(fs.readdirSync(rooms.base).filter((name) => name !== "room.whiteout")).toEqual(["tree"]);
    });
  });
}
