import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Adapter, AgentOptions } from "../../src/agents/adapter.ts";
import type { FailureClass } from "../../src/core/agent-turn.ts";
import type { Rig } from "../rig/rig.ts";
import { type ClientName, isLeftOut } from "./clients.ts";
import { TOKENS } from "./model/protocol.ts";
import type { Call, ModelError, Step } from "./model/script.ts";
import { ClientRig } from "./rig.ts";

/** Makes clients retry at once if they support it, so that tests need not wait. */
const AT_ONCE = { "retry-after-ms": "1" };
const ANSWER = { input: TOKENS.input, cached: 0, output: TOKENS.output };

export interface Expected {
  readonly class: FailureClass;
  /** The time at which the client may retry, within a minute because some clients round; null: none given. */
  readonly retryAt: Date | null;
}

/** Differences between the clients. */
export interface Particulars {
  /** Whether it repeats the prompt in its stream. */
  readonly echoes: boolean;
  /** A valid session id of this client that has no session. */
  readonly lostSession: string;
  /** Its provider's error for overload. */
  readonly overloaded: ModelError;
  /** Its provider's error for an exhausted plan until `reset`, and its result. */
  readonly quota: (reset: Date) => ModelError;
  readonly quotaFailure: (reset: Date) => Expected;
  /** The login that has a quota, if it differs. */
  readonly quotaEnv?: Readonly<Record<string, string>>;
  /** User settings that forbid the model's next action. */
  readonly denied: (rig: Rig) => Partial<AgentOptions>;
  /** Whether its stream reports denials. */
  readonly tellsDenials: boolean;
  readonly deniedCall: (file: string) => Call;
}

