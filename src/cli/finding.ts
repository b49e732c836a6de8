/** Topics that `doctor` checks. */
export type Check =
  | "containment"
  | "room"
  | "sandbox"
  | "node"
  | "git"
  | "pipes"
  | "pty"
  | "shell"
  | "order"
  | "language"
  | "terminal"
  | "state"
  | "agent"
  | "config";

/** failure: runs are impossible here. warning: runs work with restrictions. info: neutral. */
export type Level = "ok" | "info" | "warning" | "failure";

/** Stable codes, the same in every language. */
export type FindingCode =
  | "contained"
  | "tools_missing"
  | "namespaces_forbidden"
  | "no_namespaces_on_platform"
  | "room_overlay"
  | "room_copy"
  | "room_untried"
  | "sandbox_works"
  | "sandbox_not_installed"
  | "sandbox_forbidden"
  | "sandbox_fails"
  | "node_supported"
  | "node_too_old"
  | "git_found"
  | "git_missing"
  | "pipes_work"
  | "pipes_fail"
  | "pipes_not_needed"
  | "pty_works"
  | "pty_missing"
  | "shell_found"
  | "shell_missing"
  | "order_exact"
  | "order_across_pauses"
  | "language_by_flag"
  | "language_by_locale"
  | "language_by_default"
  | "person_can_be_asked"
  | "nobody_to_ask"
  | "state_usable"
  | "space_low"
  | "state_unusable"
  | "agent_found"
  | "agent_newer"
  | "agent_older"
  | "agent_mute"
  | "agent_not_found"
  | "config_valid"
  | "config_broken"
  | "profile_ready"
  | "profile_not_found"
  | "profile_lacks_variables";

export interface Finding {
  readonly check: Check;
  readonly level: Level;
  readonly code: FindingCode;
  readonly about: Readonly<Record<string, string | number | boolean | null>>;
}
