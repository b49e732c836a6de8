// Writes schemas/*.json from src/cli/schemas/schema.ts and src/cli/config/schema.ts. With --check it only reports whether they are up to date.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const scratch = mkdtempSync(join(root, "node_modules", ".schemas-"));
try {
  const input = {
    public: join(root, "src/cli/schemas/schema.ts"),
    config: join(root, "src/cli/config/schema.ts"),
  };
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({
    dir: scratch,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name].mjs",
  });
  await bundle.close();
  const load = (name) => import(pathToFileURL(join(scratch, `${name}.mjs`)).href);
  const { jsonSchemaText, publicSchemas } = await load("public");
  const { configSchemaText } = await load("config");
  mkdirSync(join(root, "schemas"), { recursive: true });
  const texts = Object.keys(publicSchemas).map((name) => [name, jsonSchemaText(name)]);
  for (const [name, text] of [...texts, ["config.schema.json", configSchemaText()]]) {
    const path = join(root, "schemas", name);
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
    if (check) {
      process.exitCode = 1;
      process.stderr.write(`schemas/${name} is out of date: npm run schemas\n`);
    } else writeFileSync(path, text);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
