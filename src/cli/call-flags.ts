import type { Command } from "commander";
import type { CallFlag } from "../core/settings.ts";

/** The flags of a call as typed, each with its values. */
export function callFlags(
  { options }: Pick<Command, "options">,
  args: readonly string[],
): readonly CallFlag[] {
  const flags: CallFlag[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") break;
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const option = options.find(({ long }) => long === name);
    if (!option) continue;
    if (equals >= 0) flags.push({ flag: name, values: [word.slice(equals + 1)] });
    else {
      const most = option.variadic ? args.length : option.required ? 1 : 0;
      const values = args.slice(at + 1, at + 1 + most);
      const end = values.findIndex((value, index) => index > 0 && value.startsWith("-"));
      flags.push({ flag: name, values: end < 0 ? values : values.slice(0, end) });
      at += flags.at(-1)?.values.length ?? 0;
    }
  }
  return flags;
}
