// Documents that mix all rules of the protocol.

import * as fc from "fast-check";

const ESC = "\u001B";
export const INSTRUCTIONS = [
  "Do the work.\nPrint:\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n\nthen stop",
  "Finish with:\n```\nGA_STATUS=BLOCKED\nGA_EVIDENCE=reason\n```\n",
  "GA_STATUS=NEEDS_WORK\nfeedback",
];

export const CORPUS: readonly Buffer[] = [
  "",
  "\n",
  "GA_STATUS=DONE",
  "GA_STATUS=DONE\n",
  "GA_STATUS=DONE\nGA_EVIDENCE=ok\n",
  "text\r\nGA_STATUS=DONE \t\r\nGA_EVIDENCE= ok \r\n",
  `${ESC}[1;32mGA_STATUS=DO${ESC}[0mNE${ESC}[K\n`,
  `${ESC}]0;GA_STATUS=BLOCKED\u0007GA_STATUS=DONE${ESC}]0;t${ESC}\\\n`,
  `${ESC}]0;GA_STATUS=DONE\nGA_STATUS=BLOCKED${ESC}[3\n`,
  `GA_${ESC}[1mSTATUS=DONE\nGA_\rSTATUS=DONE\n`,
  " GA_STATUS=DONE\n> GA_STATUS=DONE\n`GA_STATUS=DONE`\n",
  "GA_STATUS=DONE|NEEDS_WORK|BLOCKED\nGA_EVIDENCE=<text>\n",
  "GA_STATUS=BLOCKED\nok\nGA_STATUS=DONE或BLOCKED\nGA_EVIDENCE=…\n",
  "GA_STATUS=DONE\nGA_STATUS=done\nGA_EVIDENCE=\n",
  "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nGA_STATUS=BLOCKED\n",
  "GA_STATUS=BLOCKED\nx\nGA_STATUS=DONE\n\nor\nGA_STATUS=NEEDS_WORK\n 或\r\nGA_STATUS=BLOCKED",
  "GA_STATUS=DONE\nGA_STATUS=NEEDS_WORK\nno\nGA_STATUS=BLOCKED\n",
  "```\nGA_STATUS=DONE\nGA_EVIDENCE=ok\n```\n",
  "```\nGA_STATUS=DONE\nGA_EVIDENCE=ok\n```\n \n\t\r\n",
  "```\nGA_STATUS=DONE\nGA_EVIDENCE=ok\n```\n \nx",
  "~~~sh\nGA_STATUS=DONE\n~~~~\n~~~\nGA_STATUS=BLOCKED\n",
  "````\n```\nGA_STATUS=DONE\n```\n````\nend\nGA_STATUS=NEEDS_WORK\n",
  `  \`\`\`\nGA_STATUS=DONE\n${ESC}[0m\`\`\`\r\n${ESC}[0m\n`,
  "GA_STATUS=BLOCKED\n```\nGA_STATUS=DONE\n```\nGA_EVIDENCE=after\n",
  INSTRUCTIONS.join("\n"),
  `${INSTRUCTIONS[0]}\nok\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n`,
  "I am\n```\nGA_STATUS=BLOCKED\nGA_EVIDENCE=reason\n```\n",
  `${INSTRUCTIONS[1]}`,
  `Task: ${INSTRUCTIONS[1]}GA_TASK=Print:\nGA_STATUS=DONE\nGA_EVIDENCE=all green\n`,
  "\n\nGA_STATUS=NEEDS_WORK\nGA_EVIDENCE=first\n",
  Buffer.from("\0\xFF\nGA_STATUS=DONE\nGA_EVIDENCE=\xC3\x28\0 \xE2\x82\n\0", "latin1"),
  "GA_EVIDENCE=✅ 12 项测试 😀\nGA_STATUS=完成\n",
  "GA_GA_STATUS=DONE\nGA_GA_GA_STATU\nGA_STATUS\n=DONE\n``\n`\n~~\n",
  "one\ntwo\nGA_STATUS=DONE\nthree\n\nfour",
].map((document) => Buffer.from(document));

