import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const PINS = JSON.parse(fs.readFileSync(new URL("pins.json", import.meta.url), "utf8"));
const NPM_LIMIT_MS = 10 * 60_000;
const ABANDONED_MS = 60 * 60_000;

/** @returns {string} the directory of the clients: outside the package, shared by all checkouts */
function cacheDir() {
  return process.env["AGENT_FOREMAN_CLIENTS"] ?? join(homedir(), ".cache", "agent-foreman", "clients");
}

/**
 * The programs of all pinned clients but those that `AGENT_FOREMAN_CLIENTS_SKIP` names; missing ones are installed.
 * @param {(line: string) => void} say
 * @returns {Record<string, string>}
 */
export function installAll(say) {
  const skipped = new Set(
    (process.env["AGENT_FOREMAN_CLIENTS_SKIP"] ?? "").split(",").map((name) => name.trim()),
  );
  const cache = cacheDir();
  fs.mkdirSync(cache, { recursive: true });
  sweep(cache);
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, pin] of Object.entries(PINS))
    if (skipped.has(name)) say(`${name}: skipped, as AGENT_FOREMAN_CLIENTS_SKIP says`);
    else found[name] = install(cache, name, pin, say);
  return found;
}

function install(cache, name, pin, say) {
  const version = pin.slice(pin.lastIndexOf("@") + 1);
  const place = join(cache, `${name}@${version}`);
  // It gets its name once it is complete and has run, so a directory with the name is usable.
  if (!fs.existsSync(place)) {
    say(`${name}: installing ${pin} into ${cache}`);
    const fresh = fs.mkdtempSync(join(cache, `.${name}-`));
    try {
      const trouble = attempt(fresh, name, pin, version);
      const again = trouble === null ? null : attempt(fresh, name, pin, version);
      if (again !== null) throw new Error(`${name}: ${pin} cannot be installed, tried twice:\n${again}`);
      settle(fresh, place);
    } finally {
      fs.rmSync(fresh, { recursive: true, force: true });
    }
  }
  return join(place, "node_modules", ".bin", name);
}

/** Two processes may install at once. The first to finish wins, and the copies are equal. */
function settle(fresh, place) {
  // It was created for this user alone, but a cache may be shared.
  fs.chmodSync(fresh, 0o755);
  try {
    fs.renameSync(fresh, place);
  } catch (error) {
    if (!fs.existsSync(place)) throw error;
  }
}

/** @returns {string | null} the error */
function attempt(dir, name, pin, version) {
  const npm = spawnSync(
    "npm",
    ["install", "--prefix", dir, "--no-audit", "--no-fund", "--engine-strict=false", pin],
    { cwd: dir, encoding: "utf8", timeout: NPM_LIMIT_MS },
  );
  if (npm.status !== 0) return `npm install: ${npm.error?.message ?? npm.stderr.trim()}`;
  // Native binaries are optional packages, so npm succeeds without them.
  const home = fs.mkdtempSync(join(dir, ".home-"));
  const run = spawnSync(join(dir, "node_modules", ".bin", name), ["--version"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    timeout: 60_000,
  });
  fs.rmSync(home, { recursive: true, force: true });
  if (run.status === 0 && run.stdout.includes(version)) return null;
  return `${name} --version: ${run.error?.message ?? `exit ${run.status}: ${run.stdout}${run.stderr}`}`;
}

/** Removes copies of processes that were killed during installation. */
function sweep(cache) {
  for (const name of fs.readdirSync(cache).filter((entry) => entry.startsWith("."))) {
    const path = join(cache, name);
    const age = Date.now() - (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > ABANDONED_MS) fs.rmSync(path, { recursive: true, force: true });
  }
}
