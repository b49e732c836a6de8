import type { TestStatus } from "../../core/evidence/result.ts";

export interface ReadPoint {
  readonly name: string;
  readonly status: TestStatus;
  readonly isNumbered: boolean;
  /** `ok 1 - name {`: its subtests follow. */
  readonly opensGroup: boolean;
}

const POINT = /^(not )?ok(?=\s|$)(\s+\d+(?=\s|$))?(?:\s+-(?=\s|$))?/;

/** `not ok 3 - name # TODO reason`. Null: not a test line. */
export function readPoint(text: string): ReadPoint | null {
  const head = POINT.exec(text);
  if (head === null) return null;
  const said = text.slice(head[0].length).trim();
  const opensGroup = said === "{" || said.endsWith(" {");
  const { name, isDue } = withoutDirective(opensGroup ? said.slice(0, -1) : said);
  // A todo test proves nothing either way.
  const status = isDue ? "skipped" : head[1] === undefined ? "passed" : "failed";
  const isNumbered = head[2] !== undefined;
  return { name: name.trim().replace(/\\([#\\])/g, "$1"), status, isNumbered, opensGroup };
}

const DIRECTIVE = /(?<=^|\s)#\s?(?:(skip|todo)|time=)/i;

/** A `#` inside the name has a backslash before it. */
function withoutDirective(text: string): { readonly name: string; readonly isDue: boolean } {
  const directive = DIRECTIVE.exec(text);
  if (directive === null) return { name: text, isDue: false };
  return { name: text.slice(0, directive.index), isDue: directive[1] !== undefined };
}
