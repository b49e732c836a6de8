const MAX_MESSAGE = 500;

/** Foreign text as one bounded line. */
export function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= MAX_MESSAGE ? flat : `${flat.slice(0, MAX_MESSAGE)} ...`;
}
