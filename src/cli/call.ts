import type { Config } from "./config/config.ts";
import type { Io } from "./io.ts";
import type { AnyFlags, FlagsOf, Verb } from "./settings/table.ts";
import type { Values } from "./settings/values.ts";

/** A command that was called in a project. */
export interface Call<V extends Verb = Verb, F extends AnyFlags = FlagsOf<V>> {
  readonly verb: V;
  readonly flags: F;
  /** The work directory. */
  readonly cwd: string;
  readonly config: Config;
  /** Of the flags and the configuration. */
  readonly values: Values;
  readonly io: Io;
}
