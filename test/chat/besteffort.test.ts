import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import type { ChatRig } from "../rig/chat.ts";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { chatRig } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

const SLEEPER = /^\d+ sleep 1000/;

/** An environment in which processes are identified by their environment variables only. */
function plain(rig: ChatRig): { readonly env: Record<string, string> } {
  const [zoo = ""] = (rig.env()["PATH"] ?? "").split(delimiter);
  return { env: { PATH: `${zoo}${delimiter}${withoutNamespaces(rig)["PATH"] ?? ""}` } };
}

describe("chat --supervisor where there are no namespaces", () => {
  test("checks and reviews end what they started, and not the person's agent", async () => {
    const rig = chatRig({ reviews: [{ run: "setsid sleep 1000 >/dev/null 2>&1 &", say: MISSING }, {}] });
    const check = "(setsid sleep 1000 >/dev/null 2>&1 &); true";
    const chat = await talk(rig, ["--check", check], plain(rig));
    await chat.ask("one");
    await rig.happens("attempt_judged", 2);
    expect(rig.eventsOf("run_started")[0]).toMatchObject({ containment: "process_group" });
    expect(rig.survivors().filter((line) => SLEEPER.test(line))).toEqual([]);
    // It is the same agent and accepts input.
    await chat.ask("two");
    await rig.happens("attempt_judged", 3);
    expect(rig.calls("start")).toHaveLength(1);
    expect(rig.inputs()).toEqual(["one", "two"]);
    expect(await chat.leave()).toBe(0);
  });

  test("leftover processes of the agent end when it leaves", async () => {
    const rig = chatRig({ work: [{ run: "setsid sleep 1000 >/dev/null 2>&1 &" }] });
    const chat = await talk(rig, ["--check", "true"], plain(rig));
    await chat.ask("one");
    await rig.happens("attempt_judged");
    expect(rig.survivors().some((line) => SLEEPER.test(line))).toBe(true);
    expect(await chat.leave()).toBe(0);
    expect(rig.eventsOf("live_ended")[0]?.process.leaked.map(({ command }) => command)).toEqual([
      "sleep 1000",
    ]);
  });
});
