import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { type Adapter, leastTools, type Tools } from "../../src/agents/adapter.ts";
import { adapterFor } from "../../src/agents/registry.ts";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { isUnavailable, type FailureClass } from "../../src/core/agent-turn.ts";
import { ExitCode } from "../../src/platform/outcome.ts";
import {
  placeholdersOf,
  PROMPT_NAMES,
  templateProblems,
  type PromptName,
} from "../../src/text/prompt-template.ts";
import {
  codes,
  enumOf,
  expectNamed,
  flagsIn,
  flagsOf,
  help,
  read,
  REPO,
  rows,
  section,
  words,
} from "../rig/docs.ts";

const FLAGS = words(`--task --plan-file --agent-cmd --test-fast --test-full --max-loops --cwd --report --force
  --agent-timeout-sec --test-timeout-sec`);
const ENVIRONMENT = words(
  `GA_TASK GA_PLAN_FILE GA_LOOP_INDEX GA_MAX_LOOPS GA_WORKDIR GA_PREV_FEEDBACK_FILE GA_RUN_DIR GA_ATTEMPT_DIR`,
);
const MARKERS = words("GA_STATUS=DONE GA_STATUS=NEEDS_WORK GA_STATUS=BLOCKED GA_EVIDENCE=");
const RUN_FIELDS =
  words(`run_id task plan_file agent_cmd cwd max_loops final_status exit_code started_at finished_at attempts
  manual_decision report_path`);
const ATTEMPT_FIELDS =
  words(`index agent_exit_code agent_status_marker agent_evidence fast_tests_passed full_test_executed
  full_test_passed decision reasons duration_ms stdout_path stderr_path`);
const VALUES = words(
  "passed failed manually_passed manually_failed continue_n mark_pass mark_fail missing_or_invalid_status_marker timeout",
);

describe("S45 docs", () => {
  test("S45 the README shows how to use it and leads to the rest", () => {
    expectNamed("README.md", [...FLAGS, "GA_STATUS", "GA_EVIDENCE", "npm ci", "npm run demo", "npm test"]);
    expectNamed("README.md", ["docs/protocol.md", "docs/report.md", "docs/ci.md", "docs/exit-codes.md"]);
  });

  test("S45 the protocol names every marker and every variable", () => {
    expectNamed("docs/protocol.md", [
      ...MARKERS,
      ...ENVIRONMENT,
      "--nonce",
      "missing_or_invalid_status_marker",
    ]);
  });

  test("S45 the report format names every field and value", () => {
    expectNamed("docs/report.md", [...RUN_FIELDS, ...ATTEMPT_FIELDS, ...VALUES]);
  });

  test("S45 behaviour in CI: no terminal, exit codes, where the report is", () => {
    expectNamed("docs/ci.md", ["supervise", "goldagent-supervise-report-", "exit-codes.md"]);
  });

  test("S45 the help of supervise names every flag", async () => {
    expect(await flagsOf("supervise")).toEqual(expect.arrayContaining(FLAGS));
  });
});

