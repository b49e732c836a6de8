import fs from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programVersion } from "../../src/platform/files/program-version.ts";

/** A directory with these files; a text `-> target` makes a link. */
function place(files: Readonly<Record<string, string>>): (name: string) => string {
  const dir = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-version-")));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name);
    fs.mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith("->")) fs.symlinkSync(text.slice(2), path);
    else fs.writeFileSync(path, text);
  }
  return (name) => join(dir, name);
}

test("a program of an npm package has the package's version, through the link on the PATH", () => {
  const at = place({
    "lib/agent/package.json": JSON.stringify({ version: "2.1.0-beta.3", bin: { agent: "dist/cli.js" } }),
    "lib/agent/dist/cli.js": "",
    "bin/agent": "->../lib/agent/dist/cli.js",
  });
  expect(programVersion(at("bin/agent"))).toBe("2.1.0-beta.3");
});

test("takes the version from a program file's name", () => {
  const at = place({ "share/versions/2.1.325": "", "bin/claude": "->../share/versions/2.1.325" });
  expect(programVersion(at("bin/claude"))).toBe("2.1.325");
});

test.each([
  ["is not there", {}],
  [
    "lies in a project that does not name it",
    { "package.json": '{"version":"1.0.0","bin":"other.js"}', agent: "" },
  ],
  ["has a manifest that is none", { "package.json": "{", agent: "" }],
  ["has a version that is none", { "package.json": '{"version":"\\u001b[31m","bin":"agent"}', agent: "" }],
])("no version for a program that %s", (_, files) => {
  expect(programVersion(place(files)("agent"))).toBeNull();
});
