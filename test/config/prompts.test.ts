import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPrompt } from "../../src/cli/read-prompt.ts";
import { placeholdersOf, PROMPT_NAMES, templateProblems } from "../../src/text/prompt-template.ts";
import { BUILT_IN_PROMPTS } from "../../src/modes/prompts/built-in.ts";
import { Places } from "./fixtures.ts";

function written(text: string): string {
  const places = new Places();
  const path = join(places.project, "mine.md");
  places.write(path, text);
  return path;
}

const refusal = (why: string, prompt: string) =>
  expect.objectContaining({
    code: "prompt_invalid",
    about: expect.objectContaining({ why, prompt }) as object,
  });

test("every prompt that comes with the program may be replaced", () => {
  expect(PROMPT_NAMES.toSorted()).toEqual(Object.keys(BUILT_IN_PROMPTS).toSorted());
});

describe.each(PROMPT_NAMES)("a project's own prompt: %s", (name) => {
  const required = templateProblems("", name).map((problem) => problem.name);
  const all = placeholdersOf(name).map((placeholder) => `{{${placeholder}}}`);

  test("may be the built-in one", () => {
    for (const text of Object.values(BUILT_IN_PROMPTS[name]))
      expect(readPrompt(written(text), "en", name)).toBe(text);
  });

  test("may use all its own placeholders", () => {
    const text = all.join("\n");
    expect(readPrompt(written(text), "en", name)).toBe(text);
  });

  test.each(required)("needs {{%s}}", (missing) => {
    const path = written(all.filter((placeholder) => placeholder !== `{{${missing}}}`).join("\n"));
    expect(() => readPrompt(path, "en", name)).toThrow(refusal(`{{${missing}}} is missing`, name));
    expect(() => readPrompt(path, "zh", name)).toThrow(refusal(`缺少 {{${missing}}}`, name));
  });

  test("may not use those of others", () => {
    const own: readonly string[] = placeholdersOf(name);
    const others = PROMPT_NAMES.flatMap(placeholdersOf).filter((placeholder) => !own.includes(placeholder));
    expect(others).not.toEqual([]);
    for (const other of others)
      expect(() => readPrompt(written(`${all.join(" ")}\n{{${other}}}\n`), "en", name)).toThrow(
        refusal(`line 2: unknown placeholder {{${other}}}`, name),
      );
  });
});
