import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Files of packages by name and version. `package.json` gets more fields. */
export type Packages = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

interface Version {
  readonly manifest: object;
  readonly tarball: Buffer;
}

/** A package registry on loopback for real package managers. */
export class Registry {
  readonly #server: Server;
  readonly #versions = new Map<string, Version>();
  readonly #packages: Packages;
  url = "";

  private constructor(packages: Packages, server: Server) {
    this.#packages = packages;
    this.#server = server;
  }

  static async with(packages: Packages): Promise<Registry> {
    const server = createServer();
    const registry = new Registry(packages, server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    registry.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    for (const [name, versions] of Object.entries(packages))
      for (const [version, files] of Object.entries(versions)) registry.#add(name, version, files);
    server.on("request", (request, response) => {
      const found = registry.#answer(request.url ?? "");
      response.statusCode = found === null ? 404 : 200;
      response.end(found ?? "{}");
    });
    onTestFinished(() => registry.close());
    return registry;
  }

  /** Makes the registry unreachable. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #add(name: string, version: string, files: Readonly<Record<string, string>>): void {
    const own = JSON.parse(files["package.json"] ?? "{}") as object;
    const manifest = { name, version, ...own };
    const tarball = packed({ ...files, "package.json": JSON.stringify(manifest) });
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const shasum = createHash("sha1").update(tarball).digest("hex");
    const dist = { tarball: `${this.url}${name}/-/${name}-${version}.tgz`, integrity, shasum };
    this.#versions.set(`${name}-${version}`, { manifest: { ...manifest, dist }, tarball });
  }

  #answer(url: string): Buffer | string | null {
    const tarball = /\/-\/(.+)\.tgz$/.exec(url)?.[1];
    if (tarball !== undefined) return this.#versions.get(tarball)?.tarball ?? null;
    const name = url.slice(1);
    const versions = Object.keys(this.#packages[name] ?? {});
    if (versions.length === 0) return null;
    const manifests = versions.map((version) => [
      version,
      this.#versions.get(`${name}-${version}`)?.manifest,
    ]);
    return JSON.stringify({
      name,
      "dist-tags": { latest: versions.at(-1) },
      versions: Object.fromEntries(manifests) as object,
    });
  }
}

function packed(files: Readonly<Record<string, string>>): Buffer {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-package-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      const place = join(dir, "package", path);
      fs.mkdirSync(dirname(place), { recursive: true });
      fs.writeFileSync(place, text, { mode: path.startsWith("bin/") ? 0o755 : 0o644 });
    }
    const { stdout } = spawnSync("tar", ["-C", dir, "-czf", "-", "package"]);
    return stdout;
  } finally {
    fs.rmSync(dir, { recursive: true });
  }
}
