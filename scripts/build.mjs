// Bundles the program into dist/cli.cjs with all dependencies, plus files that commands load on demand. Also collects the licenses of bundled
// packages. CommonJS, because Node starts it a third faster than a module.
import { existsSync, readdirSync, mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * Prompts and scripts call `--version`, so it must be instant. Parsing takes the longest, so the rest of the program is a string until it is
 * needed.
 */
const withVersionFirst = (code) => `#!/usr/bin/env node
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  require("node:fs").writeSync(1, ${JSON.stringify(`${pkg.version}\n`)});
} else {
  module._compile(${JSON.stringify(code)}, __filename);
}
`;

/** `file.md?raw` imports the text of a file, as in the test runner. */
const rawText = {
  name: "raw-text",
  resolveId: (id, importer) => (id.endsWith("?raw") ? join(dirname(importer), id) : null),
  load: (id) =>
    id.endsWith("?raw")
      ? `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))};`
      : null,
};

const bundle = await rolldown({
  input: join(root, "src/cli.ts"),
  platform: "node",
  plugins: [rawText],
  // A native module that is not available everywhere, so it is loaded on demand.
  external: ["@lydell/node-pty"],
  transform: { define: { __VERSION__: JSON.stringify(pkg.version) } },
});
const dist = join(root, "dist");
mkdirSync(dist, { recursive: true });
const { output } = await bundle.generate({
  format: "cjs",
  minify: true,
  entryFileNames: "cli.cjs",
  // Chunks of two versions must not mix. With a hash in its name, a chunk of another version is not found.
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();
// V8 reads single-byte source much faster. Only messages contain other characters.
const ascii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
for (const { fileName, code, isEntry } of output)
  writeFileSync(join(dist, fileName), isEntry ? withVersionFirst(ascii(code)) : ascii(code));
writeFileSync(
  join(dist, "ccc.cjs"),
  `#!/usr/bin/env node
process.argv.splice(2, 0, "chat");
require("./cli.cjs");
`,
);
for (const name of ["cli.cjs", "ccc.cjs"]) chmodSync(join(dist, name), 0o755);
const current = new Set(["ccc.cjs", ...output.map(({ fileName }) => fileName)]);
for (const name of readdirSync(dist))
  if (name.endsWith(".cjs") && !current.has(name)) rmSync(join(dist, name));

/** The package folder of a bundled module. */
function packageRoot(moduleId) {
  let dir = dirname(moduleId);
  while (
    !existsSync(join(dir, "package.json")) ||
    !JSON.parse(readFileSync(join(dir, "package.json"), "utf8")).name
  )
    dir = dirname(dir);
  return dir;
}
const packages = new Set(
  output
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.includes("node_modules") && existsSync(id))
    .map((id) => packageRoot(id)),
);
const notices = [...packages]
  .sort((a, b) => a.localeCompare(b))
  .map((dir) => {
    const { name, version, license } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    const file = readdirSync(dir).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(dir, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
writeFileSync(join(dist, "THIRD_PARTY_LICENSES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
