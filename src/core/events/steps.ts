import {
  about,
  codes,
  flag,
  foreign,
  list,
  nullable,
  object,
  onlyTrue,
  optional,
  ordinal,
  path,
  sha256,
  type TypeOf,
} from "../../text/shape.ts";
import { stepStatus, unitTest } from "../step.ts";
import { defineEvent, type EventOf } from "./define-event.ts";

/** The run starts a step. */
export const stepStarted = defineEvent("step_started", {
  owner: "run",
  durable: false,
  shape: {
    /** In the order of the settings. */
    step: ordinal,
    /** The step is marked as done, and the run checks that it still is. */
    regression: flag,
  },
});
export type StepStarted = EventOf<typeof stepStarted>;

/** The step's file now has this status. The mark for work under way begins an attempt. */
export const stepMarked = defineEvent("step_marked", {
  owner: "run",
  durable: false,
  shape: {
    step: ordinal,
    status: stepStatus,
    unitTest: nullable(unitTest),
    sha256,
    /** Another program or person changed the file; their text was kept. */
    edited: flag,
  },
});
export type StepMarked = EventOf<typeof stepMarked>;

/** The step's file could not be read or written, or is not the one that the run was started with. */
export const stepRefused = defineEvent("step_refused", {
  owner: "run",
  durable: true,
  shape: { step: ordinal, why: codes(["changed", "invalid", "write_failed"]), message: foreign() },
});
export type StepRefused = EventOf<typeof stepRefused>;

export const plannedStep = object({
  summary: about(foreign(), "the first line of its description"),
  done: flag,
  covers: about(nullable(list(foreign())), "ids of requirements; null: not stated by the agent"),
});
/** A step of an analysis. */
export type PlannedStep = TypeOf<typeof plannedStep>;

/** A requirement of a document, by the document's structure. `id`: `R1`, in the order of the document. */
export const requirement = object({ id: foreign(), line: ordinal, text: foreign() });
export type Requirement = TypeOf<typeof requirement>;

/** The result of an analysis. */
export const stepsWritten = defineEvent("steps_written", {
  owner: "analyze",
  durable: false,
  shape: {
    /** In a dry run: where they would be. */
    dir: path,
    files: list(foreign()),
    /** The step in each file. */
    steps: list(plannedStep),
    /** The requirements of the document. */
    requirements: list(requirement),
    /** Absent if they were written. */
    unchanged: optional(about(onlyTrue, "the directory already contained exactly these files")),
  },
});
export type StepsWritten = EventOf<typeof stepsWritten>;
