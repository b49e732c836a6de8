import { describe, expect, test } from "vitest";
import { TypedInputs, type EnteredText } from "../../../src/platform/terminal/typed-inputs.ts";

const certain = (text: string): EnteredText => ({ text, certain: true });
const uncertain = (text: string): EnteredText => ({ text, certain: false });

/** After the agent has reported an input, because the first may come from the command line. */
function begun(...entered: readonly EnteredText[]): TypedInputs {
  const inputs = new TypedInputs();
  inputs.accounts("what was given with the command");
  for (const text of entered) inputs.entered(text);
  return inputs;
}

describe("the sender of an input that an agent reports", () => {
  test("is unknown without an Enter, except for the first input: it may have come with the command", () => {
    const inputs = new TypedInputs();
    expect(inputs.accounts("fix it")).toBe(true);
    expect(inputs.accounts("fix it")).toBe(false);
  });

  test("each Enter accounts for one input, of the text that was typed", () => {
    const inputs = begun(certain("one"), certain("two"));
    expect(inputs.accounts("say hi")).toBe(false);
    expect(inputs.accounts("two")).toBe(true);
    expect(inputs.accounts("two")).toBe(false);
    expect(inputs.accounts("one")).toBe(true);
    expect(inputs.accounts("one")).toBe(false);
  });

  test("the first also uses up its Enter", () => {
    const inputs = new TypedInputs();
    inputs.entered(certain("one"));
    expect(inputs.accounts("one")).toBe(true);
    expect(inputs.accounts("one")).toBe(false);
  });

  test("however it was wrapped, and whatever the agent added around it", () => {
    const inputs = begun(certain(" two\n\tlines "));
    expect(inputs.accounts("> two lines\n(from the queue)")).toBe(true);
  });

  test("keys whose effect only the agent knows may have produced any text, once", () => {
    const inputs = begun(uncertain("/he"));
    expect(inputs.accounts("what stood in the history")).toBe(true);
    expect(inputs.accounts("what stood in the history")).toBe(false);
  });

  test("an unambiguous text takes precedence over an ambiguous one", () => {
    const inputs = begun(uncertain(""), certain("one"));
    expect(inputs.accounts("one")).toBe(true);
    expect(inputs.accounts("from the history")).toBe(true);
    expect(inputs.accounts("one more")).toBe(false);
  });

  test("Enter in an empty box, or in a dialog, is no input", () => {
    const inputs = begun(certain(""), certain(" \n"));
    expect(inputs.accounts("say hi")).toBe(false);
    expect(inputs.accounts("")).toBe(false);
  });

  test("the waiting inputs are bounded: the oldest is forgotten", () => {
    const texts = Array.from({ length: 101 }, (_, at) => certain(`number ${at};`));
    const inputs = begun(...texts);
    expect(inputs.accounts("number 0;")).toBe(false);
    expect(inputs.accounts("number 1;")).toBe(true);
    expect(inputs.accounts("number 100;")).toBe(true);
  });

  test("Enters without an input do not hide those with one", () => {
    const inputs = begun(certain("one"), ...Array.from({ length: 200 }, () => certain("")));
    expect(inputs.accounts("one")).toBe(true);
  });
});
