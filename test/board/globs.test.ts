import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatcher } from "../../src/text/globs.ts";

describe("paths matched by patterns", () => {
  test.each([
    ["test/**", "test/a.ts", true],
    ["test/**", "test/a/b/c.ts", true],
    ["test/**", "test", false],
    ["test/**", "src/test/a.ts", false],
    ["test/**", "tests/a.ts", false],
    ["test/", "test/a/b.ts", true],
    ["./test/", "test/a.ts", true],
    ["/test/", "test/a.ts", true],
    ["/", "a/b.ts", true],
    ["**", "a/b.ts", true],
    ["**", "a", true],
    ["**/test/**", "test/a.ts", true],
    ["**/test/**", "a/b/test/c/d.ts", true],
    ["**/test/**", "a/mytest/c.ts", false],
    ["src/**/a.ts", "src/a.ts", true],
    ["src/**/a.ts", "src/x/y/a.ts", true],
    ["src/**/a.ts", "src/x/ba.ts", false],
    ["*.test.*", "a.test.ts", true],
    ["*.test.*", "deep/down/a.test.ts", true],
    ["*.test.*", "a.tests.ts", false],
    ["package.json", "packages/a/package.json", true],
    ["/package.json", "packages/a/package.json", false],
    ["/package.json", "package.json", true],
    ["src/*", "src/a.ts", true],
    ["src/*", "src/a/b.ts", false],
    ["src/*/b.ts", "src/a/b.ts", true],
    ["src/***", "src/ab", true],
    ["src/a**b", "src/axxb", true],
    ["src/a**/b", "src/ax/b", true],
    ["src/a**/b", "src/ab", false],
    ["src/a**/b", "src/ax/y/b", false],
    ["src/a**b", "src/ax/xb", false],
    ["a?c", "abc", true],
    ["x/a?c", "x/a/c", false],
    ["a?c", "ac", false],
    ["{vitest,jest}.config.{js,ts}", "jest.config.ts", true],
    ["{vitest,jest}.config.{js,ts}", "ava.config.ts", false],
    ["Gemfile{,.lock}", "Gemfile", true],
    ["Gemfile{,.lock}", "Gemfile.lock", true],
    ["{a,{b,c}d}.x", "cd.x", true],
    ["{a,{b,c}d}.x", "c.x", false],
    ["{src,lib}/**", "lib/a/b", true],
    ["{src/**,lib}", "src/a/b", true],
    ["a{b", "a{b", true],
    ["a}b,c", "a}b,c", true],
    ["*", ".hidden", true],
    ["a.c", "abc", false],
    ["[a]+(b)$", "[a]+(b)$", true],
    ["测试/**", "测试/甲.ts", true],
    ["", "", false],
    ["", "a", false],
    ["Test/**", "test/a", false],
  ])("%j and %j: %j", (pattern, path, matches) => {
    expect(globMatcher([pattern])(path)).toBe(matches);
  });

  test("one matching pattern is enough; without a match there is none", () => {
    expect(globMatcher(["a", "b"])("b")).toBe(true);
    expect(globMatcher([])("b")).toBe(false);
  });

  test("a path matches itself as a pattern", () => {
    const name = fc.stringMatching(/^[a-z.()|+^$\\-]{1,8}$/).filter((text) => !/^\.+$/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        const path = names.join("/");
        expect(globMatcher([path])(path)).toBe(true);
        expect(globMatcher([`${names[0] ?? ""}/`])(path)).toBe(names.length > 1);
        expect(globMatcher([path.replaceAll(/[^/]/g, "?")])(path)).toBe(true);
        expect(globMatcher([`**/${names.at(-1) ?? ""}`])(path)).toBe(true);
        expect(globMatcher([path])(`${path}x`)).toBe(false);
      }),
    );
  });

  test("any pattern can be used", () => {
    const pattern = fc.array(fc.constantFrom("*", "**", "/", "{", "}", ",", "?", "a", "./"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(pattern, fc.string(), (parts, path) => {
        expect(typeof globMatcher([parts.join("")])(path)).toBe("boolean");
      }),
    );
  });

  test("finds the last of two million alternatives", () => {
    expect(globMatcher(["{a,b}".repeat(21)])("b".repeat(21))).toBe(true);
  });

  test.each([
    ["stars", `${"*a".repeat(100)}b`, "a".repeat(4000)],
    ["depths", `${"**/a/".repeat(50)}b`, "a/".repeat(2000)],
    ["alternatives", `${"{a,aa,*}".repeat(50)}b`, "a".repeat(2000)],
    ["alternatives within each other", `${"{a,".repeat(100)}b${"}".repeat(100)}c`, "a".repeat(4000)],
  ])("takes no time for %s", (_, pattern, path) => {
    expect(globMatcher([pattern])(path)).toBe(false);
  });
});
