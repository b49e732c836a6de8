import { cutTo } from "../domain/board/lines.ts";

/** A place where two JSON values are not the same. */
export type Difference = Readonly<Record<"field" | "given" | "derived", string>>;

const MOST_SHOWN = 80;

export function differences(given: unknown, derived: unknown, field = ""): readonly Difference[] {
  if (isNode(given) && isNode(derived) && Array.isArray(given) === Array.isArray(derived)) {
    const names = new Set([...Object.keys(given), ...Object.keys(derived)]);
    const inner = [...names].flatMap((name) =>
      differences(valueOf(given, name), valueOf(derived, name), inField(field, name, given)),
    );
    if (inner.length > 0) return inner;
  }
  // Also where nothing but the order of names is another: whoever wrote it did not take it from the journal.
  const [is, was]: (string | undefined)[] = [JSON.stringify(given), JSON.stringify(derived)];
  return is === was ? [] : [{ field: field === "" ? "." : field, given: shown(is), derived: shown(was) }];
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function valueOf(node: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(node, name)?.value;
}

function inField(field: string, name: string, node: object): string {
  if (Array.isArray(node)) return `${field}[${name}]`;
  return field === "" ? name : `${field}.${name}`;
}

function shown(json: string | undefined): string {
  return json === undefined ? "-" : cutTo(json, MOST_SHOWN);
}
