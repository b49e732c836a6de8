/** Quotes any word for a POSIX shell. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a word for a POSIX shell, only if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : shellQuoted(text);
}
