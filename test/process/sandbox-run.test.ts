import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Control } from "../../src/platform/process/ending.ts";
import type { CommandSpec } from "../../src/platform/process/run-command.ts";
import { WAYS } from "./machine.ts";
import { notHere, Place, why } from "./sandbox-place.ts";

describe.skipIf(why !== null)(`a command in a sandbox${notHere}`, () => {
  describe.each(WAYS)("started by: %s", (way) => {
    test("directory, environment, input and output are as outside", async () => {
      const place = new Place(way);
      const input = place.write("input", "from outside\n");
      const { out, err } = await place.inside(
        `pwd; echo "$WORDS"; cat; echo err >&2; echo by name > /dev/stdout; echo by number > /proc/self/fd/2; (exec 3>&1; echo three >&3)`,
        {},
        { env: { WORDS: `it's "so"\n$HOME` }, stdin: { kind: "file", path: input } },
      );
      expect(out).toBe(`${place.work}\nit's "so"\n$HOME\nfrom outside\nby name\nthree\n`);
      expect(err).toBe("err\nby number\n");
    });

    test("an agent can be talked with", async () => {
      const place = new Place(way);
      const onOpen = (send: (text: string) => void): void => send("hello\n");
      const { out } = await place.inside(
        "read -r word; echo got $word",
        {},
        { stdin: { kind: "conversation", onOpen } },
      );
      expect(out).toBe("got hello\n");
    });

    test("exit codes and signals come through", async () => {
      const place = new Place(way);
      const codes = ["exit 0", "exit 3", "exit 255", "kill -9 $$", "kill -TERM $$", "no-such-program"];
      const ends = [];
      for (const command of codes) ends.push((await place.inside(command)).process.end);
      expect(ends).toEqual([0, 3, 255, 137, 143, 127].map((code) => ({ kind: "exited", code })));
    });

    test("nothing survives, and ended processes have time to clean up", async () => {
      const place = new Place(way);
      const tag = `9${process.pid}.${WAYS.indexOf(way)}`;
      await place.inside(`setsid sleep ${tag} & (setsid nohup sleep ${tag} &) ; exit 0`);
      expect(alive(tag)).toEqual([]);
      const tidy = `trap 'echo tidied > tidied; exit 0' TERM; echo ready; while :; do sleep ${tag} & wait; done`;
      const { process: ended } = await place.inside(tidy, {}, endedWhenReady());
      expect(ended.end).toEqual({ kind: "over_budget" });
      expect(alive(tag)).toEqual([]);
      expect(fs.readFileSync(join(place.work, "tidied"), "utf8")).toBe("tidied\n");
    });
  });

  test("a process that ignores TERM, or left the session, is killed", async () => {
    const place = new Place();
    const tag = `9${process.pid}.9`;
    const deaf = `trap "" TERM; setsid sleep ${tag} & echo ready; while :; do sleep ${tag}; done`;
    const { process: ended } = await place.inside(deaf, {}, endedWhenReady());
    expect(ended.end).toEqual({ kind: "over_budget" });
    expect(alive(tag)).toEqual([]);
  });

  test("hostile names and commands reach the shell as they are", async () => {
    const place = new Place();
    const name = ` it's "a" $(touch broken) \`id\` \\ ;&|*\n第二行 --bind`;
    const tree = join(place.dir, `-${name}`);
    const more = join(place.home, name);
    fs.mkdirSync(tree);
    fs.mkdirSync(more);
    const words = `# a comment
cat <<'END'
$nl '"' \\n $(id)
END
printf '%s' "it's" # another`;
    const { out } = await place.inside(words, { workTree: tree, writable: [more] }, { cwd: tree });
    expect(out).toBe(`$nl '"' \\n $(id)\nit's`);
    expect(await place.written([tree, more, place.work], { workTree: tree, writable: [more] })).toHaveLength(
      4,
    );
    expect(fs.existsSync(join(tree, "probe")) && fs.existsSync(join(more, "probe"))).toBe(true);
    expect(fs.existsSync(join(place.work, "probe"))).toBe(false);
  });

  test("runs a command of 120 kilobytes; does not start one that is too long for an argument list", async () => {
    const place = new Place();
    const long = (bytes: number): string => `echo ${"x".repeat(bytes)} | wc -c`;
    expect((await place.inside(long(120 * 1024))).out).toBe(`${120 * 1024 + 1}\n`);
    expect((await place.inside(long(128 * 1024))).process.end).toMatchObject({ kind: "not_started" });
  });

  test("many processes and a lot of output are no different from outside", async () => {
    const place = new Place();
    const { out } = await place.inside(
      `for i in $(seq 200); do (echo $i) & done | wc -l; head -c 3000000 /dev/zero | tr '\\0' x`,
    );
    expect(out.slice(0, 4)).toBe("200\n");
    expect(out).toHaveLength(3_000_004);
  });
});

/** Ends like at a limit of the run, but only after the command reports that it is ready. */
function endedWhenReady(): Partial<CommandSpec> {
  let control: Control | undefined;
  return {
    watch: (given) => {
      control = given;
    },
    onOutput: () => control?.overBudget(),
  };
}

function alive(tag: string): readonly string[] {
  const { stdout } = spawnSync("ps", ["ax", "-o", "args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(`sleep ${tag}`));
}
