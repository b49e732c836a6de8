import fs from "node:fs";
import { isBestEffort, type Containment } from "../core/event.ts";
import type { Finding } from "./finding.ts";
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
  const check = "room";
  if (overlayWorks) return { check, level: "ok", code: "room_overlay", about: { kind: "overlay", where } };
  const about = { kind: "copy", where, platform, contained: !isBestEffort(level) };
  return { check, level: "warning", code: "room_copy", about };
}

/** A missing sandbox is no problem for users who do not ask for one. */
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
