import type { Place } from "./report.ts";

const MAIN = /^[ \t]*int\s+(main)\s*\(([^)]*)\)\s*\{/m;
const MAIN_ANYWHERE = /\bmain\s*\(/g;
const INCLUDE = /^[ \t]*#[ \t]*include\b.*\n/gm;
const CONDITION = /^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b/gm;
/** Comments and literals, whose content does not count. */
const ASIDE = /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const EXIT = /(?<![\w.>:])(?:std::)?(exit|_exit|_Exit|quick_exit)(?=\s*\()/g;
/** Then `main` does not end by itself. */
const ENDS_OTHERWISE = /\b(?:pthread_exit|exec[lv]\w*)\s*\(/;
/** Warnings that strict compilers would raise for the added code. */
const REFUSED = ["pragmas", "missing-prototypes", "missing-declarations", "unused-function"];

/** Whether its definitions may end a test successfully before `main` returns. */
export function mayExitWell(text: string): boolean {
  return /\b(?:exit|_exit|_Exit|quick_exit|pthread_exit)\s*\(\s*(?![1-9]|EXIT_FAILURE)/.test(masked(text));
}

function masked(text: string): string {
  return text.replaceAll(ASIDE, (aside) => aside.replaceAll(/[^\n]/g, " "));
}

/**
 * Marks a C or C++ program: it runs in a child process, so its end is known, and reports its beginning and each end of its own. Null: it has
 * no recognizable `main`.
 */
export function markC(text: string, place: Place): string | null {
  const plain = masked(text);
  const main = MAIN.exec(plain);
  if (main === null || [...plain.matchAll(MAIN_ANYWHERE)].length !== 1 || ENDS_OTHERWISE.test(plain))
    return null;
  const [head, , parameters = ""] = main;
  const names = namesOf(parameters);
  const close = closingOf(plain, main.index + head.length);
  const at = placeBefore(plain.slice(0, main.index));
  if (names === null || close === null || at === null || plain.slice(0, at) !== masked(text.slice(0, at)))
    return null;
  const nameAt = main.index + head.indexOf("main");
  const own = [
    text.slice(at, nameAt),
    "agent_foreman_main",
    text.slice(nameAt + "main".length, close),
    // Only in `main` is the closing brace equal to this.
    " return 0; ",
    text.slice(close),
  ];
  const line = plain.slice(0, at).split("\n").length;
  const exits = new Set([...plain.slice(at).matchAll(EXIT)].map(([, name = ""]) => name));
  return [
    text.slice(0, at),
    before(place, [...exits]),
    `#line ${line}\n`,
    withExits(own.join("")),
    after(place, parameters, names),
  ].join("");
}

function withExits(text: string): string {
  const plain = masked(text);
  let at = 0;
  let result = "";
  for (const { 0: word, 1: name = "", index } of plain.matchAll(EXIT)) {
    result += `${text.slice(at, index)}agent_foreman_${name}`;
    at = index + word.length;
  }
  return result + text.slice(at);
}

/** After the last unconditional include; null: `main` is under a condition. */
function placeBefore(plain: string): number | null {
  const depthAt = (end: number): number =>
    [...plain.slice(0, end).matchAll(CONDITION)].reduce(
      (depth, [, word]) => depth + (word === "endif" ? -1 : 1),
      0,
    );
  if (depthAt(plain.length) !== 0) return null;
  const last = [...plain.matchAll(INCLUDE)].findLast(({ index }) => depthAt(index) === 0);
  return last ? last.index + last[0].length : 0;
}

/** Null: a parameter has no name. */
function namesOf(parameters: string): readonly string[] | null {
  if (/^\s*(?:void\s*)?$/.test(parameters)) return [];
  const names = parameters.split(",").map((one) => /[\s*](\w+)\s*(?:\[\s*\]\s*)*$/.exec(one)?.[1]);
  return names.every((name) => name !== undefined) ? names : null;
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

function before({ file }: Place, exits: readonly string[]): string {
  return `#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
${REFUSED.map((name) => `#pragma GCC diagnostic ignored "-W${name}"\n`).join("")}
static void agent_foreman_report(const char *agent_foreman_what, long agent_foreman_pid, int agent_foreman_code) {
  FILE *agent_foreman_file = fopen(${JSON.stringify(file)}, "a");
  if (agent_foreman_file) {
    fprintf(agent_foreman_file, "%s %ld %d\\n", agent_foreman_what, agent_foreman_pid, agent_foreman_code);
    fclose(agent_foreman_file);
  }
}
${exits.map(exitOf).join("")}`;
}

function exitOf(name: string): string {
  return `__attribute__((noreturn)) static void agent_foreman_${name}(int agent_foreman_code) {
  agent_foreman_report("exit", (long)getpid(), agent_foreman_code);
  ${name}(agent_foreman_code);
}
`;
}

/** When the parent process is killed, the child ends too. */
function after({ id }: Place, parameters: string, names: readonly string[]): string {
  return `
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif
int main(${parameters.trim() || "void"}) {
  int agent_foreman_code = 0;
  pid_t agent_foreman_child;
  fflush(NULL);
  agent_foreman_child = fork();
  if (agent_foreman_child > 0) {
    if (waitpid(agent_foreman_child, &agent_foreman_code, 0) < 0) _exit(127);
    agent_foreman_code = WIFEXITED(agent_foreman_code) ? WEXITSTATUS(agent_foreman_code) : 128 + WTERMSIG(agent_foreman_code);
    agent_foreman_report("left ${id}", (long)agent_foreman_child, agent_foreman_code);
    _exit(agent_foreman_code);
  }
#ifdef __linux__
  if (agent_foreman_child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  agent_foreman_report("begin ${id}", (long)getpid(), 0);
  agent_foreman_code = agent_foreman_main(${names.join(", ")});
  agent_foreman_report("end ${id}", (long)getpid(), agent_foreman_code & 255);
  return agent_foreman_code;
}
`;
}
