import type { Containment } from "../../core/event.ts";

/** Names of mechanisms are the same in every language. */
export const MECHANISMS: Readonly<Record<Containment, string>> = {
  pid_namespace: "pid namespace",
  user_pid_namespace: "user pid namespace",
  bubblewrap: "bubblewrap",
  process_group: "process group",
  process_tree: "process tree",
};
