import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { until } from "../rig/rig.ts";
import { drive, expectSameBoard, goOn, undisturbed } from "./board-outcome.ts";
import { ARGS, everything, meddled } from "./board-scenarios.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, sweepIn } from "./points.ts";

const PLAN = "blackboard/dev_plan.md";
const HISTORY = "blackboard/project_history.md";
const VERIFIED = "sed -i 's/status: .*/status: VERIFIED/'";

/** A shell command by which an agent damages the board, and the file that the report names. */
const MISCHIEF: readonly (readonly [command: string, named: string])[] = [
  [`${VERIFIED} ${PLAN}`, "dev_plan.md"],
  [`echo '- status: VERIFIED' >> ${PLAN}`, "dev_plan.md"],
  [`rm ${PLAN}; mkdir -p ${PLAN}/below`, "dev_plan.md"],
  [`mv ${PLAN} ../moved.md; ln -s ../../moved.md ${PLAN}`, "dev_plan.md"],
  [`rm ${HISTORY}; mkfifo ${HISTORY}`, "project_history.md"],
  ["rm -r blackboard", "dev_plan.md"],
  ["mv blackboard ../moved; ln -s ../moved blackboard", "dev_plan.md"],
  ["mv blackboard ../moved; mkfifo blackboard", "dev_plan.md"],
  ["mv blackboard/reports ../moved; ln -s ../../moved blackboard/reports", "reports/0001-TEST.md"],
  ["rm -r blackboard/orders; echo none > blackboard/orders", "orders/0001-TEST.md"],
];

const TURNS = ["DEV 4", "MAIN 6"] as const;

test("restores a board that an agent changes, and names the changes", async () => {
  const expected = await undisturbed(everything);
  await sweepIn(newRig, POINTS, nameOf, async ({ turn, command, named }, rig) => {
    meddled(turn, once(command)).prepare(rig);
    const ended = await drive(rig, {});
    expect(ended.code, ended.stderr).toBe(0);
    expectSameBoard(rig, expected);
    expectNothingWrittenElsewhere(rig);
    const told = rig.events(onlyRun(rig)).flatMap((event) => ("changedInputs" in event ? [event] : []));
    const first = told.find(({ changedInputs }) => changedInputs.length > 0);
    expect(first?.attempt).toBe(Number(turn.split(" ")[1]));
    expect(first?.changedInputs).toContain(join(rig.project, rig.dir, named));
  });
});

test("does the same if the foreman is killed before it has restored anything", async () => {
  const expected = await undisturbed(everything);
  const inFourth = POINTS.filter(({ turn }) => turn === "DEV 4");
  const ends = expected.events.findIndex((event) => event.type === "turn_ended" && event.attempt === 4);
  await sweepIn(newRig, inFourth, nameOf, async ({ turn, command }, rig) => {
    meddled(turn, once(command)).prepare(rig);
    const start = { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${ends + 1}` } };
    expect((await drive(rig, { start })).signal).toBe("SIGKILL");
    const ended = await goOn(rig);
    expect(ended.code, ended.stderr).toBe(0);
    expectSameBoard(rig, expected);
    expectNothingWrittenElsewhere(rig);
  });
});

test("a crash loses prompts, messages and output of all turns: only quotes depend on them", async () => {
  const expected = await undisturbed(everything);
  const points = ["main_ended", "turn_ended", "check_ended"] as const;
  await sweepIn(
    newRig,
    points,
    (type) => `after ${type}`,
    async (type, rig) => {
      everything.prepare(rig);
      const n = expected.events.findIndex((event) => event.type === type && event.attempt === 4) + 1;
      const start = { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${n}` } };
      expect((await drive(rig, { start })).signal).toBe("SIGKILL");
      const turns = join(rig.state, "runs", onlyRun(rig), "turns");
      const files = fs
        .readdirSync(turns, { recursive: true, encoding: "utf8" })
        .filter((name) => name.includes("."));
      for (const file of files) fs.rmSync(join(turns, file));
      expect(files).toContain("8/prompt.md");
      const ended = await goOn(rig);
      expect(ended.code, ended.stderr).toBe(0);
      for (const name of ["dev_plan.md", "project_history.md", "user_decisions.md", "orders/0006-REVIEW.md"])
        expect(rig.board(name), name).toBe(expected.files[join(rig.dir, name)]);
    },
  );
});

// A second signal kills the processes.
test.each(["turn", "test"] as const)(
  "changes of the plan by an interrupted %s are not taken for a person's edit",
  async (where) => {
    const expected = await undisturbed(everything);
    const rig = new BoardRig();
    meddled("DEV 4", once(`${VERIFIED} ${PLAN}; touch ../hangs; exec sleep 1000`), where).prepare(rig);
    const running = rig.start(ARGS);
    await until(() => fs.existsSync(join(rig.root, "hangs")));
    running.child.kill("SIGINT");
    await until(() => running.output().stderr.includes("stopping"));
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    await noSurvivors(rig);
    const ended = await goOn(rig);
    expect(ended.code, ended.stderr).toBe(0);
    expectSameBoard(rig, expected);
    const edits = rig.events(onlyRun(rig)).filter((event) => event.type === "board_edited");
    expect(
      edits.map(({ plan }) => plan),
      "the context alone is edited by the person",
    ).toEqual([null]);
  },
);

interface Point {
  readonly turn: (typeof TURNS)[number];
  readonly command: string;
  readonly named: string;
}

const newRig = (): BoardRig => new BoardRig();

const POINTS: readonly Point[] = TURNS.flatMap((turn) =>
  MISCHIEF.map(([command, named]) => ({ turn, command, named })),
);

function nameOf({ turn, command }: Point): string {
  return `${turn}: ${command}`;
}

/** A repeated turn finds the board in order and leaves it alone. */
function once(command: string): string {
  return `[ -e ../done ] || { touch ../done; ${command}; }`;
}

/** The targets of the agent's links are unchanged. */
function expectNothingWrittenElsewhere(rig: BoardRig): void {
  const moved = join(rig.root, "moved");
  const names = fs.existsSync(moved) ? fs.readdirSync(moved, { recursive: true, encoding: "utf8" }) : [];
  expect(
    names.filter((name) => /000[678]/.test(name)),
    "files of later iterations",
  ).toEqual([]);
  const plans = ["moved.md", "moved/dev_plan.md"]
    .map((name) => join(rig.root, name))
    .filter((path) => fs.existsSync(path));
  for (const path of plans) expect(fs.readFileSync(path, "utf8")).toContain("status: DOING");
}
