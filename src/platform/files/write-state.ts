import { Failure, messageOf } from "../failure.ts";

/** Runs a write of our own state. A failure ends the run and names the path. */
export function writeState<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}
