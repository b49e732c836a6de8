// Writes schemas/*.json from src/reports/schema.ts. With --check it only says whether they are up to date.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const scratch = mkdtempSync(join(root, "node_modules", ".schemas-"));
try {
  const bundle = await rolldown({ input: join(root, "src/reports/schema.ts"), platform: "node" });
  await bundle.write({ file: join(scratch, "schema.mjs"), format: "esm" });
  await bundle.close();
  const { jsonSchemaText, publicSchemas } = await import(pathToFileURL(join(scratch, "schema.mjs")).href);
  mkdirSync(join(root, "schemas"), { recursive: true });
  for (const name of Object.keys(publicSchemas)) {
    const path = join(root, "schemas", name);
    const text = jsonSchemaText(name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    if (check) {
      process.exitCode = 1;
      process.stderr.write(`schemas/${name} is out of date: npm run schemas\n`);
    } else writeFileSync(path, text);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
