// Bundles the command line program into dist/cli.cjs and the files it loads when a command needs them, with every dependency
// inside, and collects the licences of what was bundled. CommonJS, because Node starts it a third faster than a module.
import { existsSync, readdirSync, mkdirSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");
const pkg = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * A version is asked for in prompts and scripts and must not be felt. It is told before the program is parsed, which takes
 * longer than all else there: until it is needed the program is a string.
 */
const withVersionFirst = (code) => `#!/usr/bin/env node
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  require("node:fs").writeSync(1, ${JSON.stringify(`${pkg.version}\n`)});
} else {
  module._compile(${JSON.stringify(code)}, __filename);
}
`;

/** `file.md?raw` is the file's text, as it is for the test runner. */
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
  // Native, and not to be had everywhere: looked for when it is needed.
  external: ["@lydell/node-pty"],
  transform: { define: { __VERSION__: JSON.stringify(pkg.version) } },
});
const dist = join(root, "dist");
mkdirSync(dist, { recursive: true });
const { output } = await bundle.generate({
  format: "cjs",
  minify: true,
  entryFileNames: "cli.cjs",
  // Parts of two versions do not fit together: with the hash in its name, a part of another one is not found.
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();
// V8 reads a source of single-byte characters much faster; only messages hold others.
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

/** The folder of the package a bundled module came from. */
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
