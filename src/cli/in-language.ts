import type { Config } from "./config/config.ts";
import { Failure } from "../platform/failure.ts";
import type { Lang } from "../core/settings.ts";
import type { Io } from "./io.ts";

/** Runs an action in the language of flag and configuration. Its failures use the same language. */
export async function inLanguage(
  flags: { readonly lang?: Lang },
  config: Config,
  io: Io,
  work: (io: Io) => Promise<number>,
): Promise<number> {
  const lang = flags.lang ?? config.lang.value ?? io.lang;
  try {
    return await work({ ...io, lang });
  } catch (error) {
    if (error instanceof Failure) error.lang ??= lang;
    throw error;
  }
}
