import { spawn } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import pins from "./pins.json" with { type: "json" };

const INSTALL = join(import.meta.dirname, "install.mjs");
const SCRIPT = `import { installAll } from ${JSON.stringify(INSTALL)};
process.stdout.write(JSON.stringify(installAll(() => undefined)));`;
/** "Installs" clients that only know their version. It fails once per file that it can remove. */
const NPM = `#!/bin/sh
echo "$*" >> "$FAKE/calls"
for trouble in "$FAKE"/trouble-*; do
  [ -e "$trouble" ] && rm "$trouble" && echo "network is down" >&2 && exit 1
done
bin="$3/node_modules/.bin"
mkdir -p "$bin"
for pin in "$@"; do version="\${pin##*@}"; done
for name in ${Object.keys(pins).join(" ")}; do
  printf '#!/bin/sh\\necho "%s"\\n' "\${FAKE_VERSION:-$version}" > "$bin/$name"
  chmod +x "$bin/$name"
done
`;

interface Installed {
  readonly code: number | null;
  readonly found: Readonly<Record<string, string>> | null;
  readonly stderr: string;
}

class Place {
  readonly root = fs.mkdtempSync(join(tmpdir(), "foreman-install-"));
  readonly cache = join(this.root, "cache");

  constructor() {
    fs.mkdirSync(join(this.root, "bin"));
    fs.writeFileSync(join(this.root, "bin", "npm"), NPM, { mode: 0o755 });
    onTestFinished(() => fs.rmSync(this.root, { recursive: true, force: true }));
  }

  trouble(...numbers: readonly number[]): void {
    for (const n of numbers) fs.writeFileSync(join(this.root, `trouble-${n}`), "");
  }

  install(env: Readonly<Record<string, string>> = {}): Promise<Installed> {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
      env: {
        PATH: [join(this.root, "bin"), process.env["PATH"]].join(delimiter),
        FAKE: this.root,
        AGENT_FOREMAN_CLIENTS: this.cache,
        ...env,
      },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) =>
        resolve({ code, stderr, found: code === 0 ? (JSON.parse(stdout) as Record<string, string>) : null }),
      );
    });
  }

  calls(): number {
    return fs.readFileSync(join(this.root, "calls"), "utf8").trim().split("\n").length;
  }

  there(): string[] {
    return fs.readdirSync(this.cache).sort();
  }
}

const PLACES = Object.entries(pins).map(([name, pin]) => `${name}@${pin.slice(pin.lastIndexOf("@") + 1)}`);

it("installs the pinned clients once", async () => {
  const place = new Place();
  const { found } = await place.install();
  expect(Object.keys(found ?? {})).toEqual(Object.keys(pins));
  for (const program of Object.values(found ?? {})) expect(fs.existsSync(program)).toBe(true);
  expect((await place.install()).found).toEqual(found);
  expect(place.calls()).toBe(PLACES.length);
});

it("tries once more after a failure", async () => {
  const place = new Place();
  place.trouble(1);
  expect(await place.install()).toMatchObject({ code: 0 });
  expect(place.there()).toEqual(PLACES);
});

it("fails with the reason, and leaves no partial client", async () => {
  const place = new Place();
  place.trouble(1, 2);
  const { code, stderr } = await place.install();
  expect({ code, there: place.there() }).toEqual({ code: 1, there: [] });
  expect(stderr).toContain(`claude: ${pins.claude} cannot be installed`);
  expect(stderr).toContain("network is down");
});

it("does not take a client that does not run", async () => {
  const place = new Place();
  expect(await place.install({ FAKE_VERSION: "0.0.0" })).toMatchObject({ code: 1 });
  expect(place.there()).toEqual([]);
});

it("leaves out the skipped clients", async () => {
  const place = new Place();
  const { found } = await place.install({ AGENT_FOREMAN_CLIENTS_SKIP: "codex, gemini" });
  expect(Object.keys(found ?? {})).toEqual(["claude", "opencode"]);
});

it("may be run several times at once", async () => {
  const place = new Place();
  const runs = await Promise.all([place.install(), place.install(), place.install()]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(place.there()).toEqual(PLACES);
});

it("takes away what killed runs left half done, but not what another run is at", async () => {
  const place = new Place();
  for (const name of [".claude-left", ".codex-busy"])
    fs.mkdirSync(join(place.cache, name), { recursive: true });
  fs.utimesSync(join(place.cache, ".claude-left"), 0, 0);
  await place.install();
  expect(place.there()).toEqual([".codex-busy", ...PLACES]);
});
