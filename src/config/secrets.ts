import { SECRET_PATTERNS } from "../domain/secret-patterns.ts";

/** A word of a name. `TOKENS` is a number of tokens, so it is not among them. */
const SECRET_WORD =
  /(?:token|secret|password|passwd|passphrase|credentials?)$|^(?:api|access|auth|private)?key$|^(?:pass|pat|bearer|authorization)$/i;
/** What a name ends in that tells where a secret is, or something about it, but not the secret itself. */
const NOT_ITSELF = /^(?:file|path|dir|url|uri|helper|name|id|ttl|ms|sec|seconds|limit|count|type)$/i;
/** The value behind `name:` or `name=`, unless it is a reference. What stands before is looked at, not taken: it may be another's value. */
const VALUE_OF_NAME = /(?<=([A-Za-z][\w-]{0,99})["']?\s{0,9}[:=][\s["'{]{0,9})(?!\$)[^\s"',}\]#[{]+/g;
const URL_CREDENTIALS = /(:\/\/)([^\s/@]{1,500})@/g;

/** Whether what goes by this name is a secret: `ANTHROPIC_API_KEY`, `--auth-token`, `apiKey`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").split(/[_-]+/);
  return !NOT_ITSELF.test(words.at(-1) ?? "") && words.some((word) => SECRET_WORD.test(word));
}

export function holdsKnownKey(text: string): boolean {
  return SECRET_PATTERNS.some(({ form }) => text.search(form) !== -1);
}

/** Off, on and nothing are no secrets under whatever name. */
export function isHarmless(value: string): boolean {
  return /^(?:true|false|0|1|)$/i.test(value.trim());
}

/** `--api-key=…`, `API_KEY=… agent`: a value given by a name that is a secret's, unless a shell fills it in. */
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

/** A line of a file as it may be shown. Everything keeps its place, for the caret below it. */
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
