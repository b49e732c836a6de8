import { codes, type TypeOf } from "../../text/shape.ts";

/** How firmly the processes of a command are kept together. */
export const containment = codes([
  "pid_namespace",
  "user_pid_namespace",
  "bubblewrap",
  "process_group",
  "process_tree",
]);
export type Containment = TypeOf<typeof containment>;

/** Whether a process that hides on purpose may outlive its command at this level. */
export function isBestEffort(level: Containment): boolean {
  return level === "process_group" || level === "process_tree";
}
