/**
 * Runs the tests with real clients: installs the clients, then runs vitest in a network with only loopback. All of vitest runs inside, because the
 * model server and the clients must share a network.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { installAll } from "./install.mjs";
import { pathWithTools, sandbox } from "./sandbox.mjs";

const say = (line) => process.stderr.write(`${line}\n`);
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

function main() {
  const clients = installAll(say);
  const place = sandbox();
  if ("trouble" in place) say(`network: OPEN, it could not be shut off (${place.trouble})`);
  else say("network: loopback alone");
  const words = [
    ...("words" in place ? place.words : []),
    ...[process.execPath, vitest, "run", "--config", "vitest.clients.config.ts", ...process.argv.slice(2)],
  ];
  const { status, error } = spawnSync(words[0] ?? "", words.slice(1), {
    cwd: join(import.meta.dirname, "..", ".."),
    stdio: "inherit",
    env: { ...process.env, PATH: pathWithTools(), FOREMAN_TEST_CLIENTS: JSON.stringify(clients) },
  });
  if (error) throw error;
  return status ?? 1;
}

try {
  process.exitCode = main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
