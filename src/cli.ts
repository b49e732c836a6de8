#!/usr/bin/env node
import { VERSION } from "./version.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  // Everything else is loaded only when it is needed: a version is asked for in prompts and scripts, and must not be felt.
  process.stdout.write(`${VERSION}\n`);
} else {
  const { main } = await import("./commands/main.ts");
  process.exitCode = await main(args);
}
