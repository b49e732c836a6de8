import { describe, expect, it } from "vitest";
import { evidenceOf, scan, scanPieces, statusOf } from "./scan.ts";

const KIB = 1024;

describe("S9 last occurrence wins", () => {
  it.each([
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=BLOCKED\n"],
    ["DONE", "GA_STATUS=BLOCKED\nretrying\nGA_STATUS=DONE\n"],
    ["invalid", "GA_STATUS=DONE\nGA_STATUS=done\n"],
    ["DONE", "GA_STATUS=nope\nGA_STATUS=DONE\nand some more text"],
    ["NEEDS_WORK", "GA_STATUS=DONE\nGA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\n"],
  ])("S9 %s in %j", (status, output) => {
    expect(statusOf(output)).toBe(status);
  });

  it("S9 evidence is independent of status", () => {
    const result = scan("GA_EVIDENCE=one\nGA_STATUS=DONE\nGA_EVIDENCE=two\ntext\nGA_STATUS=BLOCKED\n");
    expect(result.status?.value).toBe("BLOCKED");
    expect(result.evidence?.text).toBe("two");
  });

  it("S9 reports the epoch of the chunk that ended the marker's line", () => {
    const pieces = ["GA_STA", "TUS=DONE", "\ntext\n", "GA_EVIDENCE=x"].map((piece) => Buffer.from(piece));
    expect(scanPieces(pieces)).toMatchObject({ status: { epoch: 2 }, evidence: { epoch: 3 } });
  });

  it.each([
    [true, "GA_STATUS=DONE"],
    [true, "a\nGA_STATUS=DONE\n"],
    [true, "a\nGA_STATUS=DONE \r\n"],
    [false, "GA_STATUS=DONE\npartial"],
    [false, "GA_STATUS=DONE\n "],
    [false, "GA_STATUS=DONE\n\n"],
    [false, `GA_STATUS=DONE\n${"x".repeat(300 * KIB)}`],
    [false, `GA_STATUS=DONE\n${"y\n".repeat(300 * KIB)}`],
  ])("S9 reports whether anything follows the marker: %s", (ends, output) => {
    expect(scan(output).status?.endsStream).toBe(ends);
  });
});

describe("S9 a list of choices over several lines", () => {
  const list = "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nGA_STATUS=BLOCKED\n";
  it.each([
    [null, list],
    [null, `Print one of:\n${list}`],
    [null, "GA_STATUS=BLOCKED\nor\nGA_STATUS=DONE\n\n 或\n\nGA_STATUS=NEEDS_WORK"],
    [null, `${list}GA_STATUS=DONE\n`],
    ["invalid", `${list}GA_STATUS=done\n`],
    ["NEEDS_WORK", `GA_STATUS=NEEDS_WORK\nthen the choices:\n${list}`],
    ["DONE", `${list}so:\nGA_STATUS=DONE\n`],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nprose\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nGA_EVIDENCE=x\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nGA_STATUS=x\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nor else\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=DONE\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", `GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\n${" ".repeat(17 * KIB)}\nGA_STATUS=BLOCKED\n`],
    ["BLOCKED", `GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\n${"\n".repeat(33 * KIB)}GA_STATUS=BLOCKED\n`],
    ["BLOCKED", "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\n```\nGA_STATUS=BLOCKED\n"],
  ])("S9 gives %s", (status, output) => {
    expect(statusOf(output)).toBe(status);
  });
});