/** Test cases for every client, called and read by its adapter. */
export function describeClient(name: ClientName, adapter: Adapter, particulars: Particulars): void {
  const open = (...steps: Step[]): Promise<ClientRig> => ClientRig.open(name, adapter, () => steps);
  const openAt = (steps: (file: string) => Step[]): Promise<ClientRig> =>
    ClientRig.open(name, adapter, steps);

  describe.skipIf(isLeftOut(name))(`the real ${name}`, () => {
    it("does its work, and is read as completed", async () => {
      const rig = await openAt((path) => [{ write: { path, text: "made" } }, { text: "I made it." }]);
      const taken = await rig.turn();
      expect(taken).toMatchObject({ failure: null, finalText: "I made it.", denials: [], unknownLines: 0 });
      expect(taken.sessionId).toMatch(/\S{8}/);
      expect(taken.usage).toMatchObject({ input: 2 * TOKENS.input, output: 2 * TOKENS.output });
      expect(rig.written()).toBe("made");
    });

    it("takes a prompt of a megabyte", async () => {
      const prompt = `first words ${"word ".repeat(200_000)}last words`;
      // Clients lose unsent output when they exit. If a client echoes the prompt, the model waits for the echo.
      const { promise: echoed, resolve } = withResolvers();
      const rig = await open({ text: "Read.", ...(particulars.echoes ? { after: echoed } : {}) });
      const onOutput = (bytes: number): void => (bytes >= prompt.length ? resolve() : undefined);
      const taken = await rig.turn({ prompt, onOutput });
      expect(taken).toMatchObject({ failure: null, finalText: "Read." });
      const [asked] = rig.model.requests;
      expect(asked?.body.includes("first words word ")).toBe(true);
      expect(asked?.body.includes("word last words")).toBe(true);
    });

    it("resumes its session", async () => {
      const rig = await open({ text: "One." }, { text: "Two." });
      const first = await rig.turn({ prompt: "the first prompt" });
      const second = await rig.turn({
        prompt: "the second prompt",
        session: { kind: "resume", id: first.sessionId ?? "" },
        before: first.sessionTotals,
      });
      expect(second).toMatchObject({ failure: null, finalText: "Two.", sessionId: first.sessionId });
      expect(second.usage).toMatchObject(ANSWER);
      expect(rig.model.requests[1]?.body.includes("the first prompt")).toBe(true);
      expect(rig.model.requests[1]?.body.includes("the second prompt")).toBe(true);
    });

    it("reports that its session is gone", async () => {
      const rig = await open({ text: "Never." });
      const session = { kind: "resume", id: particulars.lostSession } as const;
      expect((await rig.turn({ session })).failure).toMatchObject({ class: "session_lost" });
      expect(rig.model.requests).toEqual([]);
    });

    it.runIf(adapter.can.fork)("continues in a fork without changing the session", async () => {
      const rig = await open({ text: "One." }, { text: "Aside." }, { text: "Two." });
      const first = await rig.turn({ prompt: "the first prompt" });
      const id = first.sessionId ?? "";
      const fork = await rig.turn({
        prompt: "the aside",
        session: { kind: "fork", id },
        before: first.sessionTotals,
      });
      expect(fork).toMatchObject({ failure: null, finalText: "Aside." });
      expect(fork.usage).toMatchObject(ANSWER);
      expect(fork.sessionId).not.toBe(id);
      expect(rig.model.requests[1]?.body.includes("the first prompt")).toBe(true);
      await rig.turn({ prompt: "the second prompt", session: { kind: "resume", id } });
      expect(rig.model.requests[2]?.body.includes("the aside")).toBe(false);
    });

    it.runIf(adapter.can.fork && adapter.can.tools !== "all")(
      "cannot write in a read-only fork",
      async () => {
        const rig = await openAt((path) => [
          { text: "One." },
          { write: { path, text: "by the tool" } },
          { shell: `echo by the shell > ${path}` },
          { text: "I reviewed it." },
        ]);
        const { sessionId } = await rig.turn();
        const fork = await rig.turn({ session: { kind: "fork", id: sessionId ?? "" }, tools: "read" });
        expect(fork).toMatchObject({ failure: null, finalText: "I reviewed it." });
        expect(rig.model.requests).toHaveLength(4);
        expect(rig.written()).toBeNull();
        expect(rig.git("status", "--porcelain")).toBe("");
      },
    );

    it.runIf(adapter.can.tools !== "all")("reads and cannot write where it is to read", async () => {
      const rig = await openAt((path) => [
        ...[
          { write: { path, text: "made" } },
          { text: "I made it." },
          { read: join(path, "..", "notes.txt") },
        ],
        ...[{ write: { path, text: "by the tool" } }, { shell: `echo by the shell > ${path}` }],
        { text: "I reviewed it." },
      ]);
      rig.write("notes.txt", "what the notes say\n");
      const { sessionId, sessionTotals: before } = await rig.turn();
      const session = { kind: "resume", id: sessionId ?? "" } as const;
      const review = await rig.turn({ session, before, tools: "read" });
      expect(review).toMatchObject({ failure: null, finalText: "I reviewed it." });
      const saw = rig.model.requests.map(({ body }) => body.includes("what the notes say"));
      expect(saw).toEqual([false, false, false, true, true, true]);
      expect(rig.written()).toBe("made");
    });

    it.runIf(adapter.can.tools === "none")("gets no tools if it must have none", async () => {
      const rig = await openAt((path) => [
        ...[{ write: { path, text: "by the tool" } }, { shell: `echo by the shell > ${path}` }],
        { text: "I decided." },
        ...[{ write: { path, text: "by the tool" } }, { text: "I decided again." }],
      ]);
      const first = await rig.turn({ tools: "none" });
      expect(first).toMatchObject({ failure: null, finalText: "I decided." });
      const session = { kind: "resume", id: first.sessionId ?? "" } as const;
      const second = await rig.turn({ session, tools: "none", before: first.sessionTotals });
      expect(second).toMatchObject({ failure: null, finalText: "I decided again." });
      expect(rig.model.requests.map(({ tools }) => tools)).toEqual([[], [], [], [], []]);
      expect(rig.written()).toBeNull();
      expect(rig.git("status", "--porcelain")).toBe("");
    });

    const errors: readonly (readonly [string, ModelError, FailureClass])[] = [
      ["a refused key", { status: 401, message: "invalid x-api-key" }, "auth"],
      ["too many requests", { status: 429, message: "Too many requests" }, "rate_limited"],
      ["a broken server", { status: 500, message: "Internal server error" }, "overloaded"],
      ["an overloaded service", particulars.overloaded, "overloaded"],
    ];
    it.each(errors)("reports %s", async (_what, error, expected) => {
      const rig = await open({ error: { ...error, headers: { ...AT_ONCE, ...error.headers } } });
      const taken = await rig.turn();
      expect(taken.failure).toMatchObject({ class: expected });
      expect(taken.finalText).toBe("");
    });

    it("reports a dropped connection", async () => {
      const rig = await open({ drop: true });
      // Some clients retry for minutes. After the third request they are terminated.
      const taken = await rig.turn({ endAt: rig.model.asked(3) });
      expect(taken.failure).toMatchObject({ class: "unreachable" });
    });

    it("reports a connection that is lost in the middle of an answer", async () => {
      const rig = await open({ cut: true });
      const taken = await rig.turn({ endAt: rig.model.asked(4) });
      expect(taken.failure).toMatchObject({ class: "unreachable" });
    });

    it("reports a quota, and when it ends", async () => {
      const reset = new Date(Math.ceil(Date.now() / 60_000 + 60) * 60_000);
      const error = particulars.quota(reset);
      const rig = await open({ error: { ...error, headers: { ...AT_ONCE, ...error.headers } } });
      rig.change({ env: particulars.quotaEnv ?? {} });
      const { failure } = await rig.turn();
      const expected = particulars.quotaFailure(reset);
      expect(failure).toMatchObject({ class: expected.class });
      expect(apart(failure?.retryAt ?? null, expected.retryAt)).toBeLessThan(90_000);
    });

    it.each(["request", "stream"] as const)("is ended when the model hangs in a %s", async (hang) => {
      const rig = await open({ hang });
      const taken = await rig.turn({ endAt: rig.model.asked(1) });
      expect(taken.failure).toMatchObject({ class: "timeout" });
      expect(taken.finalText).toBe("");
    });

    it("reports that its tools were denied, if it can", async () => {
      const rig = await openAt((path) => [particulars.deniedCall(path), { text: "I made it." }]);
      rig.change(particulars.denied(rig));
      const taken = await rig.turn();
      expect(rig.written()).toBeNull();
      expect(taken.filesTouched).toEqual([]);
      expect({ class: taken.failure?.class, denials: taken.denials.length }).toEqual(
        particulars.tellsDenials ? { class: "permission", denials: 1 } : { class: undefined, denials: 0 },
      );
    });
  });
}

/** The distance in milliseconds; infinite if only one of them is a time. */
function apart(at: string | null, expected: Date | null): number {
  if (at === null || expected === null) return at === expected ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(Date.parse(at) - expected.getTime());
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
