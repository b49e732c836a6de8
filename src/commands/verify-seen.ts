import type { VerifyCheck, VerifyCode } from "../i18n/verify.ts";

/** One thing that a receipt was held against. `unknown`: it could not be, here. */
export interface Seen {
  readonly check: VerifyCheck;
  readonly level: "ok" | "unknown" | "refused";
  readonly code: VerifyCode;
  readonly about: Readonly<Record<string, string>>;
  /** What a command wrote. */
  readonly lines?: readonly string[];
}

export function saying(check: VerifyCheck) {
  return (level: Seen["level"], code: VerifyCode, about: Seen["about"] = {}): Seen => ({
    check,
    level,
    code,
    about,
  });
}

/** Enough to tell digests apart by. */
export function short(digest: string): string {
  return digest.slice(0, 12);
}
