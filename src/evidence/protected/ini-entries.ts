import type { Entries, EntryFormat } from "./entries.ts";

/** Every line end of Python, and so of the readers of these files. */
const LINE_END = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

interface Section {
  readonly name: string | null;
  /** Includes the header line. */
  readonly lines: readonly string[];
}

/** Sections by name; a trailing star matches any name with that prefix. */
export function iniFormat(selectors: readonly string[]): EntryFormat {
  const isProtected = (name: string | null): name is string =>
    name !== null &&
    selectors.some((selector) =>
      selector.endsWith("*") ? name.startsWith(selector.slice(0, -1)) : name === selector,
    );
  return {
    entriesIn: (text) => {
      const found = new Map<string, string[]>();
      for (const { name, lines } of sectionsIn(text, isProtected)) {
        if (!isProtected(name)) continue;
        const before = found.get(name);
        const now = before ?? [];
        // A repeated section may be the rest of a value for some readers.
        for (const line of before === undefined ? lines.slice(1) : lines)
          if (!/^\s*(?:[#;]|$)/.test(line)) now.push(line.trimEnd());
        found.set(name, now);
      }
      return new Map([...found].map(([name, lines]) => [name, lines.join("\n")])) satisfies Entries;
    },
    laidOver: (text, base) => {
      const kept = sectionsIn(text, isProtected).filter(({ name }) => !isProtected(name));
      const laid = base === null ? [] : sectionsIn(base, isProtected).filter(({ name }) => isProtected(name));
      return [...kept, ...laid].flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join("");
    },
  };
}

function sectionsIn(text: string, isProtected: (name: string) => boolean): Section[] {
  const sections: { readonly name: string | null; readonly lines: string[] }[] = [{ name: null, lines: [] }];
  const lines = text.replace(/^\ufeff/, "").split(LINE_END);
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const header = /^(\s*)\[([^\]]+)\]/.exec(line);
    // Readers differ about an indented header: it may be the rest of a value. The relevant readers do not treat it as one.
    if (header !== null && (header[1] === "" || isProtected(header[2] ?? "")))
      sections.push({ name: header[2] ?? "", lines: [line] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}
