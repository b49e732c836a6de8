import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_MARKER,
  DEFAULT_WAITING_MARKER,
  markerProblem,
  readVerdict,
} from "../../../src/modes/chat/completed.ts";

const M = DEFAULT_MARKER;
const W = DEFAULT_WAITING_MARKER;
const read = (text: string, marker = M) => readVerdict(text, { marker, waitingMarker: W });
const completed = (text: string, marker = M): boolean => read(text, marker).completed;

describe("C11 the marker on a line of its own", () => {
  test.each([
    M,
    `${M}\n`,
    `All of it is there.\n\n${M}`,
    `All of it is there.\r\n${M}\r\n`,
    `${M}\n\nNicely done.`,
    `  ${M} \t`,
    `\uFEFF${M}`,
    `- one is done\n- two is done\n\n${M}`,
    `1. done\n${M}`,
    `\`\`\`sh\nnpm test\n\`\`\`\n${M}`,
    `It said \`\`\`ok\`\`\`.\n${M}`,
    `one \` alone\n${M}`,
    `one \` here\n\n${M}\n\nand \` there`,
    `one \` here\n\`\`\`\nx\n\`\`\`\n${M}\nand \` there`,
    `\`a\` is there\n${M}\nand \`b\``,
    `- a\n\nAnd so:\n  ${M}`,
    M.toLowerCase(),
    "[Task_Completed]",
    `${M}.`,
    `${M}。`,
    `*${M}*`,
    `**${M}**`,
    `_${M}_`,
    `__${M}__`,
    `***${M}***`,
    `**_${M}_**`,
    `**${M}**.`,
    `**${M}.**`,
    `All of it is there.\n\n  **${M.toLowerCase()}**。 `,
  ])("%j completes", (text) => {
    expect(completed(text)).toBe(true);
  });

  test.each([
    "",
    "All of it is done.",
    `It is not yet ${M}`,
    `${M} would be too early`,
    `${M}..`,
    `${M}!`,
    `**${M}*`,
    `**${M}`,
    `** ${M} **`,
    `~~${M}~~`,
    `**done: ${M}**`,
    `**\`${M}\`**`,
    `> **${M}**`,
    `- **${M}**`,
    `* ${M}*`,
    `\`\`\`\n**${M}**\n\`\`\``,
    `    **${M}**`,
    `"${M}."`,
    `\`${M}\`.`,
    `\`${M}\``,
    `\`x\` ${M}`,
    `"${M}"`,
    `> ${M}`,
    `>${M}`,
    `- ${M}`,
    `* ${M}`,
    `1. ${M}`,
    `# ${M}`,
    `| ${M} |`,
    `${M}${M}`,
    "[TASK_COMPLETED",
    "TASK_COMPLETED",
    "[TASK_COMPLETED_NOT]",
    `\`\`\`\n${M}\n\`\`\``,
    `~~~\n${M}\n~~~`,
    `\`\`\`\`\n\`\`\`\n${M}\n\`\`\`\`\n`,
    `\`\`\`\n~~~\n${M}\n\`\`\``,
    `\`\`\`\nnever closed\n${M}`,
    `    ${M}`,
    `\t${M}`,
    `  \t${M}`,
    `- the agent wrote\n  ${M}`,
    `- the agent wrote\n\n  ${M}`,
    `- \`\`\`\n  ${M}\n  \`\`\``,
    `10. \`\`\`\n   ${M}\n   \`\`\``,
    `It wrote \`\n${M}\n\`.`,
    `It wrote \`\`a\nb\n${M}\nc\`\`.`,
    `Look.\nIt wrote \`a\n${M}\nb\`.`,
    `\`x\`\nIt wrote \`a\n${M}\nb\`.`,
  ])("%j does not", (text) => {
    expect(completed(text)).toBe(false);
  });

  test("within a longer line it never completes, whatever surrounds it", () => {
    const around = fc.string({ unit: "grapheme" }).filter((text) => !/[\n\r]/.test(text));
    fc.assert(
      fc.property(around, around, fc.string({ unit: "grapheme" }), (before, after, other) => {
        fc.pre(!/^[\s*_.。]*$/.test(`${before}${after}`) && !other.toUpperCase().includes(M));
        expect(completed(`${before}${M}${after}`)).toBe(false);
        expect(completed(`${other.replaceAll("`", "")}\n${before}${M}${after}\n`)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("alone on a line it completes with any other lines, if none is code or a list", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[`~]/g, ""));
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        expect(completed([...before, M, ...after].join("\n"))).toBe(true);
      }),
    );
  });
});

describe("C12 the marker can be another, and can contain a message", () => {
  test.each<[string, string | null]>([
    ["[TASK_COMPLETED: all 12 tests pass]", "all 12 tests pass"],
    ["[TASK_COMPLETED:all]", "all"],
    ["[TASK_COMPLETED：全部完成]", "全部完成"],
    ["[TASK_COMPLETED: a[0] and b[1] are set]", "a[0] and b[1] are set"],
    ["[TASK_COMPLETED: ]", null],
    ["[task_completed: All of it].", "All of it"],
    ["**[TASK_COMPLETED: all of it.]**", "all of it."],
    [`[TASK_COMPLETED: first]\n${M}`, null],
    [`${M}\n[TASK_COMPLETED: last]`, "last"],
    [`[TASK_COMPLETED: said]\n\`\`\`\n[TASK_COMPLETED: shown]\n\`\`\``, "said"],
  ])("%j says %j", (text, note) => {
    expect(read(text)).toMatchObject({ completed: true, note });
  });

  test.each([
    "[TASK_COMPLETED: one] but not [two]",
    "[TASK_COMPLETED: one]]",
    "[TASK_COMPLETED: [one]",
    "[TASK_COMPLETED message]",
    "[TASK_COMPLETED: message",
    "[TASK_COMPLETED]: message",
    "> [TASK_COMPLETED: message]",
    "- [TASK_COMPLETED: message]",
    "```\n[TASK_COMPLETED: message]\n```",
  ])("%j contains no marker", (text) => {
    expect(read(text)).toMatchObject({ completed: false, note: null });
  });

  test("another marker takes the place of the usual one", () => {
    expect(completed("全部完成", "全部完成")).toBe(true);
    expect(completed("ALL DONE", " ALL DONE ")).toBe(true);
    expect(completed(M, "ALL DONE")).toBe(false);
    expect(completed("ALL DONE: yes", "ALL DONE")).toBe(false);
    expect(completed("**All done.**", "ALL DONE")).toBe(true);
    expect(completed("*ALL DONE*.", "*ALL DONE*.")).toBe(true);
    expect(read("[OK: yes]", "[OK]").note).toBe("yes");
    expect(completed("[a] [b: yes]", "[a] [b]")).toBe(false);
    expect(completed("a.c", "a*c")).toBe(false);
  });
});

describe("the other words", () => {
  test("are the text without its markers", () => {
    expect(read(`Well done.\r\n\r\n${M}\r\n`).words).toBe("Well done.");
    expect(read(`One.\n[TASK_COMPLETED: x]\nTwo.`).words).toBe("One.\nTwo.");
    expect(read(`Say \`${M}\` last.`).words).toBe(`Say \`${M}\` last.`);
    expect(read(M).words).toBe("");
    expect(read(`One.\n**${M}**`).words).toBe("One.");
  });

  test("contain no marker line, not even one that does not count", () => {
    const piece = fc.constantFrom(
      M,
      `  ${M}`,
      "[TASK_COMPLETED: x]",
      "```",
      "- a",
      "`",
      "text",
      "",
      "\r",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { words } = read(pieces.join("\n"));
        expect(words.split("\n").filter((line) => line.trim().startsWith("[TASK_COMPLETED"))).toEqual([]);
        expect(completed(words)).toBe(false);
      }),
    );
  });
});

