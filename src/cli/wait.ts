/** Polls until the condition is true or the time is up; returns the last result. */
export async function waitUntil(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
