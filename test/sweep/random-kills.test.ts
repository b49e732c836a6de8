import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import * as board from "./board-outcome.ts";
import { ARGS, everything } from "./board-scenarios.ts";
import * as chat from "./chat-outcome.ts";
import {
  atTerminal,
  expectAccepted,
  expectNextRun,
  LIVE_ARGS,
  liveRig,
  undisturbedEvents,
} from "./live-person.ts";
import { onlyRun } from "./outcome.ts";
import { runOrHang } from "./points.ts";
import { killAtRandom } from "./random-kills.ts";

const HOUR = 3_600_000;

function boardRig(): BoardRig {
  const rig = new BoardRig();
  rig.alwaysWith({ cleanRoom: true });
  return rig;
}

function printRig(): chat.PrintRig {
  const rig = new chat.PrintRig();
  rig.alwaysWith({ cleanRoom: true });
  return rig;
}

test(
  "orchestrate in the clean room: SIGKILL at random moments, resumed until it ends",
  { timeout: HOUR },
  async () => {
    const expected = await board.undisturbed(everything, boardRig);
    const problems = await killAtRandom("orchestrate", {
      newRig: () => {
        const rig = boardRig();
        everything.prepare(rig);
        return rig;
      },
      args: ARGS,
      stages: [expected.stages.start, expected.stages.resume],
      answer: board.answer,
      goOn: board.goOn,
      expectEnd: (rig, ended) => board.expectSameOutcome(rig, ended, expected),
    });
    expect(problems).toEqual([]);
  },
);

test(
  "chat --print in the clean room: SIGKILL at random moments, resumed until it ends",
  { timeout: HOUR },
  async () => {
    const expected = await chat.undisturbed(printRig);
    const problems = await killAtRandom("chat --print", {
      newRig: printRig,
      args: chat.ARGS,
      stages: [expected.events.length],
      goOn: (rig) => runOrHang(rig, ["resume", onlyRun(rig)]),
      expectEnd: (rig, ended) => chat.expectSameOutcome(rig, ended, expected),
    });
    expect(problems).toEqual([]);
  },
);

test(
  "chat --supervisor in a terminal, in the clean room: SIGKILL at random moments, resumed until it ends",
  { timeout: HOUR },
  async () => {
    const problems = await killAtRandom("chat --supervisor", {
      newRig: liveRig,
      args: LIVE_ARGS,
      stages: [await undisturbedEvents()],
      run: atTerminal,
      goOn: (rig) => atTerminal(rig, ["resume", onlyRun(rig)]),
      expectEnd: expectAccepted,
      expectNext: expectNextRun,
    });
    expect(problems).toEqual([]);
  },
);
