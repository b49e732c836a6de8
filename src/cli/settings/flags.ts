import { Option, type Command } from "commander";
import type { Lang } from "../../core/settings.ts";
import { flagValueTexts } from "../words/flag-values.ts";
import type { Setting } from "./setting.ts";
import { FLAGS, SETTINGS, type AnyFlags, type FlagName, type Verb } from "./table.ts";

/** Adds the flags of a command, in the order of `FLAGS`. */
export function addFlags(command: Command, verb: Verb, lang: Lang): Command {
  for (const name of FLAGS[verb]) addFlag(command, name, SETTINGS[name], lang);
  return command;
}

/** The parsed value gets the name of the setting. */
export function addFlag(command: Command, name: string, setting: Setting, lang: Lang): Command {
  const { flag = "", help, type, excludes, of = {} } = setting;
  const own = of[command.name()];
  const text = (own?.help ?? help)?.[lang].replaceAll("{verb}", command.name()) ?? "";
  const option = new NamedOption(name, own?.flag ?? flag, text + defaultText(setting, command.name(), lang));
  if (type.choices) option.choices(type.choices);
  if (type.fromFlag) option.argParser<unknown>((given, earlier) => type.fromFlag?.(given, lang, earlier));
  if (excludes !== undefined) option.conflicts(excludes);
  command.addOption(option);
  // Commander sets `--no-...` flags that are absent to true, so that the configuration would never count.
  if (option.negate) command.setOptionValue(name, undefined);
  return command;
}

class NamedOption extends Option {
  readonly #name: string;

  constructor(name: string, flag: string, help: string) {
    super(flag, help);
    this.#name = name;
  }

  override attributeName(): string {
    return this.#name;
  }
}

function defaultText({ type, default: value, of }: Setting, verb: string, lang: Lang): string {
  // An absent flag of `resume` leaves the recorded value.
  if (verb === "resume") return "";
  const isShown = (typeof value === "string" || typeof value === "number") && value !== 0;
  const inHelp = isShown ? String(type.asFlag ? type.asFlag(value) : type.show(value)) : undefined;
  const shown = of?.[verb]?.default ?? inHelp;
  return shown === undefined ? "" : flagValueTexts[lang].byDefault(shown);
}

/** The flag's name as typed: `--max-loops`. */
export function flagOf(name: FlagName, verb?: Verb): string {
  const { flag = "", of }: Setting = SETTINGS[name];
  const [typed = ""] = ((verb && of?.[verb]?.flag) ?? flag).split(" ");
  return typed;
}

/** Flags that were given, of those that a rule is about. */
export function givenFlags(flags: AnyFlags, isMeant: (setting: Setting) => boolean): readonly FlagName[] {
  return ALL_FLAGS.filter((name) => flags[name] !== undefined && isMeant(SETTINGS[name]));
}

const ALL_FLAGS: readonly FlagName[] = [...new Set(Object.values(FLAGS).flat())];
