import { SECRET_PATTERNS } from "../../text/secret-patterns.ts";

/** One word of a name. `TOKENS` is missing because it is a number of tokens. */
const SECRET_WORD =
  /(?:token|secret|password|passwd|passphrase|credentials?)$|^(?:api|access|auth|private)?key$|^(?:pass|pat|bearer|authorization)$/i;
/** Endings of names that describe a secret (its file, its age) and do not hold it. */
const NOT_ITSELF = /^(?:file|path|dir|url|uri|helper|name|id|ttl|ms|sec|seconds|limit|count|type)$/i;
/** Matches the value after `name:` or `name=` unless it is a reference. The lookbehind leaves the name to other matches. */
const VALUE_OF_NAME = /(?<=([A-Za-z][\w-]{0,99})["']?\s{0,9}[:=][\s["'{]{0,9})(?!\$)[^\s"',}\]#[{]+/g;
const URL_CREDENTIALS = /(:\/\/)([^\s/@]{1,500})@/g;

/** Whether a name is that of a secret: `ANTHROPIC_API_KEY`, `--auth-token`, `apiKey`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").split(/[_-]+/);
  return !NOT_ITSELF.test(words.at(-1) ?? "") && words.some((word) => SECRET_WORD.test(word));
}

export function holdsKnownKey(text: string): boolean {
  return SECRET_PATTERNS.some(({ form }) => text.search(form) !== -1);
}

/** Switches and empty values are never secrets. */
export function isHarmless(value: string): boolean {
  return /^(?:true|false|0|1|)$/i.test(value.trim());
}

/** True for `--api-key=…` or `API_KEY=… agent`, unless the shell expands the value. */
export function assignsSecret(text: string): boolean {
  return [...text.matchAll(/([A-Za-z][\w-]*)=["']?([^\s"']+)/g)].some(
    ([, name = "", value = ""]) => isSecretName(name) && !value.startsWith("$") && !isHarmless(value),
  );
}

export function urlHoldsSecret(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.username !== "" ||
    url.password !== "" ||
    [...url.searchParams].some(([name, value]) => isSecretName(name) && !isHarmless(value))
  );
}

/** A source line without its secrets. Columns stay the same because of the caret below. */
export function withoutSecrets(line: string): string {
  const unnamed = line
    .replace(URL_CREDENTIALS, (_, sign: string, secret: string) => `${sign}${stars(secret)}@`)
    .replace(VALUE_OF_NAME, (value, name: string) => (isSecretName(name) ? stars(value) : value));
  return SECRET_PATTERNS.reduce(
    (shown, { form }) =>
      shown.replace(form, (match, captured: unknown) => {
        const kept = typeof captured === "string" ? captured : "";
        return kept + stars(match.slice(kept.length));
      }),
    unnamed,
  );
}

export function stars(secret: string): string {
  return "*".repeat(secret.length);
}
