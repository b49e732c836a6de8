import type { Config } from "../config/config.ts";
import { Failure } from "../domain/failure.ts";
import type { Lang } from "../domain/settings.ts";
import type { Io } from "./io.ts";

/** Works in the language that flag and configuration ask for; what fails is told in it as well. */
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
