import { main } from "./cli/main.ts";

async function run(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2));
}

void run();
