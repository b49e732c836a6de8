import fs from "node:fs";
import { isBestEffort, type Containment } from "../core/event.ts";
import { finding, type Finding } from "./finding.ts";
import { sandboxProblem } from "../platform/process/sandbox.ts";

/** Kernel settings that block sandboxes, each with the required value. */
const FORBIDDING = [
  ["kernel.apparmor_restrict_unprivileged_userns", "1"],
  ["kernel.unprivileged_userns_clone", "0"],
  ["user.max_user_namespaces", "0"],
] as const;

type Setting = (name: string) => string | undefined;

/** The kernel setting that forbids namespaces, if any. */
export function forbiddenBy(setting: Setting): string | null {
  const by = FORBIDDING.find(([name, value]) => setting(name) === value);
  return by ? by.join("=") : null;
}

export function kernelSetting(name: string): string | undefined {
  try {
    return fs.readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

interface Surroundings {
  readonly platform: string;
  readonly level: Containment;
  /** The directory of the trial. */
  readonly where: string;
}

/** The kind of clean room that checks get. */
export function roomFinding(overlayWorks: boolean, { platform, level, where }: Surroundings): Finding {
  if (overlayWorks) return finding("ok", "room_overlay", { kind: "overlay", where });
  const about = { kind: "copy", where, platform, contained: !isBestEffort(level) };
  return finding("warning", "room_copy", about);
}

/** A missing sandbox is no problem for users who do not ask for one. */
export function sandboxFinding(
  why: string | null,
  { platform, setting }: { readonly platform: string; readonly setting: Setting },
): Finding {
  if (why === null) return finding("ok", "sandbox_works");
  switch (sandboxProblem(why)) {
    case "not_installed":
      return finding("info", "sandbox_not_installed", { why, platform });
    case "forbidden":
      return finding("info", "sandbox_forbidden", { why, by: forbiddenBy(setting) });
    case "other":
      return finding("info", "sandbox_fails", { why });
  }
}
