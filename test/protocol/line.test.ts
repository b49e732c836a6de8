import { describe, expect, it } from "vitest";
import { stripAnsi } from "../../src/core/claim/line.ts";
import { evidenceOf, scan, statusOf } from "./scan.ts";

const ESC = "\u001B";

describe("S7 exactly three statuses are accepted", () => {
  it.each(["DONE", "NEEDS_WORK", "BLOCKED"])("S7 %s", (word) => {
    expect(scan(`GA_STATUS=${word}\n`).status).toMatchObject({ value: word, text: word });
  });

  it.each([
    ["at the end of the stream without a line end", "work\nGA_STATUS=DONE"],
    ["after a carriage return and before one", "\rGA_STATUS=DONE\r\r\n"],
    ["with trailing blanks", "GA_STATUS=DONE \t \n"],
    ["with blanks and carriage returns mixed", "GA_STATUS=DONE \r \r\n"],
    ["with carriage returns in the value", "GA_STATUS=DO\rNE\n"],
    ["in colour", `${ESC}[1;32mGA_STATUS=DONE${ESC}[0m\n`],
    ["with colour in the value", `GA_STATUS=${ESC}[32mDO${ESC}[1mNE${ESC}[0m\n`],
    ["after a private CSI", `${ESC}[?25lGA_STATUS=DONE\n`],
    ["after a CSI with intermediates", `${ESC}[2 qGA_STATUS=DONE\n`],
    ["after a title ended by BEL", `${ESC}]0;title\u0007GA_STATUS=DONE\n`],
    ["after a title ended by ESC \\", `${ESC}]0;title${ESC}\\GA_STATUS=DONE\n`],
    ["after a title that shows another marker", `${ESC}]0;GA_STATUS=BLOCKED\u0007GA_STATUS=DONE\n`],
    [
      "after DCS, APC, PM and SOS",
      `${ESC}Pq${ESC}\\${ESC}_a\u0007${ESC}^p${ESC}\\${ESC}Xs${ESC}\\GA_STATUS=DONE\n`,
    ],
    ["after a string that holds a bare ESC", `${ESC}Ptmux;${ESC}${ESC}]x${ESC}\\GA_STATUS=DONE\n`],
    ["between two-byte escapes", `${ESC}7${ESC}MGA_STATUS=DONE${ESC}8\n`],
    ["before what tput sgr0 prints", `GA_STATUS=DONE${ESC}(B${ESC}[m\n`],
    ["before an unfinished CSI", `GA_STATUS=DONE${ESC}[31\n`],
    ["before an unfinished title", `GA_STATUS=DONE${ESC}]0;and so on\n`],
    ["before a lone ESC", `GA_STATUS=DONE${ESC}\n`],
    ["after a CSI that another escape cuts short", `${ESC}[3${ESC}[0mGA_STATUS=DONE\n`],
    [
      "among NUL and invalid UTF-8 on other lines",
      Buffer.from("\0\0\xFF\nGA_STATUS=DONE\n\xC3\x28\0", "latin1"),
    ],
    ["after an unfinished title on the line before", `${ESC}]0;title\nGA_STATUS=DONE\n`],
  ])("S7 counts %s", (_case, output) => {
    expect(statusOf(output)).toBe("DONE");
  });

  it.each([
    ["indented by a space", " GA_STATUS=DONE"],
    ["indented by a tab", "\tGA_STATUS=DONE"],
    ["indented after colour", `${ESC}[32m GA_STATUS=DONE`],
    ["quoted in Markdown", "> GA_STATUS=DONE"],
    ["as a bullet", "- GA_STATUS=DONE"],
    ["in double quotes", '"GA_STATUS=DONE"'],
    ["in backticks", "`GA_STATUS=DONE`"],
    ["traced by a shell", "+ echo GA_STATUS=DONE"],
    ["in prose", "I will print GA_STATUS=DONE when finished"],
    ["after text that a carriage return overwrites", "50%\rGA_STATUS=DONE"],
    ["after a NUL", "\0GA_STATUS=DONE"],
    ["with another separator", "GA_STATUS: DONE"],
    ["with a blank before the sign", "GA_STATUS =DONE"],
    ["in lower case", "ga_status=DONE"],
    ["with colour inside the key", `GA_${ESC}[1mSTATUS=DONE`],
    ["with a carriage return inside the key", "GA_\rSTATUS=DONE"],
    ["with colour between key and sign", `GA_STATUS${ESC}[0m=DONE`],
    ["inside a title", `${ESC}]0;GA_STATUS=DONE\u0007`],
    ["behind an unfinished title", `${ESC}]0;GA_STATUS=DONE`],
    ["behind an unfinished CSI", `${ESC}[GA_STATUS=DONE`],
    ["with an unexpected nonce", "GA_STATUS[abc]=DONE"],
  ])("S7 does not count %s", (_case, line) => {
    expect(statusOf(`${line}\n`)).toBeNull();
    expect(statusOf(line)).toBeNull();
  });
});

