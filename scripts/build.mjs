// Bundles the command line program into one file, dist/cli.cjs, with every dependency inside, and collects the licences of
// what was bundled. CommonJS, because Node starts it a third faster than a module.
import { existsSync, readdirSync, mkdirSync, readFileSync, writeFileSync, chmodSync } from "node:fs";
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

const bundle = await rolldown({
  input: join(root, "src/cli.ts"),
  platform: "node",
  transform: { define: { __VERSION__: JSON.stringify(pkg.version) } },
});
mkdirSync(join(root, "dist"), { recursive: true });
const { output } = await bundle.generate({
  format: "cjs",
  codeSplitting: false,
  minify: true,
});
await bundle.close();
// V8 reads a source of single-byte characters much faster; only messages hold others.
const ascii = output[0].code.replace(
  /[^\0-\x7f]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
writeFileSync(join(root, "dist/cli.cjs"), withVersionFirst(ascii));
chmodSync(join(root, "dist/cli.cjs"), 0o755);

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
  output[0].moduleIds
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
writeFileSync(join(root, "dist/THIRD_PARTY_LICENSES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
