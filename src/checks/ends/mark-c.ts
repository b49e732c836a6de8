import type { Place } from "./mark-shell.ts";

const MAIN = /^[ \t]*int\s+main\s*\(([^)]*)\)\s*\{/m;
const MAIN_ANYWHERE = /\bmain\s*\(/g;
const INCLUDE = /^[ \t]*#[ \t]*include\b.*$/gm;
/** In which braces count for nothing. */
const ASIDE = /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
/** What a compiler that is told to be strict would refuse in what is added. */
const REFUSED = ["pragmas", "missing-prototypes", "missing-declarations", "unused-function"];

/** A program of C or C++, telling of its beginning and of each of its ends; null: it has no `main` that can be told apart. */
export function markC(text: string, place: Place): string | null {
  const plain = text.replaceAll(ASIDE, (aside) => aside.replaceAll(/[^\n]/g, " "));
  const main = MAIN.exec(plain);
  if (main === null || [...plain.matchAll(MAIN_ANYWHERE)].length !== 1) return null;
  const close = closingOf(plain, main.index + main[0].length);
  if (close === null) return null;
  const includes = [...plain.slice(0, main.index).matchAll(INCLUDE)];
  const last = includes.at(-1);
  const at = last ? last.index + last[0].length + 1 : 0;
  const line = plain.slice(0, at).split("\n").length;
  return [
    text.slice(0, at),
    before(place),
    `#line ${line}\n`,
    text.slice(at, close),
    // Only of `main` the end is as good as this.
    " return 0; ",
    text.slice(close),
    after(place, main[1] ?? ""),
  ].join("");
}

function closingOf(text: string, from: number): number | null {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

function before({ file }: Place): string {
  return `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
${REFUSED.map((name) => `#pragma GCC diagnostic ignored "-W${name}"\n`).join("")}
static void agent_foreman_tell(const char *what, int code) {
  FILE *file = fopen(${JSON.stringify(file)}, "a");
  if (file) {
    fprintf(file, "%s %ld %d\\n", what, (long)getpid(), code);
    fclose(file);
  }
}
static void agent_foreman_exit(int code) {
  agent_foreman_tell("exit", code);
  exit(code);
}
#define exit(code) agent_foreman_exit(code)
#define main agent_foreman_main
`;
}

function after({ id }: Place, parameters: string): string {
  const count = /^\s*(?:void\s*)?$/.test(parameters) ? 0 : parameters.split(",").length;
  const names = ["argc", "argv", "envp"].slice(0, count);
  const declared = ["int argc", "char **argv", "char **envp"].slice(0, count);
  return `
#undef main
#undef exit
int main(${declared.join(", ") || "void"}) {
  int code;
  agent_foreman_tell("begin ${id}", 0);
  code = agent_foreman_main(${names.join(", ")});
  agent_foreman_tell("end ${id}", code);
  return code;
}
`;
}
