/** Encodes a failed `--setup` in the room's free-text problem field, so that it can be shown in another language later. */
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
