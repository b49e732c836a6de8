import type { ConfigFault, ConfigProblem } from "../../platform/config-problem.ts";
import { MAX_PROBLEMS, type KeyPath, type ParsedConfig } from "./parse.ts";
import { REFERENCE } from "./resolve-env.ts";
import { assignsSecret, holdsKnownKey, isHarmless, isSecretName, urlHoldsSecret } from "./secrets.ts";

export interface FoundProblem {
  readonly problem: ConfigProblem;
  /** Hidden in the output of all problems. */
  readonly secret: string | null;
}

/** Finds plain secrets in a file, and references to variables that would not work. */
export function findSecrets(parsed: ParsedConfig): readonly FoundProblem[] {
  return textsIn(parsed.raw, [])
    .flatMap(({ text, path, before }) => {
      const fault = faultOf(text, path, before);
      return fault ? [{ text, path, fault }] : [];
    })
    .slice(0, MAX_PROBLEMS)
    .map(({ text, path, fault }) => ({
      problem: parsed.problem(path, fault),
      secret: fault.code === "secret_in_file" ? text : null,
    }));
}

interface Found {
  readonly text: string;
  readonly path: KeyPath;
  /** The preceding element of a list. */
  readonly before: unknown;
}

/** Configuration is never deeper. The bound also stops circular aliases. */
const MAX_DEPTH = 5;

function textsIn(value: unknown, path: KeyPath): readonly Found[] {
  if (path.length > MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      typeof item === "string"
        ? [{ text: item, path: [...path, index], before: value[index - 1] as unknown }]
        : textsIn(item, [...path, index]),
    );
  if (typeof value === "string") return [{ text: value, path, before: undefined }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

function faultOf(text: string, path: KeyPath, before: unknown): ConfigFault | undefined {
  const key = String(path.findLast((part) => typeof part === "string"));
  const secret: ConfigFault = { code: "secret_in_file", key };
  if (holdsKnownKey(text)) return secret;
  const [section, , field] = path;
  if (section === "profiles" && field === "env") {
    if (text.replace(REFERENCE, "").includes("${")) return { code: "bad_reference" };
    const literal = text.search(REFERENCE) === -1 && !isHarmless(text);
    return literal && isSecretName(key) ? secret : undefined;
  }
  if (text.includes("${env:")) return { code: "reference_outside_env" };
  if (section !== "profiles") return undefined;
  if (field === "endpoint") return urlHoldsSecret(text) ? secret : undefined;
  if (field !== "args" && field !== "command") return undefined;
  const givenToFlag =
    typeof before === "string" &&
    /^--?[A-Za-z][\w-]*$/.test(before) &&
    isSecretName(before) &&
    !/^[-$]/.test(text);
  return assignsSecret(text) || givenToFlag ? secret : undefined;
}