describe("S10 invalid statuses", () => {
  it.each([
    ["done", "done"],
    ["DONE.", "DONE."],
    ["DONE!", "DONE!"],
    ["DONE_", "DONE_"],
    ["DONE DONE", "DONE DONE"],
    [" DONE", "DONE"],
    ["", ""],
    ["COMPLETE", "COMPLETE"],
    ["DONE and BLOCKED", "DONE and BLOCKED"],
    ["DONE (tests pass)", "DONE (tests pass)"],
    ['"DONE"', '"DONE"'],
    ["DONE\0", "DONE"],
    ["DO\0NE", "DO NE"],
    ["ＤＯＮＥ", "ＤＯＮＥ"],
    ["DONE\u00A0", "DONE"],
    ["NEEDS WORK", "NEEDS WORK"],
    ["DONE|MAYBE", "DONE|MAYBE"],
    ["<a> or <b>", "<a> or <b>"],
    [`${ESC}[31mNOPE${ESC}[0m`, "NOPE"],
    ["x".repeat(300), "x".repeat(200)],
    [`${"x".repeat(199)}😀`, "x".repeat(199)],
  ])("S10 %j is invalid, and counts", (value, text) => {
    expect(scan(`GA_STATUS=DONE\nGA_STATUS=${value}\n`).status).toMatchObject({ value: "invalid", text });
  });

  it.each([
    "DONE|NEEDS_WORK|BLOCKED",
    "DONE | NEEDS_WORK | BLOCKED",
    "DONE/NEEDS_WORK/BLOCKED",
    "DONE, NEEDS_WORK or BLOCKED",
    "DONE、NEEDS_WORK、BLOCKED",
    "DONE 或 BLOCKED",
    "DONE或NEEDS_WORK或BLOCKED",
    "BLOCKED or DONE",
    "DONE NEEDS_WORK",
    "<DONE|NEEDS_WORK|BLOCKED>",
    "[DONE|BLOCKED]",
    "{DONE,NEEDS_WORK,BLOCKED}",
    "(DONE/BLOCKED)",
    '"DONE|NEEDS_WORK"',
    "`DONE` | `BLOCKED`",
    "'DONE' or 'BLOCKED'",
    "<status>",
    "<状态>",
    "{status}",
    "{{status}}",
    "${STATUS}",
    "[STATUS]",
    '"<status>"',
    "...",
    "…",
    "…… ",
    `${ESC}[1mDONE${ESC}[0m|BLOCKED`,
  ])("S10 the instruction %j is no marker at all", (value) => {
    expect(statusOf(`GA_STATUS=${value}\n`)).toBeNull();
    expect(statusOf(`GA_STATUS=BLOCKED\nprose\nGA_STATUS=${value}\n`)).toBe("BLOCKED");
  });

  it("S10 finds no marker in empty output", () => {
    expect(scan("")).toEqual({ status: null, evidence: null });
    expect(scan("\n\n")).toEqual({ status: null, evidence: null });
  });
});

describe("S8 evidence", () => {
  it.each([
    ["all green", "all green"],
    ["  spaced out \t ", "spaced out"],
    ["a=b=c", "a=b=c"],
    ["12 项测试通过 ✅", "12 项测试通过 ✅"],
    [`${ESC}[32m12 passed${ESC}[0m`, "12 passed"],
    ["a\tb\0c\u0007d\u007Fe\u0085f\u2028g", "a b c d e f g"],
    ['{"passed": 12}', '{"passed": 12}'],
    ['["a.test.ts"]', '["a.test.ts"]'],
    ["[unit] ok [e2e] ok", "[unit] ok [e2e] ok"],
    ["see <log>", "see <log>"],
    ["[12/12 passed]", "[12/12 passed]"],
    ["<12 ms>", "<12 ms>"],
    ["DONE|BLOCKED", "DONE|BLOCKED"],
    ["x".repeat(2001), "x".repeat(2000)],
    [`${"x".repeat(1999)}😀`, "x".repeat(1999)],
    [`${"x".repeat(1998)}😀`, `${"x".repeat(1998)}😀`],
  ])("S8 %j reads as evidence", (value, text) => {
    expect(evidenceOf(`GA_EVIDENCE=${value}\n`)).toBe(text);
  });

  it("S8 decodes invalid UTF-8 leniently", () => {
    expect(evidenceOf(Buffer.from("GA_EVIDENCE=ok\xFF\xC3!\n", "latin1"))).toBe("ok\uFFFD\uFFFD!");
  });

  it.each([
    "",
    " ",
    "\t\t",
    "\0\0",
    "\r",
    "<text>",
    "<简短证据说明>",
    "...",
    "{…}",
    "[evidence]",
    "`<text>`",
    "“...”",
  ])("S8 %j is no evidence", (value) => {
    expect(evidenceOf(`GA_EVIDENCE=${value}\n`)).toBeNull();
    expect(evidenceOf(`GA_EVIDENCE=kept\nGA_EVIDENCE=${value}\n`)).toBe("kept");
  });

  it.each([" GA_EVIDENCE=x", "> GA_EVIDENCE=x", "the GA_EVIDENCE=x line", "GA_EVIDENCE:x", "ga_evidence=x"])(
    "S8 %j is prose",
    (line) => {
      expect(evidenceOf(line)).toBeNull();
    },
  );
});

describe("stripAnsi", () => {
  it.each([
    ["plain\ntext", "plain\ntext"],
    [`${ESC}[1;31mred${ESC}[0m`, "red"],
    [`${ESC}]8;;http://x${ESC}\\link${ESC}]8;;\u0007`, "link"],
    [`cut ${ESC}[31`, "cut "],
    [`cut ${ESC}]0;title\nnext`, "cut \nnext"],
    [`${ESC}(Bcharset ${ESC}é`, "charset é"],
    [`twice${ESC}${ESC}[1m`, "twice"],
    ["carriage\rreturn", "carriage\rreturn"],
  ])("S7 %j becomes %j", (text, stripped) => {
    expect(stripAnsi(text)).toBe(stripped);
  });
});
