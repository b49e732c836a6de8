/** The protected entries of a file, with comparable values. */
export type Entries = ReadonlyMap<string, string>;

/** Reads files of which only some entries are protected. */
export interface EntryFormat {
  /** Null if the text cannot be parsed. */
  readonly entriesIn: (text: string) => Entries | null;
  /** The text with the base's entries in place of its own; null if that is impossible. A missing base has none. */
  readonly laidOver: (text: string, base: string | null) => string | null;
}

/** The names of entries that differ. */
export function differing(one: Entries, other: Entries): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name)).sort();
}
