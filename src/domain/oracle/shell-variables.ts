const ASSIGNED = /^([A-Za-z_]\w*)(\+?)=([^]*)$/;
const DECLARES = /^(?:export|readonly|local)$/;
/** They may be put into each other. */
const LONGEST_VALUE = 500;
/** What only the shell knows; and what starts at the root of all files is better found by its end. */
const NOT_PLAIN = /[\0$]|^[/~]|^$/;

/** The variables of a shell text that have one plain value only, as far as it is read. */
export class ShellVariables {
  /** Null: nobody can tell. */
  readonly #values = new Map<string, string | null>();

  valueOf(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  /** By a command that does nothing else. */
  assign(words: readonly string[]): void {
    const assignments = DECLARES.test(words[0] ?? "") ? words.slice(1) : words;
    const found = assignments.map((word) => ASSIGNED.exec(word));
    if (found.includes(null)) return;
    for (const assignment of found) {
      const [, name = "", added = "", value = ""] = assignment ?? [];
      const before = this.#values.get(name);
      const isPlain = added === "" && value.length < LONGEST_VALUE && !NOT_PLAIN.test(value);
      this.#values.set(name, isPlain && (before === undefined || before === value) ? value : null);
    }
  }

  forget(names: readonly string[]): void {
    for (const name of names) this.#values.set(name, null);
  }
}
