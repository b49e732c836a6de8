import { describe, expect, test } from "vitest";
import { Desk } from "./desk.ts";

/** A shell that reports when its job was stopped and continues the job at the next line. */
const SHELL = [
  "/bin/sh",
  "-m",
  "-c",
  '"$@"; echo "stopped: $?"; read -r _; fg >/dev/null; echo "over: $?"',
  "sh",
];

/** Stops itself when Ctrl-Z comes as a key, like full-screen programs. */
const selfStopping = (signal: string): string =>
  String.raw`stty raw -echo; printf '\033[?1049hready'; dd bs=1 count=1 >/dev/null 2>&1; ` +
  String.raw`printf '\033[?1049lleft'; stty -raw echo; kill -${signal} $$; ` +
  String.raw`stty raw -echo; printf '\033[?1049hback'; dd bs=1 count=1 2>/dev/null; printf '\033[?1049l'`;

describe.each([true, false])("suspended (contained: %s)", (contained) => {
  test("Ctrl-Z stops a program that leaves it to the terminal, and the foreman with it; fg continues both", async () => {
    const desk = await Desk.open({ through: SHELL });
    const before = desk.stty("-g");
    await desk.run(["sh", "-c", "echo ready; read -r line; echo got $line"], contained);
    await desk.shows("ready");
    expect(desk.stty("-g")).not.toBe(before);
    await desk.press("\u001a");
    await desk.shows(/stopped: 1(48|47)/);
    expect(desk.stty("-g")).toBe(before);
    await desk.press("\n");
    await desk.rawAgain(before);
    await desk.press("more\n");
    await desk.shows("got more");
    expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
  });

  test.each(["TSTP", "STOP"])("a program that stops itself by SIG%s", async (signal) => {
    const desk = await Desk.open({ through: SHELL });
    const before = desk.stty("-g");
    await desk.run(["sh", "-c", selfStopping(signal)], contained);
    await desk.shows("ready");
    await desk.press("\u001a");
    await desk.shows(/left.*stopped: 1(48|47)/s);
    expect(desk.stty("-g")).toBe(before);
    await desk.press("\n");
    await desk.shows("\u001b[?1049hback");
    await desk.press("\n");
    expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
    expect(desk.seen.toString()).toMatch(/back\n\u001b\[\?1049l$/);
  });
});

test("a change of size during the stop is reported afterwards", async () => {
  const desk = await Desk.open({ through: SHELL });
  // The signal for the new size arrives with a delay.
  const waits = `while [ "$(stty size)" != "33 101" ]; do sleep 0.02; done; stty size`;
  await desk.run(["sh", "-c", `echo ready; read -r _; ${waits}`]);
  await desk.shows("ready");
  await desk.press("\u001a");
  await desk.shows("stopped");
  desk.pty.resize({ columns: 101, rows: 33 });
  const before = desk.stty("-g");
  await desk.press("\n");
  await desk.rawAgain(before);
  await desk.press("\n");
  expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
  expect(desk.seen.toString()).toContain("33 101");
});

test("without job control to continue it, it just continues", async () => {
  const desk = await Desk.open();
  await desk.run(["sh", "-c", "echo ready; read -r line; echo got $line"]);
  await desk.shows("ready");
  await desk.press("\u001a");
  await desk.shows("^Z");
  await desk.press("more\n");
  expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
  expect(desk.seen.toString()).toContain("got more");
});
