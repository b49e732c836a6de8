/** The entries of a file that belong to the oracle, with what they say in a form that can be compared. */
export type Entries = ReadonlyMap<string, string>;

/** How a file is read of which only some entries belong to the oracle. */
export interface EntryFormat {
  /** Null where it cannot be read. */
  readonly entriesIn: (text: string) => Entries | null;
  /** The text with the base's entries in place of its own; null where that cannot be done. An absent base has none. */
  readonly laidOver: (text: string, base: string | null) => string | null;
}

/** Names of those that are not the same. */
export function differing(one: Entries, other: Entries): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name)).sort();
}