test.each<[string, string, Partial<ReturnType<typeof readVerdict>>]>([
  ["alone", `Which one?\n${W}`, { completed: false, waiting: true, note: null, words: "Which one?" }],
  ["with a message", "[WAITING_FOR_USER: which one]", { waiting: true, note: "which one", words: "" }],
  ["before the other marker", `${W}\n${M}`, { completed: false, waiting: true }],
  ["after the other marker", `${M}\n${W}`, { completed: false, waiting: true }],
  ["in bold", `Which one?\n**${W}**`, { waiting: true, words: "Which one?" }],
  ["with a full stop", `${W}.\n${M}`, { completed: false, waiting: true }],
  ["in lower case", W.toLowerCase(), { waiting: true }],
  ["in code", `\`\`\`\n${W}\n\`\`\`\n${M}`, { completed: true, waiting: false }],
  ["in a sentence", `Not ${W} yet.`, { completed: false, waiting: false }],
])("the marker of a question %s", (_, text, verdict) => {
  expect(read(text)).toMatchObject(verdict);
});

test.each<[string, ReturnType<typeof markerProblem>]>([
  [M, null],
  [" DONE ", null],
  ["全部完成", null],
  ["x".repeat(200), null],
  ["", "empty"],
  [" \t\n", "empty"],
  ["a\nb", "several_lines"],
  ["a\u2028b", "several_lines"],
  ["a\tb", "control_character"],
  ["a\u001B[1m", "control_character"],
  ["x".repeat(201), "too_long"],
  ["```", "code"],
  ["`DONE`", "code"],
  ["~~~~", "code"],
  ["---", "no_word"],
  ["[]", "no_word"],
])("as a marker, %j is %s", (marker, problem) => {
  expect(markerProblem(marker)).toBe(problem);
});

test("any valid marker completes, but not within a longer line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (marker) => {
      fc.pre(markerProblem(marker) === null);
      expect(completed(`Fine.\n\n${marker}\n`, marker)).toBe(true);
      expect(completed(`not ${marker} yet`, marker)).toBe(false);
    }),
  );
});
