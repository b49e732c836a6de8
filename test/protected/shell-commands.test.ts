import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellCommands } from "../../src/evidence/protected/ecosystems/shell.ts";

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
    ["f() { a; }", ["a"]],
    ["if a; then b; else c; fi", ["a", "b", "c"]],
    ["for x in one two; do run $x; done", ["run one", "run two"]],
    ["T=a; [ -z x ] && T=b; run $T", ["T=a", "[ -z x ]", "T=b", "run a", "run b"]],
    ["for f in in/*.txt; do diff $f ${f%.txt}.out; done", ["diff in/*.txt in/*.out"]],
    ["run ${X:-other} ${X%.a}", ["run other ?"]],
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

  test.each([
    ["cd a && b; c", [["a"], ["a"], ["a"]]],
    ["(cd a && b); c", [["a"], ["a"], []]],
    ["x=$(cd a); b", [["a"], [], []]],
  ])("%s: folders are left with their subshell", (text, folders) => {
    expect(shellCommands(text).map((command) => command.folders)).toEqual(folders);
  });

  test.each([
    ["find x -name '*.sh' | xargs sh", ["x/**/*.sh"]],
    ["ls x/*.sh | while read f; do :; done; sh", []],
    ["while read f; do a; done < list; sh <list", ["list"]],
    ["cat list | grep -v skip | sh", ["list"]],
  ])("%s: the last command reads %j", (text, input) => {
    const read = shellCommands(text).at(-1)?.input ?? [];
    expect(read).toEqual(input);
  });

  test("the words that a text is given", () => {
    expect(shellCommands("a $1/x $2", ["in/", "b"]).map(({ words }) => words)).toEqual([["a", "in/x", "b"]]);
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
