import { about, codes, foreign, object, type TypeOf } from "../../text/shape.ts";

/** Of a test command. If the set-up before it failed: the set-up's last lines. */
export const notStarted = about(
  object({
    why: codes(["not_found", "inner_not_found", "not_executable", "no_script", "setup_failed"]),
    said: foreign(),
  }),
  "why the command could not start, and the line that says so",
);
export type NotStarted = TypeOf<typeof notStarted>;
