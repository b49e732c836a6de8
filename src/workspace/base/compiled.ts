/**
 * The folders among a tree's files in which Python keeps what it compiled. It runs what is there in place of the source, and where the
 * compiled file says so without comparing the two: whoever reads the source would see something else.
 */
export function compiledPaths(files: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of files) {
    // It may be a link to such a folder.
    const folder = /^(?:.*?\/)?__pycache__(?=\/|$)/s.exec(path)?.[0];
    if (folder !== undefined) found.add(folder);
  }
  return [...found];
}
