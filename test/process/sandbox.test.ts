import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { detectContainment } from "../../src/platform/process/containment.ts";
import { gitDirectories } from "../../src/platform/process/sandbox-git.ts";
import { whyNoSandbox } from "../../src/platform/process/sandbox.ts";
import { node } from "./machine.ts";
import { notHere, Place, why } from "./sandbox-place.ts";

test("exists wherever bubblewrap works", () => {
  const { file, args } = detectContainment().wrap(
    "bwrap --unshare-pid --ro-bind / / --dev /dev --proc /proc true",
  );
  const works = spawnSync(file, args).status === 0;
  expect(why === null).toBe(works);
});

test("where bubblewrap is missing, that is said", () => {
  const path = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  process.env["PATH"] = "/nowhere";
  expect(whyNoSandbox(detectContainment().wrap)).toContain("not installed");
});

describe.skipIf(why !== null)(`in a sandbox${notHere}`, () => {
  test("where it cannot be had, bubblewrap's own words say why", () => {
    const wrap = (command: string) => ({
      file: "/bin/sh",
      args: ["-c", command.replace("--unshare-pid", "--unshare-nothing")],
    });
    expect(whyNoSandbox(wrap)).toContain("--unshare-nothing");
    expect(whyNoSandbox(() => ({ file: "/bin/sh", args: ["-c", "exit 0"] }))).toContain("exit code 0");
  });

  test("an agent writes in its work tree and for the moment, and nowhere else", async () => {
    const place = new Place();
    const { home, work, outside, state } = place;
    const paths = [
      work,
      home,
      outside,
      state,
      place.dir,
      "/",
      "/etc",
      "/usr",
      "/var",
      ...["/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"],
    ];
    const temporary = ["/tmp", "/var/tmp", "/dev/shm"];
    expect(await place.written([...paths, ...temporary])).toEqual([work, ...temporary]);
    expect(fs.existsSync(join(work, "probe"))).toBe(true);
    expect(temporary.filter((path) => fs.existsSync(join(path, "probe")))).toEqual([]);
  });

  test("temporary files are gone at the next turn, and programs find the place", async () => {
    const place = new Place();
    const env = {
      HOME: place.home,
      TMPDIR: place.outside,
      TMP: place.outside,
      TEMP: place.outside,
      CLAUDE_CODE_TMPDIR: place.outside,
    };
    const { out } = await place.inside(
      "echo $CLAUDE_CODE_TMPDIR; mktemp; ls -A /tmp | wc -l; stat -c %a /tmp /dev/shm",
      {},
      { env },
    );
    expect(out).toMatch(/^\n\/tmp\/tmp\.\w+\n2\n1777\n1777\n$/);
    expect((await place.inside("ls -A /tmp | wc -l", { readable: [], workTree: "/" })).out).toBe("0\n");
  });

  test("additionally opened places are writable, files and directories", async () => {
    const place = new Place();
    const sessions = join(place.home, ".agent");
    const config = join(place.home, ".agent.json");
    fs.mkdirSync(sessions);
    fs.writeFileSync(config, "{}");
    const writable = [sessions, config, join(place.home, "missing")];
    expect(await place.written([place.home, sessions, config], { writable })).toEqual([sessions, config]);
    // Replacing a file fails inside. This is why an agent's own directory must be writable as a whole.
    const { out } = await place.inside(
      `echo new > /tmp/x; mv /tmp/x ${config} 2>/dev/null || cat ${config}`,
      { writable },
    );
    expect(out).toBe("{}");
  });

  test("hides the state directory, except for the shown part", async () => {
    const place = new Place();
    fs.mkdirSync(join(place.state, "runs/1/turns/1"), { recursive: true });
    const prompt = join(place.state, "runs/1/turns/1/system.md");
    fs.writeFileSync(prompt, "Do it.");
    fs.writeFileSync(join(place.state, "runs/1/journal.jsonl"), "secret");
    expect((await place.inside(`ls -A ${place.state}`)).out).toBe("");
    const readable = [place.dir, prompt];
    const { out } = await place.inside(`find ${place.state} -type f; cat ${prompt}; echo x >> ${prompt}`, {
      readable,
    });
    expect(out).toBe(`${prompt}\nDo it.`);
    expect(await place.written([place.state, join(place.state, "runs")], { readable })).toEqual([]);
    expect(fs.readFileSync(prompt, "utf8")).toBe("Do it.");
  });

  test("a state directory inside the work tree can neither be seen nor moved away", async () => {
    const place = new Place();
    const { out, err } = await place.inside(
      `cd ${place.home}; ls -A .local/state/agent-foreman; mv .local .mine; rm -r .local; echo done > ok; cat ok`,
      { workTree: place.home },
    );
    expect(out).toBe("done\n");
    expect(err.match(/busy/g)?.length).toBeGreaterThanOrEqual(2);
    expect(fs.readdirSync(place.home).toSorted()).toEqual([".local", "ok"]);
    expect(fs.existsSync(place.state)).toBe(true);
  });

  test("neither links nor its own mounts lead an agent out of its tree", async () => {
    const place = new Place();
    const victim = join(place.outside, "victim");
    fs.writeFileSync(victim, "whole");
    fs.linkSync(victim, join(place.outside, "second"));
    const { out } = await place.inside(
      `exec 2>/dev/null
ln -s ${place.outside} out; echo broken > out/victim; rm out/victim; ln ${victim} hard && echo broken > hard
ln -s ${place.state} state; ls -A state
cd ..; echo broken > outside/victim
for way in "" "-Ur" "-r"; do
  unshare $way -m sh -c 'umount ${place.state}; umount -l /tmp; mount -o remount,bind,rw ${place.dir}; mount -o remount,bind,rw /; echo broken > ${victim}; ls -A ${place.state}'
done
for pid in /proc/[0-9]*; do ls -A $pid/root${place.state}; echo broken > $pid/root${victim}; done
cat ${victim}`,
    );
    expect(out).toBe("whole");
    expect(fs.readFileSync(victim, "utf8")).toBe("whole");
  });

  test("a link that an agent can redirect opens nothing", async () => {
    const place = new Place();
    const link = join(place.home, ".agent");
    fs.symlinkSync(join(place.work, "agent"), link);
    fs.symlinkSync(place.outside, join(place.work, "agent"));
    expect(await place.written([place.outside, place.work], { writable: [link] })).toEqual([place.work]);
  });

  test("a link of the person's own is followed", async () => {
    const place = new Place();
    const link = join(place.home, ".agent");
    fs.symlinkSync("../outside", link);
    const tree = join(place.dir, "tree");
    fs.symlinkSync("work", tree);
    const paths = [place.outside, link, place.work, tree];
    expect(await place.written(paths, { writable: [link], workTree: tree })).toEqual(paths);
  });

  test("devices of the machine are out of reach, common ones are there", async () => {
    const place = new Place();
    const { out, err } = await place.inside(
      `ls /dev/[vs]d[a-z]* /dev/mem 2>/dev/null; echo x > /dev/null && head -c 3 /dev/zero | wc -c && head -c 2 /dev/urandom | wc -c`,
    );
    expect([out, err]).toEqual(["3\n2\n", ""]);
  });

  test("an outside server with a hidden socket does not answer", async () => {
    const place = new Place();
    const socket = join(place.outside, "socket");
    const server = createServer((client) => client.end("open"));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    const ask = node(
      `require("net").connect("${socket}").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))`,
    );
    // Read-only files do not prevent communication.
    expect((await place.inside(ask)).out).toBe("open\n");
    expect((await place.inside(ask, { hidden: [socket] })).out).toMatch(/^E[A-Z]+\n$/);
  });

  test("a linked work tree can be committed in", async () => {
    const place = new Place();
    const git = (...args: string[]): void => {
      const { status, stderr } = spawnSync("git", args, { cwd: place.outside, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    const me = ["-c", "user.name=me", "-c", "user.email=me@localhost"];
    git("init", "--quiet");
    git(...me, "commit", "--quiet", "--allow-empty", "--message", "Start");
    const tree = join(place.dir, "tree");
    git("worktree", "add", "--quiet", tree);
    const commit = `echo a > a && git add a && git ${me.join(" ")} commit --quiet --message More && git log --format=%s`;
    const spec = { workTree: tree };
    expect((await place.inside(commit, spec, { cwd: tree })).out).toBe("");
    const open = { ...spec, writable: gitDirectories(tree) };
    expect((await place.inside(commit, open, { cwd: tree })).out).toBe("More\nStart\n");
  });

  test.runIf(process.getuid?.() === 0)(
    "root can deal with files of other users, and not with the machine",
    async () => {
      const place = new Place();
      fs.writeFileSync(join(place.work, "theirs"), "");
      fs.chmodSync(join(place.work, "theirs"), 0o600);
      fs.chownSync(join(place.work, "theirs"), 65534, 65534);
      fs.chownSync(place.work, 65534, 65534);
      const { out } = await place.inside(
        `echo mine >> theirs && chown 1:1 theirs && cat theirs; exec 2>/dev/null; mknod disk b 8 0; mount -t tmpfs x /mnt; grep CapEff /proc/self/status`,
      );
      expect(out).toBe("mine\nCapEff:\t00000000800004fb\n");
      expect(fs.statSync(join(place.work, "theirs")).uid).toBe(1);
    },
  );
});
