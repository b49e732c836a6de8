import { Needles, type Needle } from "./multi-pattern-search.ts";

/** A value that must not be shown, and its name. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

export const MARK = "[redacted]";

const MARKS = /\[redacted(?: [^\]]*)?\]/;

/** Whether something was removed from a text, or may have been. */
export function isMarked(text: string): boolean {
  return MARKS.test(text);
}

/** Whether a redacted text may originally have been this one. The variables with the secrets may be gone by now. */
export function canHaveBeen(redacted: string, text: string): boolean {
  if (!isMarked(redacted)) return redacted === text;
  const literal = (part: string): string => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(`^${redacted.split(MARKS).map(literal).join(".+")}$`, "s").test(text);
}

export function canBeAmong(redacted: readonly string[], text: string): boolean {
  return redacted.some((one) => canHaveBeen(one, text));
}

/** Shorter values occur in too many unrelated texts. */
export const MIN_LENGTH = 8;

/** The minimum even for named secrets; otherwise no text would stay readable. */
const SHORTEST = 3;

/** A word in the name that marks a secret: `OPENAI_API_KEY`, `PGPASSWORD`, `_authToken`; not `KEYBOARD`, `TOKENIZERS_PARALLELISM`. */
const SECRET_NAME =
  /(?:^|[^a-z0-9])(?:[a-z0-9]*(?:key|token|secret|password|passwd|passphrase|credential)s?|auth|authorization|pat)(?:$|[^a-z0-9])/i;
/** Variables about a secret rather than the secret itself: `SSH_AUTH_SOCK`, `GPG_KEY_FILE`, `TOKEN_URL`. */
const ABOUT_A_SECRET =
  /(?:^|_)(?:sock|socket|agent|path|file|dir|home|url|uri|endpoint|host|port|user|username|name|type|method|mode|provider|region|ttl|expiry|expires|version|helper)$/i;
/** By their root folders, because a base64 key may begin with a slash too. */
const PATH =
  /^(?:~|\.{1,2}|[A-Z]:|\/(?:home|root|Users|run|etc|var|usr|opt|tmp|private|mnt|srv|dev|proc|bin|nix|app|workspaces?))[/\\]/;
const NUMBER = /^[\d.,_-]+$/;

/** The secrets in an environment: variables with a secret's name, and those that the caller names. */
export function secretsFrom(
  env: Readonly<Record<string, string | undefined>>,
  extraNames: readonly string[] = [],
): Secret[] {
  const named = new Set(extraNames);
  return Object.entries(env).flatMap(([name, value = ""]) =>
    value !== "" && (named.has(name) || looksSecret(name, value)) ? [{ name, value }] : [],
  );
}

function looksSecret(name: string, value: string): boolean {
  if (value.length < MIN_LENGTH || PATH.test(value) || NUMBER.test(value)) return false;
  return SECRET_NAME.test(name) && !ABOUT_A_SECRET.test(name);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The values to search for, each with the mark that replaces it. */
export function needlesOf(secrets: readonly Secret[]): Needles<Uint8Array> {
  const long = secrets.flatMap(withItsLines).filter(({ value }) => value.length >= SHORTEST);
  const marks = [MARK, ...new Set(long.map(({ name }) => markOf(name)))];
  const needles = new Map<string, Needle<Uint8Array>>();
  for (const { name, value } of long)
    for (const form of formsOf(value)) {
      // Otherwise it would be found again in its own replacement, without end.
      const inAMark = marks.some((mark) => mark.includes(form));
      if (inAMark || needles.has(form)) continue;
      needles.set(form, { bytes: encoder.encode(form), meaning: encoder.encode(markOf(name)) });
    }
  return new Needles([...needles.values()]);
}

/** A key of several lines may appear line by line; its frame is no secret. */
function withItsLines(secret: Secret): Secret[] {
  const lines = secret.value.split(/\r?\n/);
  if (lines.length === 1) return [secret];
  const secretLines = lines.filter((line) => line.length >= MIN_LENGTH && !line.startsWith("-----"));
  return [secret, ...secretLines.map((value) => ({ name: secret.name, value }))];
}

function markOf(name: string): string {
  return name === "" ? MARK : `[redacted ${name}]`;
}

/** The forms of a value in output: plain, in JSON, in JSON within JSON, in an address, and in base64. */
function formsOf(value: string): string[] {
  const json = inJson(value);
  const base64 = inBase64(value);
  const forms = [value, json, inJson(json), inAddress(value), ...base64];
  const addressable = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...forms, ...addressable])].filter(
    (form) => form.length >= Math.min(MIN_LENGTH, value.length),
  );
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Half a character cannot be encoded and becomes a replacement character. */
function inAddress(value: string): string {
  return encodeURIComponent(decoder.decode(encoder.encode(value)));
}

/**
 * Whole, and as part of a longer value (`user:password`): three bytes become four characters, so there are three alignments,
 * and the characters at the edges depend on the neighbours.
 */
function inBase64(value: string): string[] {
  const bytes = Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join("");
  const inside = [0, 1, 2].map((offset) => {
    const encoded = btoa("\0".repeat(offset) + bytes);
    return encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [btoa(bytes), ...inside];
}