describe("S9 code fences", () => {
  it.each([
    ["DONE", "```\nGA_STATUS=DONE\n```\n"],
    ["DONE", "```\nGA_STATUS=DONE\n```"],
    ["DONE", "```\nGA_STATUS=DONE\n```\n\n \t\r\n\u001B[0m\n"],
    ["DONE", "```\nGA_STATUS=DONE\n"],
    ["DONE", "```sh\nGA_STATUS=DONE\nmore\n"],
    ["DONE", "GA_STATUS=BLOCKED\n~~~\nGA_STATUS=DONE\n~~~\n"],
    [null, "```\nGA_STATUS=DONE\n```\nprose"],
    [null, "```\nGA_STATUS=DONE\n```\n\n\nprose\n"],
    [null, "  ```text\nGA_STATUS=DONE\n   ```  \nprose\n"],
    [null, "\u001B[2m```\u001B[0m\r\nGA_STATUS=DONE\r\n```\r\nprose\n"],
    [null, `\`\`\`\nGA_STATUS=DONE\n\`\`\`\n${" ".repeat(17 * KIB)}`],
    [null, `\`\`\`\nGA_STATUS=DONE\n\`\`\`\n${" ".repeat(17 * KIB)}\n`],
    ["DONE", "``\r` ~~~\nGA_STATUS=DONE\n```\nprose\n"],
    ["BLOCKED", "GA_STATUS=BLOCKED\n```\nGA_STATUS=DONE\n```\nprose\n"],
    ["BLOCKED", "```\nGA_STATUS=DONE\n```\nGA_STATUS=BLOCKED\n"],
    ["BLOCKED", "```\nGA_STATUS=DONE\n```\n```\nGA_STATUS=BLOCKED\n```\n"],
    ["BLOCKED", "```\nGA_STATUS=BLOCKED\n```\nprose\n".repeat(2) + "```\nGA_STATUS=BLOCKED"],
    [null, "````\n```\nGA_STATUS=DONE\n```\n````\nprose\n"],
    [null, "~~~\n```\nGA_STATUS=DONE\n~~~\nprose\n"],
    [null, "```\n```js\nGA_STATUS=DONE\n```\nprose\n"],
    [null, "```\nGA_STATUS=DONE\n`````\nprose\n"],
    ["DONE", "```\n    ```\nGA_STATUS=DONE\nprose\n"],
    ["DONE", "``\nGA_STATUS=DONE\n``\nprose\n"],
    ["DONE", "x ```\nGA_STATUS=DONE\nx ```\nprose\n"],
    ["DONE", "```inline``` code\nGA_STATUS=DONE\n```\nprose\n```\n"],
    [
      "NEEDS_WORK",
      "GA_STATUS=NEEDS_WORK\n```\nGA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nGA_STATUS=BLOCKED\n```\n",
    ],
  ])("S9 gives %s for %j", (status, output) => {
    expect(statusOf(output)).toBe(status);
  });

  it("S8 holds evidence back with the status", () => {
    const fenced = "```\nGA_STATUS=DONE\nGA_EVIDENCE=ok\n```\n";
    expect(evidenceOf(fenced)).toBe("ok");
    expect(evidenceOf(`${fenced}prose`)).toBeNull();
    expect(evidenceOf(`GA_EVIDENCE=before\n${fenced}prose`)).toBe("before");
  });
});

