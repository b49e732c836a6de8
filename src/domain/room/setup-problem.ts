/** How a failed `--setup` is recorded where a problem of the room is free text, and found again to be said in another language. */
export function setupProblem(command: string, exit: string): string {
  return `--setup failed (exit ${exit}): ${command}`;
}

export function readSetupProblem(
  problem: string,
): { readonly command: string; readonly exit: string } | null {
  const { command, exit } =
    /^--setup failed \(exit (?<exit>\d+)\): (?<command>[^]*)$/.exec(problem)?.groups ?? {};
  return command === undefined || exit === undefined ? null : { command, exit };
}
