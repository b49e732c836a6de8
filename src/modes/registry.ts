import { beginIn, type Begin, ImpossibleEvent } from "../core/fold.ts";
import type { ModeWork } from "../engine/ports.ts";
import type { ModeView } from "../ui/mode-view.ts";
import { chat } from "./chat/mode.ts";
import type { Mode } from "./mode.ts";
import { orchestrate } from "./orchestrate/mode.ts";
import { analyze, steps } from "./steps/mode.ts";
import { supervise } from "./supervise/mode.ts";

export const MODES: readonly Mode[] = [supervise, steps, analyze, orchestrate, chat];

type Named = { readonly mode: string };

export class Registry {
  readonly #modes: ReadonlyMap<string, Mode>;

  constructor(modes: readonly Mode[]) {
    this.#modes = new Map(modes.map((mode) => [mode.rules.name, mode]));
  }

  /** The mode that a run was started in. */
  readonly of = ({ mode }: Named): Mode | undefined => this.#modes.get(mode);

  readonly begin: Begin = (event, at) => {
    if (event.type !== "run_started")
      throw new ImpossibleEvent(`a journal starts with run_started, not ${event.type}`);
    const mode = this.of(event.settings);
    if (!mode) throw new ImpossibleEvent(`there is no mode ${event.settings.mode}`);
    return beginIn(mode.rules, event, at);
  };
}

export const { of: modeOf, begin } = new Registry(MODES);

export function workOf(settings: Named): ModeWork {
  const mode = modeOf(settings);
  if (!mode) throw new Error(`there is no mode ${settings.mode}`);
  return mode.work;
}

/** A forged journal can name an unknown mode. `runs` must still list it and the other runs. */
export function viewOf({ settings }: { readonly settings: Named }): ModeView {
  return (modeOf(settings) ?? supervise).view;
}