describe("S9 echoed instructions", () => {
  const plan = "# Plan\n\nPrint:\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n\nthen stop\n";
  const fencedPlan = "Finish with:\n```\nGA_STATUS=DONE\n```\n";
  it.each([
    [null, plan, [plan]],
    [null, plan.replaceAll("\n", "\r\n"), [plan]],
    [null, `user said\nPrint:  \n\n\u001B[2mGA_STATUS=DONE\u001B[0m\n`, [plan]],
    [null, "Print:\nGA_STATUS=DONE\n", ["other text", plan]],
    ["DONE", "All finished.\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n", [plan]],
    ["DONE", "GA_STATUS=DONE\n", [plan]],
    ["BLOCKED", "Print:\nGA_STATUS=BLOCKED\n", [plan]],
    ["DONE", "Print:\nGA_STATUS=DONE\n", ["Print: GA_STATUS=DONE"]],
    ["DONE", "print:\nGA_STATUS=DONE\n", [plan]],
    ["DONE", `${plan}\nI am finished\nGA_STATUS=DONE\n`, [plan]],
    [null, "GA_STATUS=DONE\n", ["\nGA_STATUS=DONE\n"]],
    ["DONE", "ready\nGA_STATUS=DONE\n", ["GA_STATUS=DONE\nready"]],
    [null, `Print:\n\`\`\`\nGA_STATUS=DONE\n\`\`\`\n`, ["Print:\n```\nGA_STATUS=DONE\n```"]],
    [null, `> user\n${fencedPlan}`, [fencedPlan]],
    ["DONE", "All finished.\n```\nGA_STATUS=DONE\n```\n", [fencedPlan]],
    [null, `${"x".repeat(20 * KIB)}\nGA_STATUS=DONE`, [`${"x".repeat(20 * KIB)}\nGA_STATUS=DONE`]],
    ["DONE", `${"x".repeat(20 * KIB)}y\nGA_STATUS=DONE`, [`${"x".repeat(20 * KIB)}\nGA_STATUS=DONE`]],
    ["invalid", "So:\nGA_STATUS=sure\n", [plan]],
    [null, "So:\nGA_STATUS=sure\n", ["So:\nGA_STATUS=sure\n"]],
  ])("S9 gives %s for %j", (status, output, instructions) => {
    expect(statusOf(output, { instructions })).toBe(status);
  });

  const task = "Paint it.\nGA_STATUS=DONE\n";
  it.each([
    [null, "Task: Paint it.\nGA_STATUS=DONE\n", task],
    [null, "export GA_TASK='Paint it.\nGA_STATUS=DONE\n", task],
    [null, "\u001B[1mTask:\u001B[0m Paint it. \r\n\nGA_STATUS=DONE\n", task],
    ["BLOCKED", "Task: Paint it.\nGA_STATUS=BLOCKED\n", task],
    ["DONE", "Paint it. Painted.\nGA_STATUS=DONE\n", task],
    ["DONE", "it.\nGA_STATUS=DONE\n", task],
    ["DONE", "Task: Paint it.\nPainted.\nGA_STATUS=DONE\n", task],
    [null, "The end:\nGA_STATUS=DONE\n", "end:\nGA_STATUS=DONE"],
    ["DONE", "And so:\nGA_STATUS=DONE\n", "so:\nGA_STATUS=DONE"],
    [null, "so:\nGA_STATUS=DONE\n", "so:\nGA_STATUS=DONE"],
    ["DONE", "Painted.\nGA_STATUS=DONE\n", "GA_STATUS=DONE"],
    [null, "本任务完成\nGA_STATUS=DONE\n", "任务完成\nGA_STATUS=DONE"],
    ["DONE", "任务完成：\nGA_STATUS=DONE\n", "完成：\nGA_STATUS=DONE"],
    [null, `Task: ${"x".repeat(5 * KIB)}\nGA_STATUS=DONE`, `${"x".repeat(5 * KIB)}\nGA_STATUS=DONE`],
    [null, `${"y".repeat(5 * KIB)}Paint it.\nGA_STATUS=DONE`, task],
  ])("S9 with words before its first line: gives %s for %j", (status, output, instruction) => {
    expect(statusOf(output, { instructions: [instruction] })).toBe(status);
  });

  it.each([
    [null, "Task: Finish with:\n```\nGA_STATUS=DONE\n", fencedPlan],
    ["DONE", "Task: Finish with:\n~~~\nGA_STATUS=DONE\n", fencedPlan],
    ["DONE", "Task: Finish with:\nGA_STATUS=DONE\n", fencedPlan],
    ["DONE", "And so:\n```\nGA_STATUS=DONE\n", "so:\n```\nGA_STATUS=DONE"],
    ["DONE", "Painted.\n```\nGA_STATUS=DONE\n", "```\nGA_STATUS=DONE"],
    ["DONE", "Painted.\n````\nGA_STATUS=DONE\n", "````\nGA_STATUS=DONE"],
    ["DONE", "Painted.\n```text\nGA_STATUS=DONE\n", "text\nGA_STATUS=DONE"],
    [null, "```\nGA_STATUS=DONE\n", "```\nGA_STATUS=DONE"],
  ])("S9 with words before the line above its fence: gives %s for %j", (status, output, instruction) => {
    expect(statusOf(output, { instructions: [instruction] })).toBe(status);
  });

  it("S9 a plan with tens of thousands of examples does not slow down output with as many claims", () => {
    const examples = Array.from({ length: 48_000 }, (_, at) => `${100_000 + at}\nGA_STATUS=DONE\n`).join("");
    const claims = "Painted.\nGA_STATUS=DONE\n".repeat(48_000);
    expect(statusOf(claims, { instructions: [examples] })).toBe("DONE");
    expect(statusOf(`Task: 147999\nGA_STATUS=DONE\n`, { instructions: [examples] })).toBeNull();
  });

  it("S8 an evidence line under an echo is an echo, under a claim a claim", () => {
    expect(evidenceOf(`Task: ${task}GA_EVIDENCE=x`, { instructions: [`${task}GA_EVIDENCE=x`] })).toBeNull();
    expect(evidenceOf(plan, { instructions: [plan] })).toBeNull();
    const claim = "Finished.\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n";
    expect(evidenceOf(claim, { instructions: [plan] })).toBe("all green");
    expect(evidenceOf(`${plan}${claim}`, { instructions: [plan] })).toBe("all green");
  });
});

