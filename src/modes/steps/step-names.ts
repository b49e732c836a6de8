const DIRECTORY_SUFFIX = "需求实现步骤";
const MAX_NAME = 30;
const MAX_SLUG = 40;
/** Characters that a file system, a shell or a terminal would not take as part of a name, and halves of characters. */
const NOT_IN_NAMES =
  /[\s\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}/\\<>:"|?*]+/gu;
/** Windows treats these names as devices, whatever follows a dot. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const NOT_IN_SLUGS =
  /[^a-z\d\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー]+/gu;
const ACCENTS = /[\u0300-\u036f]/g;

/** As a part of a file name; empty if nothing is left. */
export function cleanName(name: string): string {
  const clean = name.replace(NOT_IN_NAMES, " ").replace(/^[\s.-]+/, "");
  return cutName(clean.replace(DEVICES, "_$&")).trim();
}

/** At most 30 code points, and whole characters: an emoji may consist of several. */
function cutName(name: string): string {
  let kept = "";
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    length += Array.from(segment).length;
    if (length > MAX_NAME) break;
    kept += segment;
  }
  return kept === "" ? Array.from(name).slice(0, MAX_NAME).join("") : kept;
}

export function directoryName(name: string): string {
  return `${cleanName(name)}${DIRECTORY_SUFFIX}`;
}

/** The step's part in the name of its file. */
export function slugOf(step: {
  readonly slug: string | null;
  readonly title: string | null;
  readonly description: string;
}): string {
  const texts = [step.slug, step.title, step.description];
  return texts.map((text) => slugOfText(text ?? "")).find((slug) => slug !== "") ?? "step";
}

function slugOfText(text: string): string {
  // Decomposed, so that é gives its e; then composed again, because Hangul and Kana decompose too.
  const plain = text.normalize("NFKD").toLowerCase().replace(ACCENTS, "").normalize("NFC");
  const words = plain.replace(NOT_IN_SLUGS, "-").replace(/^-/, "");
  return Array.from(words).slice(0, MAX_SLUG).join("").replace(/-$/, "");
}
