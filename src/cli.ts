import { main } from "./commands/main.ts";

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
