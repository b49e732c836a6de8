import type { UnitTest } from "../../core/step.ts";
import { lastObjectWith } from "../../text/json/json-in-text.ts";
import { isFilled, isRecord, isText, isTexts } from "../../text/json/values.ts";

const MAX_COMMAND = 2000;
const MAX_NOTES = 2000;
const MAX_FILES = 200;
const MAX_PATH = 1000;
const CONTROL = /[\u0000-\u001f\u007f]/;
/** The placeholder from the prompt's own example: an agent that repeats its prompt has named nothing. No shell could run such a line. */
const PLACEHOLDER = /^<[^<>]*>$/;
/** More than a mention of the key. */
const BEGUN = /\{\s*"unit_test"|"unit_test"\s*:\s*["{[]/;
/** An object in the syntax of other languages, with other quotes around its key or none. */
const OTHER_QUOTES = /\{\s*[^\w\s{}"\\]?unit_test[^\w\s{}"\\]?\s*:/;

/** Why an agent's unit test is unusable. */
export type UnitTestFault =
  | "broken"
  | "ambiguous"
  | "not_an_object"
  | "no_command"
  | "several_lines"
  | "control_characters"
  | "too_long";
export type NamedUnitTest =
  | { readonly kind: "none" }
  | { readonly kind: "named"; readonly unitTest: UnitTest }
  | { readonly kind: "unusable"; readonly why: UnitTestFault };

/** Reads the test command that an agent names at the end of its work. Wrong parts beside the command are left out. */
export function readUnitTest(output: string): NamedUnitTest {
  const said = lastObjectWith(output, "unit_test");
  if (said.kind === "ambiguous") return unusable("ambiguous");
  if (said.kind !== "object") {
    const begun = said.kind === "broken" ? BEGUN : OTHER_QUOTES;
    return begun.test(output) ? unusable("broken") : { kind: "none" };
  }
  const named = said.object["unit_test"];
  if (named === null) return { kind: "none" };
  if (!isRecord(named)) return unusable("not_an_object");
  const { command: line, files, notes } = named;
  if (!isFilled(line)) return unusable("no_command");
  const command = line.trim();
  if (PLACEHOLDER.test(command)) return { kind: "none" };
  const fault = faultIn(command);
  if (fault !== null) return unusable(fault);
  return {
    kind: "named",
    unitTest: {
      command,
      ...(isTexts(files) && isReasonable(files) && { files }),
      ...(isText(notes) && notes.length <= MAX_NOTES && { notes }),
    },
  };
}

export function extractUnitTestFromOutput(output: string): UnitTest | undefined {
  const named = readUnitTest(output);
  return named.kind === "named" ? named.unitTest : undefined;
}

function faultIn(command: string): UnitTestFault | null {
  if (command.length > MAX_COMMAND) return "too_long";
  if (/[\r\n]/.test(command)) return "several_lines";
  return CONTROL.test(command) ? "control_characters" : null;
}

function unusable(why: UnitTestFault): NamedUnitTest {
  return { kind: "unusable", why };
}

function isReasonable(files: readonly string[]): boolean {
  return files.length <= MAX_FILES && files.every((file) => file.length <= MAX_PATH);
}
