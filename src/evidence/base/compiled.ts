/**
 * The `__pycache__` folders of a tree. Python runs their files instead of the source, and some compiled files skip the comparison with it. A
 * reader of the source would see different code.
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
