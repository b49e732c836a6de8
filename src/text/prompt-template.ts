/** The prompts that a project may replace. */
export const PROMPT_NAMES = [
  "supervise",
  "implement",
  "verify",
  "analyze",
  "main",
  "test",
  "dev",
  "review",
] as const;
export type PromptName = (typeof PROMPT_NAMES)[number];

/** Placeholders of roles that work on a board. */
const ROLE_PLACES = {
  required: ["order", "environment", "protocol"],
  optional: ["task", "cwd", "iteration"],
} as const;

/** Placeholders of each prompt. It does not work without the required ones. */
const PLACES = {
  supervise: {
    required: ["task", "protocol"],
    optional: ["plan", "plan_file", "feedback", "tests", "attempt", "max_attempts", "cwd"],
  },
  implement: {
    required: ["description", "verification", "feedback", "protocol"],
    optional: ["id", "file", "unit_test", "attempt", "max_attempts", "cwd"],
  },
  verify: {
    required: ["description", "verification", "protocol"],
    optional: ["id", "file", "unit_test", "cwd"],
  },
  analyze: {
    required: ["requirements", "feedback", "protocol"],
    optional: ["requirements_file", "cwd"],
  },
  main: {
    required: ["context", "environment", "tree", "history", "situation", "protocol"],
    optional: ["cwd", "iteration", "max_iterations"],
  },
  test: ROLE_PLACES,
  dev: ROLE_PLACES,
  review: ROLE_PLACES,
} as const;
export type Placeholder<N extends PromptName = PromptName> = {
  [Name in PromptName]: (typeof PLACES)[Name]["required" | "optional"][number];
}[N];

export function placeholdersOf(name: PromptName): readonly Placeholder[] {
  return [...PLACES[name].required, ...PLACES[name].optional];
}

const PATTERN = /\{\{\s*([^{}\n]*?)\s*\}\}/g;

export type TemplateProblem =
  | { readonly kind: "unknown"; readonly name: string; readonly line: number }
  | { readonly kind: "missing"; readonly name: Placeholder };

export function templateProblems(text: string, prompt: PromptName): TemplateProblem[] {
  const known: readonly string[] = placeholdersOf(prompt);
  const used = [...text.matchAll(PATTERN)].map((match) => ({
    name: match[1] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
  const unknown = used
    .filter(({ name }) => !known.includes(name))
    .map((place) => ({ kind: "unknown", ...place }) as const);
  const required: readonly Placeholder[] = PLACES[prompt].required;
  const missing = required
    .filter((name) => used.every((place) => place.name !== name))
    .map((name) => ({ kind: "missing", name }) as const);
  return [...unknown, ...missing];
}

/** In one pass: a value stays as it is, even if it looks like a placeholder. */
export function fillTemplate<N extends PromptName>(
  text: string,
  values: Readonly<Record<Placeholder<N>, string>>,
): string {
  const known = new Map<string, string>(Object.entries(values));
  return text.replace(PATTERN, (whole, name: string) => known.get(name) ?? whole);
}
