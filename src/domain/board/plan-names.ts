import { withoutCode } from "./without-code.ts";

/** Letters of other alphabets that nobody can tell from those of an id. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { М: "M", м: "m", Т: "T", т: "t", Μ: "M", Τ: "T" };
const ID = /(?<!\w)M(\d{1,9})\s?[-_.]\s?T(\d{1,9})/i;
const MILESTONE = /^[*_`]{0,6}(?:M|milestone |里程碑 ?)\d{1,9}(?!\w)/i;

/** As a reader sees it: wide letters, other dashes, and characters that have no width. */
function asSeen(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[МмТтΜΤ]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** What looks like the id of a task, with the id that is meant, and whether it stands at the beginning. Ids within code are none. */
export function lookAlikeIn(text: string): { readonly id: string; readonly at: number } | null {
  const found = ID.exec(asSeen(withoutCode(text)).trim());
  return found && { id: `M${Number(found[1])}-T${Number(found[2])}`, at: found.index };
}

/** A title that looks like that of a milestone. */
export function soundsLikeMilestone(title: string): boolean {
  return MILESTONE.test(asSeen(title).trim());
}