describe("docs say what the program does", () => {
  test("flags of supervise", async () => {
    const documented = rows(section("README.md", "## Flags of `supervise`")).flatMap(([flag = ""]) =>
      flagsIn(flag),
    );
    expect(documented.toSorted()).toEqual((await flagsOf("supervise")).toSorted());
  });

  test("flags of resume", async () => {
    const commands = section("README.md", "## Commands");
    const documented = flagsIn(commands.slice(commands.indexOf("\n`supervise`")));
    expect(documented.filter((flag) => flag !== "--help").toSorted()).toEqual(
      (await flagsOf("resume")).toSorted(),
    );
  });

  test("commands", async () => {
    const documented = rows(section("README.md", "## Commands")).map(
      ([call = ""]) => words(codes(call)[0] ?? "")[0] ?? "",
    );
    const known = [...(await help()).matchAll(/^ {2}([a-z]+) \[?[[<o]/gm)].map(([, name]) => name ?? "");
    expect(documented.toSorted()).toEqual(known.toSorted());
  });

  test.each(["README.md", "docs/exit-codes.md"])("exit codes: %s", (file) => {
    const table = file === "README.md" ? section(file, "## Exit codes") : read(file);
    const documented = rows(table).flatMap(([code = ""]) => code.split(", ").map(Number));
    expect(documented).toEqual(Object.values(ExitCode));
  });

  test("each exit code is explained", () => {
    const explained = [...read("docs/exit-codes.md").matchAll(/^## ([\d, ]+):/gm)].flatMap(([, code = ""]) =>
      code.split(", ").map(Number),
    );
    expect(explained).toEqual(Object.values(ExitCode));
  });

  test("failure classes, and what they cost", () => {
    const documented = rows(section("docs/agents.md", "### Failure classes")).map(
      ([kind = "", , , costs = ""]) => [codes(kind)[0], costs],
    );
    const kinds = enumOf("report", "agent_failures", "class") as FailureClass[];
    expect(documented).toEqual(kinds.map((kind) => [kind, isUnavailable(kind) ? "nothing" : "an attempt"]));
  });

  test.each<[PromptName, string, string]>([
    ["supervise", "docs/agents.md", "## The prompt"],
    ...PROMPT_NAMES.map((name): [PromptName, string, string] => [
      name,
      "docs/configuration.md",
      `### Placeholders of \`${name}\``,
    ]),
  ])("placeholders of the prompt %s in %s", (name, file, heading) => {
    const table = rows(section(file, heading));
    const named = table.flatMap(([cell = ""]) => codes(cell).map((code) => code.slice(2, -2)));
    expect(named.toSorted()).toEqual(placeholdersOf(name).toSorted());
    const required = table.filter(([cell = ""]) => cell.endsWith("(required)"));
    expect(required.map(([cell = ""]) => codes(cell)[0]?.slice(2, -2))).toEqual(
      templateProblems("", name).map((problem) => problem.name),
    );
  });
});

describe("docs describe each agent", () => {
  const ofProfiles = new Set(["acp", "command"]);
  const agents = ADAPTERS.filter((name) => !ofProfiles.has(name));
  const rowOf = (text: string, name: string): string[] =>
    rows(text).find(([cell = ""]) => codes(cell)[0] === name) ?? [];
  const seen = ({ tested: [oldest, newest] }: Adapter): string =>
    oldest === newest ? newest : `${oldest} to ${newest}`;
  const yes = (able: boolean): string => (able ? "yes" : "no");

  test.each(agents)("%s: versions, abilities and how to get it", (name) => {
    const adapter = adapterFor(name);
    const { install, can } = adapter;
    const abilities = [yes(can.resume), yes(can.fork), can.tools, yes(can.tokens), yes(can.cost)];
    const row = rowOf(section("docs/agents.md", "## The agents"), name);
    expect(row.map((cell) => cell.replaceAll("`", ""))).toEqual([name, install, seen(adapter), ...abilities]);
    const short = rowOf(section("README.md", "### Agents"), name).slice(1);
    expect(short).toEqual([seen(adapter), yes(can.tokens), yes(can.cost)]);
  });

  const called = (name: (typeof ADAPTERS)[number], tools: Tools): string => {
    const adapter = adapterFor(name);
    const { words: command } = adapter.command({
      options: { program: adapter.program, args: [], env: {}, model: null, endpoint: null },
      session: { kind: "start" },
      tools,
      cwd: ".",
      system: null,
      dir: "TURN_DIR",
      maxCostUsd: null,
    });
    return command.join(" ");
  };

  test.each(agents)("%s: how it is called", (name) => {
    expect(section("docs/agents.md", "### How each is called").split("\n")).toContain(called(name, "all"));
  });

  test.each([
    ["read", "### Read only"],
    ["none", "### Without tools"],
  ] as const)("how those are called that can be kept to %s", (tools, heading) => {
    const [, block = ""] = /```\n([\s\S]*?)\n```/.exec(section("docs/agents.md", heading)) ?? [];
    const able = agents.filter((name) => leastTools(tools, adapterFor(name).can.tools) === tools);
    expect(block.split("\n")).toEqual(able.map((name) => called(name, tools)));
  });

  test("all of them, in the order of the program", () => {
    for (const table of [section("docs/agents.md", "## The agents"), section("README.md", "### Agents")])
      expect(rows(table).map(([cell = ""]) => codes(cell)[0])).toEqual(ADAPTERS);
  });
});

describe("links", () => {
  const files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...markdownBelow("docs")];

  test.each(files)("%s", (file) => {
    const text = read(file).replaceAll(/^```[\s\S]*?^```/gm, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
    const broken = links.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(file, target));
    expect(broken).toEqual([]);
  });
});

function markdownBelow(dir: string): string[] {
  return fs
    .readdirSync(join(REPO, dir), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(dir, name));
}

function leadsSomewhere(from: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const to = path === "" ? from : relative(REPO, join(REPO, dirname(from), path));
  if (!fs.existsSync(join(REPO, to))) return false;
  return anchor === undefined || headingsOf(to).includes(anchor);
}

/** The anchors of headings, as the sites that display these files create them. */
function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
