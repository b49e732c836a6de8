import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../rig/rig.ts";
import { Chance } from "../zoo/terminal/chance.ts";
import type { Talk } from "../zoo/terminal/talker.ts";
import { Desk, zooFile } from "./desk.ts";

const MEGABYTE = 1024 * 1024;
/** Echoes every byte. */
const ECHO = ["sh", "-c", "stty raw -echo; printf ready; exec cat"];

async function echoing(): Promise<Desk> {
  const desk = await Desk.open();
  await desk.run(ECHO);
  await desk.shows("ready");
  desk.forget();
  return desk;
}

function temporary(): string {
  const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-talk-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The value once it has stopped changing. */
async function stands(look: () => string): Promise<string> {
  let last = "";
  let same = 0;
  await until(() => {
    const now = look();
    same = now !== "" && now === last ? same + 1 : 0;
    last = now;
    return same === 15;
  });
  return last;
}

async function talking(talk: Partial<Talk>): Promise<string[]> {
  const dir = temporary();
  const whole: Talk = {
    ...{ seed: 7, writes: 1, reads: 0, pauses: false, end: "exit", code: 0, record: join(dir, "record") },
    ...talk,
  };
  return [process.execPath, await zooFile("talker"), JSON.stringify(whole)];
}

describe("bytes", () => {
  test.each([
    ["every byte there is", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["mouse, focus and arrows", Buffer.from("\u001b[<0;10;5M\u001b[<0;10;5m\u001b[I\u001b[A\u001bOB")],
    ["a bracketed paste", Buffer.from("\u001b[200~two\rlines\u001b[201~")],
    ["colours and an alternate screen", Buffer.from("\u001b[38;2;1;2;3mx\u001b[?1049h\u001b[H\u001b[?1049l")],
    ["characters of several bytes", Buffer.from("zwölf 字 👩‍💻")],
  ])("pass both ways untouched: %s", async (_, bytes) => {
    const desk = await echoing();
    await desk.press(bytes);
    await desk.until(() => desk.seen.length >= bytes.length);
    expect(desk.seen).toEqual(bytes);
  });

  test("a bare line feed stays one", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "stty -opost; printf 'a\\nb\\n'"]);
    await desk.finish();
    expect(desk.seen.toString()).toBe("a\nb\n");
  });

  test("the agent's terminal has the user's settings", async () => {
    const desk = await Desk.open();
    desk.stty("erase", "^H", "intr", "^K");
    await desk.run(["stty", "-a"]);
    await desk.finish();
    expect(desk.seen.toString()).toMatch(/intr = \^K;.* erase = \^H;/);
  });

  test("all of a megabyte arrives that was written right before the exit, however slowly it is read", async () => {
    const desk = await Desk.open();
    const { reader } = desk.pty;
    reader.on("data", () => {
      reader.pause();
      setImmediate(() => reader.resume());
    });
    await desk.run(await talking({ writes: MEGABYTE }));
    await desk.finish();
    const written = new Chance(7).bytes(MEGABYTE);
    await desk.until(() => desk.seen.length >= MEGABYTE);
    expect(desk.seen.subarray(0, MEGABYTE).equals(written)).toBe(true);
  });

  test("all of a pasted megabyte arrives, however slowly the agent reads", async () => {
    const words = await talking({ reads: MEGABYTE, pauses: true });
    const { record } = JSON.parse(words.at(-1) ?? "") as Talk;
    const desk = await Desk.open();
    await desk.run(words);
    await desk.until(() => desk.seen.length > 0);
    const paste = new Chance(8).bytes(MEGABYTE);
    void desk.press(paste);
    await desk.finish();
    expect(JSON.parse(fs.readFileSync(record, "utf8"))).toEqual({
      read: MEGABYTE,
      sha256: createHash("sha256").update(paste).digest("hex"),
    });
  });

  test("an agent that writes faster than the terminal must wait", async () => {
    const progress = join(temporary(), "progress");
    const desk = await Desk.open();
    desk.pty.reader.pause();
    const write = `for i in $(seq 300); do head -c 65536 /dev/zero; echo $i >${progress}; done`;
    await desk.run(["sh", "-c", write]);
    const written = await stands(() => (fs.existsSync(progress) ? fs.readFileSync(progress, "utf8") : ""));
    expect(Number(written)).toBeLessThan(30);
    desk.pty.reader.resume();
    await desk.finish();
    expect(desk.seen.length).toBe(300 * 65_536);
  });

  test("neither side waits for the other: an agent that reads nothing can still write", async () => {
    const desk = await Desk.open();
    await desk.run([
      "sh",
      "-c",
      "stty raw -echo; printf ready; read -r _; head -c 3000000 /dev/zero; exec head -c 300000 >/dev/null",
    ]);
    await desk.shows("ready");
    void desk.press("\n");
    void desk.press(Buffer.alloc(300_000, "k"));
    expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
    expect(desk.seen.length).toBe(3_000_005);
  });

  test("only the foreman can reach the other end of the agent's terminal", async () => {
    const desk = await Desk.open();
    await desk.run(["ls", "-l", "/proc/self/fd"]);
    await desk.finish();
    expect(desk.seen.toString()).toContain("/dev/pts");
    expect(desk.seen.toString()).not.toContain("ptmx");
  });

  test("Ctrl-C is the agent's", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "trap 'echo interrupted; exit 5' INT; echo ready; read -r _"]);
    await desk.shows("ready");
    await desk.press("\u0003");
    expect(await desk.finish()).toEqual({ kind: "exited", code: 5 });
    expect(desk.seen.toString()).toContain("interrupted");
  });
});

