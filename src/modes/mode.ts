import type { ModeRules } from "../core/mode.ts";
import type { Settings } from "../core/settings.ts";
import type { ModeWork } from "../engine/ports.ts";
import type { ModeView } from "../ui/mode-view.ts";

/** A mode has a folder and a line in the registry. Code outside of this folder never compares names of modes. */
export interface Mode<S extends Settings = Settings> {
  /** Pure decisions of the run. */
  readonly rules: ModeRules<S>;
  readonly work: ModeWork<S>;
  readonly view: ModeView<S>;
}
