/** Our words, left out if the person's own arguments contain one of the flags that would contradict them. */
export function unlessGiven(
  args: readonly string[],
  flags: readonly string[],
  words: readonly string[],
): readonly string[] {
  return args.some((arg) => isOneOf(arg, flags)) ? [] : words;
}

/** A person's arguments without those flags and their values: all words up to the next flag. */
export function withoutFlags(args: readonly string[], flags: readonly string[]): readonly string[] {
  let dropping = false;
  return args.filter((arg) => {
    if (arg.startsWith("-")) dropping = isOneOf(arg, flags);
    return !dropping;
  });
}

function isOneOf(arg: string, flags: readonly string[]): boolean {
  return flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`));
}