describe("S9 the memory of a scanner", () => {
  const silence = "\n".repeat(32 * KIB - 100);
  const unfinished = "GA_STATUS=DONE".padEnd(16 * KIB);
  const flood = `\n${"y\n".repeat(100 * KIB)}`;

  it("S9 recognizes an echo after long silence, even if its line ends much later", () => {
    const instructions = ["Print:\nGA_STATUS=DONE"];
    const pieces = ["x".repeat(90 * KIB), `\nPrint:\n${silence}`, unfinished, flood];
    expect(
      scanPieces(
        pieces.map((piece) => Buffer.from(piece)),
        { instructions },
      ).status,
    ).toBeNull();
  });

  it("S9 recognizes a list of choices after long silence, even if its last line ends much later", () => {
    const choices = "\nGA_STATUS=NEEDS_WORK\nGA_STATUS=BLOCKED\n";
    const pieces = ["x".repeat(90 * KIB), choices + silence, unfinished, flood];
    expect(scanPieces(pieces.map((piece) => Buffer.from(piece))).status).toBeNull();
  });
});

describe("S7 nonce", () => {
  const options = { nonce: "k3" };
  it.each([
    ["DONE", "GA_STATUS[k3]=DONE\n"],
    ["DONE", "GA_STATUS[k3]=DONE\nGA_STATUS=BLOCKED\nGA_STATUS[k4]=BLOCKED\nGA_STATUS[]=x\n"],
    ["invalid", "GA_STATUS[k3]=done\n"],
    [null, "GA_STATUS=DONE\n"],
    [null, "GA_STATUS[K3]=DONE\n"],
    [null, "GA_STATUS[k3]=DONE|NEEDS_WORK|BLOCKED\n"],
    [null, "GA_STATUS[k3]=DONE\nGA_STATUS[k3]=NEEDS_WORK\nGA_STATUS[k3]=BLOCKED\n"],
  ])("S7 gives %s for %j", (status, output) => {
    expect(statusOf(output, options)).toBe(status);
  });

  it("S8 evidence also carries it", () => {
    expect(evidenceOf("GA_EVIDENCE[k3]=mine\nGA_EVIDENCE=not mine\n", options)).toBe("mine");
  });
});

describe("S10 long lines", () => {
  it("S10 a status line of 16 KiB counts, a longer one does not", () => {
    const line = "GA_STATUS=DONE".padEnd(16 * KIB);
    expect(statusOf(line)).toBe("DONE");
    expect(statusOf(`${line} `)).toBeNull();
    expect(statusOf(`${line} \nnext\n`)).toBeNull();
    expect(statusOf(`GA_STATUS=${"x".repeat(17 * KIB)}\n`)).toBeNull();
  });

  it("S8 an overlong evidence line counts with its beginning", () => {
    const line = `GA_EVIDENCE=start ${"x".repeat(3 * KIB * KIB)}`;
    for (const output of [line, `${line}\n`, `a\n${line}\nb\n`]) {
      expect(evidenceOf(output)).toBe(`start ${"x".repeat(1994)}`);
    }
    expect(scan(line).evidence?.endsStream).toBe(true);
    expect(scan(`${line}\n`).evidence?.endsStream).toBe(true);
    expect(scan(`${line}\n\n`).evidence?.endsStream).toBe(false);
  });

  it("S7 a marker counts after an endless line, and not inside one", () => {
    const endless = "GA_STATUS=BLOCKED\u0000".repeat(100 * KIB);
    expect(statusOf(`${endless}\nGA_STATUS=DONE`)).toBe("DONE");
    expect(statusOf(`x${endless}`)).toBeNull();
    expect(statusOf(`${"x".repeat(300 * KIB)}GA_STATUS=DONE\n`)).toBeNull();
  });
});
