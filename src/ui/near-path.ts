import { relative } from "node:path";

/** A path as a person would type it in the directory `here`. */
export function nearPath(path: string, here: string): string {
  const near = relative(here, path);
  const short = near === "" ? "." : near.startsWith("..") ? path : near;
  // A name that begins like a flag would be taken for one.
  return short.startsWith("-") ? `./${short}` : short;
}
