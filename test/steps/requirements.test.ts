import { expect, test } from "vitest";
import { requirementsIn } from "../../src/modes/steps/requirements.ts";

const found = (document: string): string[] =>
  requirementsIn(document).map(({ id, line, text }) => `${id} ${line} ${text}`);

test("list items of the outermost level, and headings of sections that have text but no items", () => {
  expect(
    found(`# Refunds

Some words about all of it.

## Service

- [ ] An order is refunded once
  - not twice
  and no more
* The ledger knows it

## Page ##

The page shows refunds.

## Later

1. first
2) second
   1. not the third
`),
  ).toEqual([
    "R1 1 Refunds",
    "R2 7 An order is refunded once",
    "R3 10 The ledger knows it",
    "R4 12 Page",
    "R5 18 first",
    "R6 19 second",
  ]);
});

test("Chinese numbering, brackets, a byte order mark and line ends of other systems", () => {
  expect(found("\ufeff一、登录\r\n（2）退出\r\n(3) 找回密码\r\n1、注册\r\n1.2. 注销\r\n")).toEqual([
    "R1 1 登录",
    "R2 2 退出",
    "R3 3 找回密码",
    "R4 4 注册",
    "R5 5 注销",
  ]);
});

test("not text in a code block, a heading without text, or plain paragraphs", () => {
  expect(found("# Title\n\n## Empty\n\n```\n- code\n# code\n```\n")).toEqual([]);
  expect(found("~~~~\n```\n- code\n~~~\n- code\n~~~~\n- item\n")).toEqual(["R1 7 item"]);
  expect(found("It greets the person it is given.\n\nIn 2 languages.\n")).toEqual([]);
  expect(found("-not an item\n3.5 percent\n**bold**\n")).toEqual([]);
});

test("cuts long texts, and limits the list", () => {
  const [first] = requirementsIn(`- ${"长".repeat(300)}\n`);
  expect(first?.text).toBe(`${"长".repeat(196)} ...`);
  expect(requirementsIn("- one\n".repeat(600))).toHaveLength(500);
});
