import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { claude } from "../../src/agents/claude.ts";
import { finish, openMachine } from "../../src/cli/open-run.ts";
import { outcomeOf } from "../../src/core/end.ts";
import { Redactor } from "../../src/text/redact.ts";
import type { RoomSettings } from "../../src/core/evidence/settings.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { RunState } from "../../src/core/state.ts";
import { Interrupt } from "../../src/platform/process/interrupt.ts";
import { drive, record } from "../../src/engine/engine.ts";
import type { RunContext } from "../../src/engine/ports.ts";
import { removeRooms } from "../../src/evidence/checks/run-in-room.ts";
import { Stop } from "../../src/platform/process/stop.ts";
import { Digests } from "../../src/platform/files/digests.ts";
import { Inbox } from "../../src/core/journal/inbox.ts";
import { RunStore } from "../../src/core/journal/run-store.ts";
import { openReporter } from "../../src/screens/open.ts";
import { receiptPathFor } from "../../src/evidence/receipt/receipt.ts";
import { WorkTree } from "../../src/platform/git/tree.ts";
import { pipe } from "../reporters/rig.ts";
import { ROOM } from "../rig/room-story.ts";
import { profile, RUN_ID, started } from "../rig/story.ts";
import { MODES, Registry } from "../../src/modes/registry.ts";
import { toy } from "./toy.ts";

/** The registry with a sixth mode. `toy.ts` takes the place of its folder. */
const registry = new Registry([...MODES, toy]);

const ZOO_CLAUDE = join(import.meta.dirname, "..", "zoo", "agents", "claude");
const CHECK = "grep -q turn work.txt";

interface ToyRun {
  readonly state: RunState;
  readonly exitCode: number;
  /** The state from the journal alone. */
  readonly read: RunState;
  readonly shown: string;
  readonly report: { readonly mode: string; readonly final_status: string; readonly attempts: string[] };
  readonly hasReceipt: boolean;
}

/** The real loop, journal, agent process, checks and report. Only the mode is a toy. */
async function runToy(does: string, room: RoomSettings | null): Promise<ToyRun> {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-toy-")));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const cwd = join(root, "project");
  fs.mkdirSync(cwd);
  fs.cpSync(inject("repository"), join(cwd, ".git"), { recursive: true });
  const store = new RunStore(join(root, "state"), registry.begin);
  const mode = registry.of({ mode: "toy" })?.work;
  if (!mode) throw new Error("the toy is registered");
  const paths = store.create(RUN_ID, { cwd, args: [] });
  if (!paths) throw new Error("the run exists");
  const agent = profile("claude");
  const reportPath = join(root, "report.json");
  const event = started({ task: "the task", agents: [agent], cwd, calledFrom: cwd, reportPath, room });
  const settings = { ...event.settings, mode: "toy", check: CHECK, maxLoops: 2 } as unknown as Settings;
  const stdout = pipe();
  const machine = openMachine(paths, RUN_ID);
  const redactor = new Redactor([]);
  const journal = store.newJournal(RUN_ID);
  const context: RunContext = {
    mode,
    store,
    paths,
    journal,
    machine,
    redactor,
    tree: new WorkTree(cwd, [join(root, "state"), reportPath]),
    rooms: {
      kind: "copy",
      base: null,
      start: null,
      seen: null,
      setUpsDone: new Map(),
      caches: new Map(),
      setUps: [],
    },
    stop: new Stop(),
    interrupt: new Interrupt(),
    now: () => new Date(),
    inbox: new Inbox(paths.inbox),
    files: {},
    digests: new Digests(),
    texts: new Map(),
    agents: new Map([
      [
        agent.name,
        {
          profile: agent,
          adapter: claude,
          options: {
            program: ZOO_CLAUDE,
            args: [],
            env: { HOME: root, CLAUDE_DOES: does },
            model: null,
            endpoint: null,
          },
        },
      ],
    ]),
    reporter: openReporter({
      runId: RUN_ID,
      lang: "en",
      mode: "auto",
      verbose: false,
      stdout: stdout.stream,
      stderr: pipe().stream,
      env: {},
      redact: (text) => text,
    }),
    live: null,
    askPerson: async () => null,
    editedBoard: () => null,
  };
  record(context, { ...event, settings });
  const state = await drive(context);
  const exitCode = finish(context, state);
  removeRooms(paths.dir, RUN_ID);
  machine.launcher?.close();
  machine.pipes.remove();
  journal.close();
  return {
    state,
    exitCode,
    read: store.read(RUN_ID).state,
    shown: stdout.text,
    report: JSON.parse(fs.readFileSync(reportPath, "utf8")) as ToyRun["report"],
    hasReceipt: fs.existsSync(receiptPathFor(reportPath)),
  };
}

const ROOMS: [where: string, room: RoomSettings | null][] = [
  ["in the work tree", null],
  ["in a clean room", ROOM],
];

test.each(ROOMS)(
  "an agent's word is not enough, and work that passes the check is accepted, %s",
  async (_, room) => {
    const { state, exitCode, read, shown, report, hasReceipt } = await runToy("lie work", room);
    expect(outcomeOf(state)).toMatchObject({ status: "passed", reason: "accepted" });
    expect(exitCode).toBe(0);
    expect(state.attempts.map(({ judged }) => judged?.verdict)).toEqual(["rejected", "accepted"]);
    expect(read).toEqual(state);
    expect(report).toMatchObject({
      mode: "toy",
      final_status: "passed",
      attempts: ["rejected", "accepted"],
    });
    expect(shown).toContain(CHECK);
    expect(hasReceipt).toBe(room !== null);
  },
);

test.each(ROOMS)("the limit ends a run that never passes its check, %s", async (_, room) => {
  const { state, exitCode, report } = await runToy("lie", room);
  expect(outcomeOf(state)).toMatchObject({ status: "failed", reason: "limit_reached" });
  expect(exitCode).toBe(1);
  expect(report.attempts).toEqual(["rejected", "rejected"]);
});
