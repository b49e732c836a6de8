// Bundles the command line program into one file, dist/cli.js, with every dependency inside, and collects the
// licences of what was bundled.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(join(root, "dist"), { recursive: true, force: true });
const bundle = await rolldown({
  input: join(root, "src/cli.ts"),
  platform: "node",
  transform: { define: { __VERSION__: JSON.stringify(pkg.version) } },
});
const { output } = await bundle.write({
  file: join(root, "dist/cli.js"),
  format: "esm",
  codeSplitting: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
chmodSync(join(root, "dist/cli.js"), 0o755);

/** The folder of the package a bundled module came from. */
function packageRoot(moduleId) {
  let dir = dirname(moduleId);
  while (!existsSync(join(dir, "package.json")) || !JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).name)
    dir = dirname(dir);
  return dir;
}
const packages = new Set(
  output[0].moduleIds.filter((id) => id.includes("node_modules") && existsSync(id)).map((id) => packageRoot(id)),
);
const notices = [...packages].sort((a, b) => a.localeCompare(b)).map((dir) => {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const file = readdirSync(dir).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(dir, file), "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync(join(root, "dist/THIRD_PARTY_LICENSES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