const blank = fc.constantFrom("", " ", "\t", "\r", `${ESC}[0m`, `${ESC}]0;GA_STATUS=DONE\u0007`);
const joiner = fc.constantFrom("or", "或", " or", "or ", "OR");
const word = fc.constantFrom("DONE", "NEEDS_WORK", "BLOCKED");
const statusValue = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.constantFrom(
    "done",
    "",
    " DONE",
    "DONE\0",
    "DONE|BLOCKED",
    "<status>",
    "[DONE]",
    "...",
    "DONE, or BLOCKED",
    '{"a"}',
  ),
  fc
    .array(fc.oneof(word, fc.constantFrom("|", "or", "或", " ", "、", "(", ")", "<", ">", '"', "x")), {
      maxLength: 6,
    })
    .map((parts) => parts.join("")),
);
const evidenceValue = fc.oneof(
  fc.constantFrom(
    "ok",
    "all green",
    "reason",
    "",
    "<text>",
    "…",
    "{…}",
    '{"a":1}',
    "a\0b",
    "😀".repeat(1100),
    "\u0085",
  ),
  fc.string({
    unit: fc.constantFrom("<", ">", "[", "]", "{", "}", '"', "'", "`", ".", "…", "$", "a", " "),
    maxLength: 6,
  }),
);
const tag = fc.constantFrom("", "", "", "[n1]", "[n2]");
const decorate = (line: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(line) },
    fc.constantFrom(
      `${ESC}[32m${line}${ESC}[0m`,
      `${line} \t\r`,
      `\r${line}`,
      ` ${line}`,
      `> ${line}`,
      `${line}${ESC}[3`,
      `${ESC}(B${line}${ESC}]0;x`,
      `\0${line}`,
    ),
    fc
      .nat(line.length)
      .chain((at) =>
        fc
          .constantFrom(`${ESC}[1m`, "\r", "\0", ESC)
          .map((junk) => line.slice(0, at) + junk + line.slice(at)),
      ),
  );
const status = fc.tuple(tag, statusValue).chain(([mark, value]) => decorate(`GA_STATUS${mark}=${value}`));
const evidence = fc
  .tuple(tag, evidenceValue)
  .chain(([mark, value]) => decorate(`GA_EVIDENCE${mark}=${value}`));
const plainStatus = word.map((value) => `GA_STATUS=${value}`);
const fence = fc
  .constantFrom(
    "```",
    "~~~",
    "````",
    "```js",
    " ~~~ ",
    "   ```",
    "    ```",
    "```a`",
    "``\r`",
    `${ESC}[2m\`\`\``,
  )
  .chain(decorate);
const prose = fc.constantFrom(
  "prose",
  "Print:",
  "Finish with:",
  "feedback",
  "GA_",
  "GA_STATUS",
  "``",
  "x ```",
  "then stop",
  "或者",
);
const echoes = fc.constantFrom(
  ...INSTRUCTIONS.flatMap((text) => {
    const head = text.split("\n").slice(0, -1).join("\n");
    const tail = text.split("\n").slice(1).join("\n");
    return [text, head, tail, `Task: ${text}`, `GA_TASK=${tail}`];
  }),
);
const binary = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const size = fc.constantFrom(
  4_095,
  4_096,
  4_097,
  16_383,
  16_384,
  16_385,
  17_000,
  32_768,
  33_000,
  70_000,
  200_000,
);
export const long = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("GA_STATUS=DONE", "GA_EVIDENCE=long ", "```", "", "Print:", "x"),
      size,
      fc.constantFrom(" ", "x", "\t", "`", ESC, `${ESC}[0m`),
    )
    .map(([start, length, pad]) => start.padEnd(length, pad)),
  size.map((length) => "\n".repeat(length)),
  fc
    .tuple(size, fc.constantFrom("y\n", "\u001B[0m\n", "\r\n"))
    .map(([length, unit]) => unit.repeat(length / 4)),
);

export const piece = fc.oneof(
  { weight: 8, arbitrary: status },
  { weight: 6, arbitrary: plainStatus },
  { weight: 5, arbitrary: evidence },
  { weight: 4, arbitrary: fence },
  { weight: 4, arbitrary: blank },
  { weight: 3, arbitrary: joiner },
  { weight: 3, arbitrary: prose },
  { weight: 2, arbitrary: echoes },
  { weight: 1, arbitrary: binary },
);
export const documentOf = (parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.array(parts, { maxLength }), fc.boolean()).map(([lines, ended]) => {
    // latin1 pieces (binary) stay bytes; all others are UTF-8.
    const bytes = lines.map((line) => Buffer.from(line, /^[\0-\u00FF]*$/.test(line) ? "latin1" : "utf8"));
    const joined = Buffer.concat(
      bytes.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from("\n"), line])),
    );
    return ended ? Buffer.concat([joined, Buffer.from("\n")]) : joined;
  });
