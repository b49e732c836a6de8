import { test } from "vitest";
import { parseDocument, LineCounter, visit } from "yaml";
import { complaintsAbout } from "/work/main/test/config/fixtures.ts";
const times = (count: number, piece: (index: number) => string): string => Array.from({ length: count }, (_, index) => piece(index)).join("");
test.each([
  ["keys", times(50_000, (index) => `key${index}: 1\n`)],
  ["list", `secrets: [${times(100_000, (index) => `a b${index},`)}]\n`],
  ["alias", `lang: &a en\nsecrets: [${times(100_000, () => "*a,")}]\n`],
  ["long", `${"x".repeat(900_000)}: 1\n`],
  ["token", `lang: ${"token=x:".repeat(100_000)}\n`],
  ["err", times(50_000, () => "] :\n")],
  ["env", `profiles: { a: { extends: pi, env: {${times(30_000, (index) => `A${index}_TOKEN: aaaaaaaa,`)}}}}\n`],
])("%s", async (name, text) => {
  let t = Date.now(); parseDocument(text, {lineCounter: new LineCounter(), prettyErrors: false, logLevel: "error", uniqueKeys: false }); const a = Date.now() - t;
  t = Date.now(); const out = await complaintsAbout(text); console.log(name, "yaml without unique", a, "all", Date.now() - t, out.slice(0, 100));
}, 200000);
