import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { readPoint } from "./tap-point.ts";
import { cutName, UNNAMED, type SourceResult } from "./source-result.ts";

interface Point {
  readonly name: string;
  readonly status: TestStatus;
  parent: Point | null;
  isGroup: boolean;
  failedBelow: boolean;
  /** Includes the parents' names; null: not computed yet. */
  fullName: string | null;
}

/** The test lines of one indentation: a document, or the subtests of one point. */
interface Frame {
  readonly indent: number;
  /** Its parent, if it came before its children: `ok 1 - name {`. Otherwise the next point further out. */
  readonly group: Point | null;
  /** The point whose children follow, within braces. */
  openGroup: Point | null;
  readonly points: Point[];
  planned: number | null;
}

/** Reads TAP 12, 13 and 14, several documents in a row, among any other output. */
export function readTap(lines: readonly string[]): SourceResult | null {
  const reader = new TapReader();
  for (const line of lines) reader.line(line);
  return reader.result();
}

const VERSION = /^TAP version \d+$/;
const PLAN = /^1\.\.(\d{1,9})(?:\s*#.*)?$/;
const BAIL = /^Bail out!/i;

class TapReader {
  /** Points of documents that are certainly TAP, in line order. */
  readonly #accepted: Point[] = [];
  #complete = true;
  #document: Point[] = [];
  #hasVersion = false;
  #isBroken = false;
  #frames: [Frame, ...Frame[]] = [newFrame(0, null)];
  /** Children whose parent has not come yet. */
  #orphans: Point[] = [];
  /** The indentation of the last line, if it was a point: a YAML block may only begin after one. */
  #afterPoint: number | null = null;
  #yaml: number | null = null;

  line(line: string): void {
    const text = line.trim();
    const indent = line.length - line.trimStart().length;
    if (this.#isYaml(text, indent)) return;
    this.#afterPoint = null;
    const plan = PLAN.exec(text)?.[1];
    if (plan !== undefined) this.#plan(Number(plan), indent);
    else if (VERSION.test(text) && indent === 0) {
      this.#endDocument();
      this.#hasVersion = true;
    } else if (BAIL.test(text)) this.#isBroken = true;
    else if (text === "}") this.#closeDownTo(indent).openGroup = null;
    else this.#point(text, indent);
  }

  result(): SourceResult | null {
    this.#endDocument();
    if (this.#accepted.length === 0) return null;
    for (const point of this.#accepted) if (point.status === "failed") markAbove(point);
    // A group is not a test itself, unless it failed by itself.
    const tests = this.#accepted.filter(
      ({ isGroup, status, failedBelow }) => !isGroup || (status === "failed" && !failedBelow),
    );
    const results = tests.map((point): TestResult => ({
      suite: "",
      name: fullNameOf(point),
      status: point.status,
    }));
    return { runners: ["tap"], results, complete: this.#complete };
  }

  /** A block belongs to its test: an error message in it may look like a test line. */
  #isYaml(text: string, indent: number): boolean {
    if (this.#yaml !== null) {
      // Further out than the block: its writer did not finish it.
      if (text !== "" && indent < this.#yaml) this.#yaml = null;
      else {
        if (text === "..." && indent === this.#yaml) this.#yaml = null;
        return true;
      }
    }
    if (this.#afterPoint === null || text !== "---" || indent <= this.#afterPoint) return false;
    this.#yaml = indent;
    this.#afterPoint = null;
    return true;
  }

  #plan(planned: number, indent: number): void {
    const frame = this.#frameAt(indent);
    const root = this.#frames[0];
    if (frame !== root) frame.planned ??= planned;
    else if (root.planned !== null) {
      this.#endDocument();
      this.#frames[0].planned = planned;
    } else {
      root.planned = planned;
      // At the end of a document, or else at its beginning.
      if (root.points.length > 0) this.#endDocument();
    }
  }

  #point(text: string, indent: number): void {
    const read = readPoint(text);
    // Programs print an indented `ok` more often than runners omit the number of a subtest.
    if (read === null || (indent > 0 && !read.isNumbered)) return;
    const { status, opensGroup } = read;
    const name = read.name === "" ? UNNAMED : cutName(read.name);
    const point = { name, status, parent: null, isGroup: false, failedBelow: false, fullName: null };
    const frame = this.#frameAt(indent);
    adopt(point, this.#orphans);
    this.#orphans = [];
    frame.points.push(point);
    frame.openGroup = opensGroup ? point : null;
    this.#document.push(point);
    this.#afterPoint = indent;
  }

  #frameAt(indent: number): Frame {
    const outer = this.#closeDownTo(indent);
    if (outer.indent === indent) return outer;
    const frame = newFrame(indent, outer.openGroup);
    this.#frames.push(frame);
    return frame;
  }

  /** The innermost remaining frame. */
  #closeDownTo(indent: number): Frame {
    for (;;) {
      const last = this.#frames.at(-1) ?? this.#frames[0];
      if (last.indent <= indent) return last;
      this.#frames.pop();
      if (last.planned !== null && last.points.length < last.planned) this.#isBroken = true;
      if (last.group === null) for (const point of last.points) this.#orphans.push(point);
      else adopt(last.group, last.points);
    }
  }

  #endDocument(): void {
    const { planned, points } = this.#closeDownTo(0);
    // Other programs print lines with `ok` too, but a document has a version or a plan.
    if (this.#hasVersion || planned !== null) {
      if (this.#isBroken || planned === null || points.length < planned) this.#complete = false;
      for (const point of this.#document) this.#accepted.push(point);
    }
    this.#document = [];
    this.#orphans = [];
    this.#hasVersion = false;
    this.#isBroken = false;
    this.#frames = [newFrame(0, null)];
  }
}

function newFrame(indent: number, group: Point | null): Frame {
  return { indent, group, openGroup: null, points: [], planned: null };
}

function adopt(parent: Point, children: readonly Point[]): void {
  for (const child of children) child.parent = parent;
  if (children.length > 0) parent.isGroup = true;
}

function markAbove(point: Point): void {
  for (let above = point.parent; above !== null && !above.failedBelow; above = above.parent) {
    above.failedBelow = true;
  }
}

/** Without recursion, because subtests may be nested to any depth. */
function fullNameOf(point: Point): string {
  const chain: Point[] = [];
  let above: Point | null = point;
  while (above !== null && above.fullName === null) {
    chain.push(above);
    above = above.parent;
  }
  let name = above?.fullName ?? "";
  for (const at of chain.toReversed()) {
    name = name === "" ? at.name : cutName(`${name} > ${at.name}`);
    at.fullName = name;
  }
  return name;
}
