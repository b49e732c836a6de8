import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

/** Saves the policy that it finds and prints nothing. */
const MIMIC = `#!/bin/sh
cat > /dev/null
for word in "$@"; do case "$word" in --policy=*) cat "\${word#--policy=}" > "$SEEN" ;; esac; done
echo '{"type":"result","status":"success"}'
`;
const FULL_DISK = `import fs from "node:fs";
const write = fs.writeFileSync;
fs.writeFileSync = (path, ...rest) => {
  if (String(path).endsWith("policy.toml")) throw new Error("no space left on the disk");
  return write(path, ...rest);
};
`;

class Planned extends Rig {
  readonly seen = join(this.root, "seen");

  async plan(preload?: string): Promise<{ code: number | null; stderr: string; seen: string | null }> {
    this.write("requirements.md", "# Greeting\n\nGreet the world.\n");
    const program = join(this.home, "gemini");
    fs.writeFileSync(program, MIMIC, { mode: 0o755 });
    const profiles = { gemini: { program, env: { SEEN: this.seen } } };
    this.write("agent-foreman.yaml", JSON.stringify({ profiles }));
    const words = ["analyze", "requirements.md", "--agents", "gemini"];
    const { code, stderr } = await this.run(
      [...words, "--lang", "en"],
      preload === undefined ? {} : { preload },
    );
    return { code, stderr, seen: fs.existsSync(this.seen) ? fs.readFileSync(this.seen, "utf8") : null };
  }
}

test("an agent's restricting files are on disk when it starts", async () => {
  const { seen } = await new Planned().plan();
  expect(seen).toContain('toolName = "*"\ndecision = "deny"');
  expect(seen).toContain('"read_file"');
});

test("does not start an agent whose file cannot be written, and stops the run", async () => {
  const rig = new Planned();
  const preload = join(rig.home, "full-disk.mjs");
  fs.writeFileSync(preload, FULL_DISK);
  const { code, stderr, seen } = await rig.plan(preload);
  expect(code).toBe(6);
  expect(stderr).toContain("policy.toml");
  expect(stderr).toContain("no space left on the disk");
  expect(seen).toBeNull();
});
