import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellCommands } from "../../src/domain/oracle/shell-commands.ts";

const wordsOf = (text: string): string[] =>
  shellCommands(text).map(({ words }) => words.join(" ").replaceAll("\0", "?"));

describe("the commands in a shell text", () => {
  test.each([
    ["npm test", ["npm test"]],
    ["a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["a 'b c' \"d e\" f\\ g", ["a b c d e f g"]],
    ["a > out.txt 2>&1 < in.txt b", ["a b"]],
    ["a 2>/dev/null 3 b", ["a 3 b"]],
    ["a &> all.txt", ["a"]],
    ["a>out.txt b 12>c", ["a b"]],
    ['a "" b', ["a  b"]],
    ["f() { a; }", ["f", "a"]],
    ["if a; then b; else c; fi", ["a", "b", "c"]],
    ["for x in one two; do run $x; done", ["run ?"]],
    ["while ! ready; do sleep 1; done", ["ready", "sleep 1"]],
    ["a # not this\nb", ["a", "b"]],
    ["a#b c", ["a#b c"]],
    ["echo $(inner one) two", ["inner one", "echo ? two"]],
    ['"$(dirname "$0")/x.sh" go', ["dirname ?", "?/x.sh go"]],
    ["`which node` x", ["which node", "? x"]],
    ["${HOME}/x $1 $NAME/y", ["?/x ? ?/y"]],
    ["cat <<EOF\nnot a command\nEOF\nreal", ["cat", "real"]],
    ["cat <<-'END' | b\nno\n\tEND\nc", ["cat", "b", "c"]],
    ["a \\\n b", ["a b"]],
    ["{ a; }; (b)", ["a", "b"]],
    ["a 'open", ["a open"]],
    ['a "open $(b', ["b", "a open ?"]],
    ["", []],
  ])("%s", (text, commands) => {
    expect(wordsOf(text)).toEqual(commands);
  });

  test.each([
    ["a | b", ["a"]],
    ["a || b", []],
    ["a |& b", ["a"]],
    ["a | b | c", ["a", "b"]],
    ["a | tee x | grep y", ["tee x"]],
    ["x=$(a; b) c", ["a", "b"]],
    ["`a` b", ["a"]],
    ["b <(a) >(c)", ["a", "c"]],
    ["(a; b) | c; d", ["a", "b"]],
    ["$( (a) )", ["a"]],
    ["a > f; b >> f; c 1> f; d &> f; e >| f", ["a", "b", "c", "d", "e"]],
    ["a 2> f; b < f; c > /dev/null; d >&2; e > x.log; g >&-", []],
    ["a 2>&1 | b", ["a"]],
    ["a > f", ["a"]],
    ["a & b; c && d", ["a"]],
    ["(a; b) & c &> /dev/null", ["a", "b"]],
    ["a 'x | y'", []],
  ])("%s: what is printed by %j is read", (text, commands) => {
    const read = shellCommands(text).filter(({ outputRead }) => outputRead);
    expect(read.map(({ words }) => words.join(" "))).toEqual(commands);
  });

  test("a subshell is a scope of its own, beside another one", () => {
    const [one, two, three] = shellCommands("(a) && (b); c");
    expect(one?.scope).not.toBe(two?.scope);
    expect(one?.scope.outer).toBe(three?.scope);
    expect(two?.scope.outer).toBe(three?.scope);
  });

  test("no text makes it throw", () => {
    const part = fc.constantFrom(
      "a",
      " ",
      "'",
      '"',
      "$(",
      ")",
      "`",
      "<<E",
      "\n",
      "\\",
      "${",
      "}",
      "#",
      "&",
      ">",
      "(",
    );
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join("")),
        (text) => {
          expect(shellCommands(text).every(({ words }) => words.length > 0)).toBe(true);
        },
      ),
    );
  });

  test("is not broken by long and deep texts", () => {
    for (const part of ["(", "$(", "`", "<<A\n", '"$(', "{ ", "a'", "a|", "(a)|", "$(a "])
      shellCommands(part.repeat(20_000));
    expect(shellCommands("a;".repeat(20_000))).toHaveLength(20_000);
  });
});
