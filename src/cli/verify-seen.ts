import type { VerifyCheck, VerifyCode } from "./words/verify.ts";

/** The result of one check of a receipt. `unknown`: this check was not possible here. */
export interface Seen {
  readonly check: VerifyCheck;
  readonly level: "ok" | "unknown" | "refused";
  readonly code: VerifyCode;
  readonly about: Readonly<Record<string, string>>;
  /** Output of a command. */
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

/** Enough characters to distinguish digests. */
export function short(digest: string): string {
  return digest.slice(0, 12);
}
