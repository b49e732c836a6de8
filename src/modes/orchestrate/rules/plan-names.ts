import { withoutCode } from "../../../text/without-code.ts";

/** Letters of other alphabets that look like those of an id. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { М: "M", м: "m", Т: "T", т: "t", Μ: "M", Τ: "T" };
const ID = /(?<!\w)M(\d{1,9})\s?[-_.]\s?T(\d{1,9})/i;
const MILESTONE = /^[*_`]{0,6}(?:M|milestone |里程碑 ?)\d{1,9}(?!\w)/i;

/** Normalises text to what a reader sees: wide letters, other dashes, and characters without width. */
function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[МмТтΜΤ]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** Text that looks like the id of a task, with the id it means and its position. Ids within code do not count. */
export function lookAlikeIn(text: string): { readonly id: string; readonly at: number } | null {
  const found = ID.exec(normalized(withoutCode(text)).trim());
  return found && { id: `M${Number(found[1])}-T${Number(found[2])}`, at: found.index };
}

/** A title that looks like that of a milestone. */
export function looksLikeMilestone(title: string): boolean {
  return MILESTONE.test(normalized(title).trim());
}
