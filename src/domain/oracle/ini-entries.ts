import type { Entries, EntryFormat } from "./entries.ts";

/** All that Python takes for one, and with it the readers of these files. */
const LINE_END = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

interface Section {
  readonly name: string | null;
  /** With the line that names it. */
  readonly lines: readonly string[];
}

/** Sections by name; one that ends with a star stands for all that begin so. */
export function iniFormat(selectors: readonly string[]): EntryFormat {
  const isOracle = (name: string | null): name is string =>
    name !== null &&
    selectors.some((selector) =>
      selector.endsWith("*") ? name.startsWith(selector.slice(0, -1)) : name === selector,
    );
  return {
    entriesIn: (text) => {
      const told = new Map<string, string[]>();
      for (const { name, lines } of sectionsIn(text, isOracle)) {
        if (!isOracle(name)) continue;
        const before = told.get(name);
        const now = before ?? [];
        // Named again, it may be the rest of a value to somebody.
        for (const line of before === undefined ? lines.slice(1) : lines)
          if (!/^\s*(?:[#;]|$)/.test(line)) now.push(line.trimEnd());
        told.set(name, now);
      }
      return new Map([...told].map(([name, lines]) => [name, lines.join("\n")])) satisfies Entries;
    },
    laidOver: (text, base) => {
      const kept = sectionsIn(text, isOracle).filter(({ name }) => !isOracle(name));
      const laid = base === null ? [] : sectionsIn(base, isOracle).filter(({ name }) => isOracle(name));
      return [...kept, ...laid].flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join("");
    },
  };
}

function sectionsIn(text: string, isOracle: (name: string) => boolean): Section[] {
  const sections: { readonly name: string | null; readonly lines: string[] }[] = [{ name: null, lines: [] }];
  const lines = text.replace(/^\ufeff/, "").split(LINE_END);
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const header = /^(\s*)\[([^\]]+)\]/.exec(line);
    // Readers differ about one that is set off: it may be the rest of a value. For those that matter it is no value.
    if (header !== null && (header[1] === "" || isOracle(header[2] ?? "")))
      sections.push({ name: header[2] ?? "", lines: [line] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}
