/** What a prompt is filled with. A prompt without the required ones could not do its job. */
export const PLACEHOLDERS = [
  "task",
  "plan",
  "plan_file",
  "feedback",
  "tests",
  "protocol",
  "attempt",
  "max_attempts",
  "cwd",
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
const REQUIRED: readonly Placeholder[] = ["task", "protocol"];

const PATTERN = /\{\{\s*([^{}\n]*?)\s*\}\}/g;

export type TemplateProblem =
  | { readonly kind: "unknown"; readonly name: string; readonly line: number }
  | { readonly kind: "missing"; readonly name: Placeholder };

export function templateProblems(text: string): TemplateProblem[] {
  const used = [...text.matchAll(PATTERN)].map((match) => ({
    name: match[1] ?? "",
    line: text.slice(0, match.index).split("\n").length,
  }));
  const unknown = used
    .filter(({ name }) => !isPlaceholder(name))
    .map((place) => ({ kind: "unknown", ...place }) as const);
  const missing = REQUIRED.filter((name) => used.every((place) => place.name !== name)).map(
    (name) => ({ kind: "missing", name }) as const,
  );
  return [...unknown, ...missing];
}

/** In one pass: what a value holds is text, also if it looks like a placeholder. */
export function fillTemplate(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replace(PATTERN, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole));
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
