/** A person looks at it and can steer it. CI services allocate terminals, too, but keep a log of them. */
export function isTerminal(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && env["TERM"] !== "dumb" && !isCi(env);
}

export function isCi(env: NodeJS.ProcessEnv): boolean {
  return isEnabled(env["CI"]);
}

/** NO_COLOR beats FORCE_COLOR. */
export function wantsColor(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  return forced === "" ? terminal : isEnabled(forced);
}

function isEnabled(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
