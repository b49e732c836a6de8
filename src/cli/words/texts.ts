import type { Lang } from "../../core/settings.ts";

/** A text in each language. `{name}` is replaced by the value of that name. */
export type Texts = Readonly<Record<Lang, string>>;
export type About = Readonly<Record<string, string>>;

/** The message of a failure. A text that is the same in each language, such as a command, is written once. */
export interface FailureTexts extends Texts {
  /** Shown below the message, line by line. */
  readonly lines?: string | Texts;
  /** One helpful action, or one command to paste; a command has no other text here. */
  readonly next?: string | Texts;
  /** Explains the command, or names another way. */
  readonly also?: string | Texts;
}

/** Texts that depend on the values are functions of them. */
export type FailureTable<Code extends string> = Readonly<
  Record<Code, FailureTexts | ((about: About) => FailureTexts)>
>;

type Value = string | number | boolean | null | undefined;

export function fill(text: string, about: Readonly<Record<string, Value>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(about[name]));
}
