export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isFilled(value: unknown): value is string {
  return isText(value) && value.trim() !== "";
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => isText(item));
}

const CUT = " ...";

/** Foreign text as one line of at most `max` UTF-16 units. */
export function oneLine(text: string, max: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= max) return flat;
  const cut = flat.slice(0, max - CUT.length);
  // Not between the halves of a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}${CUT}`;
}
