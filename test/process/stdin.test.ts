import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Control } from "../../src/platform/process/ending.ts";
import { talkByNode } from "../../src/platform/process/stdin.ts";
import { Bench, node, WAYS } from "./machine.ts";

const MB = 1024 * 1024;
const EXITED = { kind: "exited", code: 0 };

describe.each(WAYS)("standard input by %s", (way) => {
  test("is empty, if not said otherwise", async () => {
    const ran = await new Bench(way).run("cat; echo end");
    expect(ran.out).toBe("end\n");
  });

  test("is a file of any size and name", async () => {
    const bench = new Bench(way);
    const text = `it's "long" $HOME\n${"x".repeat(2 * MB)}`;
    const path = bench.write("a prompt's file", text);
    const ran = await bench.run("cat", { stdin: { kind: "file", path } });
    expect(ran.process.end).toEqual(EXITED);
    expect(ran.out).toBe(text);
  });

  test("that is missing keeps the command from starting", async () => {
    const bench = new Bench(way);
    const path = join(bench.dir, "nowhere");
    const ran = await bench.run("echo started", { stdin: { kind: "file", path } });
    expect(ran.process.end).toMatchObject({
      kind: "not_started",
      message: expect.stringContaining("standard input: ENOENT"),
    });
    expect(ran.out).toBe("");
  });

  test("is a conversation: each answer waits for the previous message", async () => {
    let say: (text: string) => void = () => undefined;
    let control: Control | undefined;
    const answers = ["one\n", "two\n"];
    const ran = await new Bench(way).run('while read -r line; do echo "heard $line"; done; echo bye', {
      stdin: {
        kind: "conversation",
        onOpen: (send) => {
          say = send;
          send("hello\n");
        },
      },
      watch: (given) => {
        control = given;
      },
      onOutput: () => {
        const answer = answers.shift();
        if (answer === undefined) control?.finish();
        else say(answer);
      },
    });
    expect(ran.out).toBe("heard hello\nheard one\nheard two\nbye\n");
    expect(ran.process.end).toEqual(EXITED);
  });

  test("takes more at once than a pipe can buffer, and still ends after it", async () => {
    let finish = (): void => undefined;
    const ran = await new Bench(way).run("echo ready; wc -c", {
      stdin: { kind: "conversation", onOpen: (send) => send("x".repeat(3 * MB)) },
      watch: (control) => {
        finish = control.finish;
      },
      onOutput: () => finish(),
    });
    expect(ran.out.replaceAll(" ", "")).toBe(`ready\n${3 * MB}\n`);
  });

  test("of a command that exits without reading causes no error", async () => {
    let say: (text: string) => void = () => undefined;
    const bench = new Bench(way);
    const ran = await bench.run("exec <&-; echo deaf", {
      stdin: {
        kind: "conversation",
        onOpen: (send) => {
          say = send;
          send("x".repeat(MB));
        },
      },
      onOutput: () => say("more"),
    });
    say("too late");
    expect(ran.process.end).toEqual(EXITED);
    expect((await bench.run("cat")).out).toBe("");
  });

  test("can be waited for by an event loop", async () => {
    let say: (text: string) => void = () => undefined;
    const ran = await new Bench(way).run(
      node(
        'process.stdin.once("data", (d) => { console.log("got " + d); process.exit(0); }); console.log("ready")',
      ),
      {
        stdin: {
          kind: "conversation",
          onOpen: (send) => {
            say = send;
          },
        },
        onOutput: () => say("it"),
      },
    );
    expect(ran.out).toBe("ready\ngot it\n");
  });
});

test("Node's own pipe, as on Windows, works and ends", async () => {
  let say: (text: string) => void = () => undefined;
  const input = talkByNode((send) => {
    say = send;
  });
  const child = spawn("cat", { stdio: [input.stdio, "pipe", "ignore"] });
  input.attach(child);
  say("x".repeat(MB));
  input.end();
  say("too late");
  let bytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => child.once("close", resolve));
  input.close();
  expect(bytes).toBe(MB);
});

test("Node's own pipe without a reader causes no error", () => {
  let opened = 0;
  const input = talkByNode((send) => {
    opened += 1;
    send("hello");
  });
  input.attach(undefined);
  input.end();
  input.close();
  expect(opened).toBe(1);
});
