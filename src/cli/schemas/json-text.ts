const WIDTH = 110;

/** Formats JSON like the formatter: a list or object stays on one line if it fits. */
export function jsonText(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, inner)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