describe("the size", () => {
  const SIZES = "trap 'stty size' WINCH; stty size; sleep 60 & while :; do wait; done";

  test("is the user's, and follows it", async () => {
    const desk = await Desk.open({ size: { columns: 93, rows: 31 } });
    await desk.run(["sh", "-c", SIZES]);
    await desk.shows("31 93");
    desk.pty.resize({ columns: 3, rows: 2 });
    await desk.shows("2 3\r");
    desk.pty.resize({ columns: 200, rows: 60 });
    expect(await desk.shows("60 200")).toBe("31 93\r\n2 3\r\n60 200\r\n");
  });

  test("is the default if the terminal has none", async () => {
    const desk = await Desk.open();
    desk.stty("rows", "0", "cols", "0");
    await desk.run(["stty", "size"]);
    await desk.finish();
    expect(desk.seen.toString()).toBe("24 80\r\n");
  });
});

describe("our own descriptors", () => {
  test("typed text reaches the agent after the user's keys, which are held meanwhile", async () => {
    const desk = await echoing();
    await desk.press("one ");
    await desk.shows("one ");
    desk.send({ do: "hold" });
    expect(await desk.hears("held")).toEqual({ held: true });
    await desk.press("three");
    desk.send({ do: "type", text: "two " });
    await desk.hears("typed");
    await desk.shows("one two ");
    expect(desk.seen.toString()).toBe("one two ");
    desk.send({ do: "release" });
    await desk.shows("one two three");
  });

  test("holds nothing back in the middle of a paste", async () => {
    const desk = await echoing();
    await desk.press("\u001b[200~half");
    await desk.shows("half");
    desk.send({ do: "hold" });
    expect(await desk.hears("held")).toEqual({ held: false });
    await desk.press(" whole\u001b[201~");
    await desk.shows("half whole");
    desk.send({ do: "draft" });
    expect(await desk.hears("draft")).toEqual({
      draft: {
        text: "half whole",
        certain: true,
        unfinished: false,
        brokeOff: false,
        enters: 0,
        entered: "",
      },
    });
  });

  test("the screen can be read", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "printf '\\033[2;3Hthere'; read -r _"]);
    await desk.shows("there");
    desk.send({ do: "screen" });
    const { screen } = (await desk.hears("screen")) as { screen: { rows: string[]; cursor: object } };
    expect(screen.rows[1]).toBe("  there");
    expect(screen.rows).toHaveLength(24);
    expect(screen.cursor).toEqual({ row: 1, col: 7 });
  });

  test("a title waits for the end of the agent's sequence, and gives way again", async () => {
    const desk = await echoing();
    await desk.press("a\u001b[3");
    await desk.shows("a\u001b[3");
    desk.send({ do: "hint", text: "re\u0007view" });
    desk.send({ do: "draft" });
    await desk.hears("draft");
    await desk.press("8;5mb");
    await desk.shows("view\u0007");
    expect(desk.seen.toString()).toBe("a\u001b[38;5mb\u001b[22;2t\u001b]2;re view\u0007");
    desk.forget();
    desk.send({ do: "unhint" });
    await desk.shows("\u001b[23;2t");
  });
});
