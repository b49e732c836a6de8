/** Somebody looks at it, and it can be steered. CI services allocate terminals, too, but keep a log of them. */
export function isTerminal(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && env["TERM"] !== "dumb" && !isCi(env);
}

export function isCi(env: NodeJS.ProcessEnv): boolean {
  return isOn(env["CI"]);
}

/** NO_COLOR beats FORCE_COLOR. */
export function wantsColor(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  return forced === "" ? terminal : isOn(forced);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
