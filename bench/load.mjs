// Loads a source module directly, to measure parts that are invisible from outside the program.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const repo = join(import.meta.dirname, "..");

/** `path` begins at the root of the repository. */
export async function loadSource(path) {
  const bundle = await rolldown({ input: join(repo, path), platform: "node" });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  const dir = mkdtempSync(join(tmpdir(), "foreman-bench-source-"));
  try {
    const file = join(dir, "module.mjs");
    writeFileSync(file, output[0].code);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
