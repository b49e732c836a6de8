import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";

const WAYS = [
  ["unshare", "--net"],
  ["unshare", "--user", "--map-root-user", "--net"],
];
const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/**
 * The words before a command that give it a network with only loopback, or the reason why that is impossible.
 * @returns {{ words: string[] } | { trouble: string }}
 */
export function sandbox() {
  /** @type {string[]} */
  const troubles = [];
  for (const way of WAYS) {
    const words = [...way, "sh", "-c", LOOPBACK_UP, "sh"];
    const probe = spawnSync(words[0] ?? "", [...words.slice(1), "true"], {
      encoding: "utf8",
      env: { ...process.env, PATH: pathWithTools() },
    });
    if (probe.status === 0) return { words };
    troubles.push(probe.error?.message ?? probe.stderr.trim());
  }
  return { trouble: troubles.join("; ") };
}

/** The PATH of users other than root lacks the directory of `ip`. */
export function pathWithTools() {
  return [process.env["PATH"] ?? "", "/usr/sbin", "/sbin"].join(delimiter);
}
