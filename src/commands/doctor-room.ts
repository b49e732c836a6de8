import fs from "node:fs";
import { isBestEffort, type Containment } from "../domain/event.ts";
import type { Finding } from "../domain/finding.ts";
import { sandboxProblem } from "../process/sandbox.ts";

/** A kernel setting that forbids what containment needs, and the value with which it does. */
const FORBIDDING = [
  ["kernel.apparmor_restrict_unprivileged_userns", "1"],
  ["kernel.unprivileged_userns_clone", "0"],
  ["user.max_user_namespaces", "0"],
] as const;

type Setting = (name: string) => string | undefined;

/** The setting of the kernel that forbids namespaces, if it is one. */
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
  /** The directory in which it was tried. */
  readonly where: string;
}

/** Which kind of clean room checks get. */
export function roomFinding(overlayWorks: boolean, { platform, level, where }: Surroundings): Finding {
  const check = "room";
  if (overlayWorks) return { check, level: "ok", code: "room_overlay", about: { kind: "overlay", where } };
  const about = { kind: "copy", where, platform, contained: !isBestEffort(level) };
  return { check, level: "warning", code: "room_copy", about };
}

/** Nobody is worse off without one who does not ask for it. */
export function sandboxFinding(
  why: string | null,
  { platform, setting }: { readonly platform: string; readonly setting: Setting },
): Finding {
  const check = "sandbox";
  if (why === null) return { check, level: "ok", code: "sandbox_works", about: {} };
  const level = "info";
  switch (sandboxProblem(why)) {
    case "not_installed":
      return { check, level, code: "sandbox_not_installed", about: { why, platform } };
    case "forbidden":
      return { check, level, code: "sandbox_forbidden", about: { why, by: forbiddenBy(setting) } };
    case "other":
      return { check, level, code: "sandbox_fails", about: { why } };
  }
}
