import { describe, expect, test } from "vitest";
import { BOARD_ROLES, NEXT_AGENTS, type BoardRole, REVIEW_MODES } from "../../src/core/board/answer.ts";
import { historyFields } from "../../src/modes/orchestrate/history.ts";
import { TASK_STATUSES, tasksOf } from "../../src/core/board/plan.ts";
import { readAnswer } from "../../src/modes/orchestrate/rules/read-answer.ts";
import { readOrder } from "../../src/modes/orchestrate/rules/read-order.ts";
import { readPlan } from "../../src/modes/orchestrate/rules/read-plan.ts";
import { readRole } from "../../src/modes/orchestrate/rules/read-role.ts";
import { BOARD_RULES } from "../../src/core/board/rule.ts";
import { placeholdersOf, templateProblems } from "../../src/text/prompt-template.ts";
import type { Lang, OrchestrateSettings } from "../../src/core/settings.ts";
import { BUILT_IN_PROMPTS } from "../../src/modes/prompts/built-in.ts";
import { mainPrompt, mainReminder, rolePrompt } from "../../src/modes/orchestrate/board-prompts.ts";

const LANGS = ["en", "zh"] as const;
const PROMPTS = ["main", "test", "dev", "review"] as const;
const CHINESE = /[\u4e00-\u9fff]/;
const ENGLISH = /\b(?:the|is|are|has|have|and|of|not|with)\b/;

function settings(lang: Lang): OrchestrateSettings {
  const prompt = (name: (typeof PROMPTS)[number]) => ({
    text: BUILT_IN_PROMPTS[name][lang],
    sha256: "",
    path: null,
  });
  const prompts = {
    main: prompt("main"),
    test: prompt("test"),
    dev: prompt("dev"),
    review: prompt("review"),
  };
  // Only the settings that prompts use.
  return { lang, cwd: "/project", prompts } as OrchestrateSettings;
}

const PARTS = {
  iteration: 7,
  maxIterations: 60,
  context: "the goal\n",
  environment: "{}\n",
  tree: "src/a.ts\n",
  history: "## Iteration 1:\n",
  situation: "the situation",
};

const promptIn = (lang: Lang): string => mainPrompt(settings(lang), PARTS);
const rolePromptOf = (lang: Lang, role: BoardRole, order = "the order"): string =>
  rolePrompt(settings(lang), role, { iteration: 7, order, environment: '{"a": 1}', task: "M1-T2" });

describe.each(PROMPTS)("the prompt %s", (name) => {
  test.each(LANGS)("uses all its placeholders and no others: %s", (lang) => {
    const text = BUILT_IN_PROMPTS[name][lang];
    expect(templateProblems(text, name)).toEqual([]);
    for (const place of placeholdersOf(name)) expect(text).toContain(`{{${place}}}`);
  });

  test("has both languages in the same outline, neither inside the other", () => {
    const { en, zh } = BUILT_IN_PROMPTS[name];
    const outline = (text: string) => text.match(/^(?:#+ |- |\d+\. |\||```)/gm);
    expect(outline(zh)).toEqual(outline(en));
    expect(en).not.toMatch(CHINESE);
    expect(zh.replaceAll(/`[^`\n]*`|\([^)]*\)/g, "")).not.toMatch(ENGLISH);
  });
});

describe.each(LANGS)("MAIN's specification: %s", (lang) => {
  const blocks = [...promptIn(lang).matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

  test("names every rule, status, agent and mode", () => {
    for (const rule of Object.keys(BOARD_RULES)) expect(promptIn(lang)).toContain(`\`${rule}\``);
    for (const word of [...TASK_STATUSES, ...NEXT_AGENTS, ...REVIEW_MODES])
      expect(promptIn(lang)).toContain(word);
    for (const cause of ["permission", "environment", "unresolved", "major_choice", "clarification"])
      expect(promptIn(lang)).toContain(`\`${cause}\``);
    for (const word of ["drop_tasks", "red_waiver:", "root_cause_analysis:", "blockers:", "user_cause:"])
      expect(promptIn(lang)).toContain(word);
  });

  test("B9-B13: its example of a plan is one", () => {
    const read = readPlan(blocks[0] ?? "");
    const tasks = "plan" in read ? tasksOf(read.plan) : [];
    expect(tasks.map(({ id, depends }) => [id, depends])).toEqual([
      ["M1-T1", []],
      ["M1-T2", ["M1-T1"]],
    ]);
    expect(tasks.map(({ acceptance }) => acceptance.map(({ command }) => command))).toEqual([
      ["npm test -- store", "npm run lint"],
      ["npm test -- limits"],
    ]);
  });

  test("B24-B33, B41: parses its own examples of orders", () => {
    const orders = blocks.filter((block) => block.startsWith("# Current Task")).map(readOrder);
    const seen = orders.map(({ assignedAgent, selfTest, reviewMode, partial, sections, commands }) => ({
      assignedAgent,
      selfTest,
      reviewMode,
      partial,
      sections: sections.map(({ name }) => name),
      commands: commands.length,
    }));
    const common = { selfTest: null, reviewMode: null, partial: null };
    expect(seen).toEqual([
      {
        ...common,
        assignedAgent: "TEST",
        sections: ["goal", "test_requirements", "code_under_test", "acceptance"],
        commands: 1,
      },
      {
        ...common,
        assignedAgent: "DEV",
        selfTest: "enabled",
        sections: ["goal", "acceptance"],
        commands: 1,
      },
      {
        ...common,
        assignedAgent: "REVIEW",
        reviewMode: "milestone",
        sections: ["goal", "acceptance"],
        commands: 3,
      },
      {
        ...common,
        assignedAgent: "REVIEW",
        reviewMode: "milestone",
        partial: "M2",
        sections: ["goal", "acceptance"],
        commands: 1,
      },
      {
        ...common,
        assignedAgent: "REVIEW",
        reviewMode: "investigate",
        sections: ["investigation", "dev_feedback", "files", "investigation_requirements"],
        commands: 0,
      },
    ]);
    expect(orders[0]?.requirements).toBe(3);
    expect(orders.map(({ unknownValues }) => unknownValues)).toEqual(orders.map(() => []));
  });

  test("B46: its example of a reply is one", () => {
    const reply = blocks.find((block) => block.startsWith("## ") && !block.includes("# Current"));
    expect(readOrder(`# Current Task (Iteration 1)\n${reply}`).sections).toMatchObject([
      { name: "clarification_reply" },
    ]);
  });

  test("B52-B54: its example of a history entry is one", () => {
    const entry = /^ {4}(## Iteration 3:[\s\S]*?)\n\n/m.exec(promptIn(lang))?.[1] ?? "";
    const { iteration, fields } = historyFields(entry.replaceAll(/^ {4}/gm, ""));
    expect(iteration).toBe(3);
    expect([...fields.keys()]).toEqual(["next_agent", "reason", "dev_plan"]);
  });

  test.each([promptIn(lang), mainReminder(lang)])(
    "B55-B60: the forms of the answer are JSON, one for each agent",
    (text) => {
      const forms = [...text.matchAll(/^ {4}(\{"next_agent".*\})$/gm)].map(
        ([, form = ""]) => JSON.parse(form) as Record<string, unknown>,
      );
      expect(forms.map((form) => form["next_agent"])).toEqual(NEXT_AGENTS);
      for (const form of forms) {
        const isQuestion = form["next_agent"] === "USER";
        expect(Object.keys(form).length).toBe(isQuestion ? 9 : 5);
        expect(form["task"] === null).toBe(isQuestion || form["next_agent"] === "FINISH");
      }
    },
  );

  test("B55: the lengths in the prompt match the parser's limits", () => {
    const form = /^ {4}(\{"next_agent":"USER".*\})$/m.exec(promptIn(lang))?.[1] ?? "";
    const rows = [...promptIn(lang).matchAll(/^\| `(\w+)` \|[^|]*?(\d{3,5}) (?:characters|个字符)/gm)];
    const limits = rows
      .filter(([, key]) => key !== "options")
      .map(([, key = "", limit]) => [key, Number(limit)] as const);
    expect(limits).toHaveLength(6);
    const tooLong = (key: string, length: number): boolean => {
      const line = JSON.stringify({ ...(JSON.parse(form) as object), [key]: "x".repeat(length) });
      const read = readAnswer(line);
      return "broken" in read && read.broken.some(({ rule }) => rule === "field_too_long");
    };
    for (const [key, limit] of limits)
      expect([key, tooLong(key, limit), tooLong(key, limit + 1)]).toEqual([key, false, true]);
  });

  test("contains its inputs", () => {
    for (const part of ["the goal", "{}", "src/a.ts", "## Iteration 1:", "the situation", "/project"])
      expect(promptIn(lang)).toContain(part);
    expect(promptIn(lang)).not.toContain("{{");
  });
});

describe.each(LANGS)("the prompts of the roles: %s", (lang) => {
  const keys = {
    en: {
      TEST: [
        "Conclusion:",
        "Test files:",
        "Test commands:",
        "Coverage:",
        "Block type:",
        "## Clarification request",
      ],
      DEV: ["Self-test:", "Test commands:", "Block type:", "## Test feedback", "## Clarification request"],
      REVIEW: [
        "Conclusion:",
        "Test commands:",
        "Failure type:",
        "Fault:",
        "Block type:",
        "## Clarification request",
      ],
    },
    zh: {
      TEST: ["结论:", "测试文件:", "测试命令:", "覆盖:", "阻塞类型:", "## 澄清请求"],
      DEV: ["自测结果:", "测试命令:", "阻塞类型:", "## 测试问题反馈", "## 澄清请求"],
      REVIEW: ["结论:", "测试命令:", "失败类型:", "问题归属:", "阻塞类型:", "## 澄清请求"],
    },
  } as const;

  test.each(BOARD_ROLES)("%s learns every key of its report", (role) => {
    for (const key of keys[lang][role]) expect(rolePromptOf(lang, role)).toContain(`\`${key}\``);
    for (const part of ["the order", '{"a": 1}', "/project", "M1-T2"])
      expect(rolePromptOf(lang, role)).toContain(part);
    expect(rolePromptOf(lang, role)).not.toContain("{{");
  });

  test.each(BOARD_ROLES)("%s claims nothing by repeating its prompt", (role) => {
    const { claim, fault, failureType, clarification, testFeedback } = readRole(
      rolePromptOf(lang, role),
      role,
    );
    expect({ claim, fault, failureType, clarification, testFeedback }).toEqual({
      claim: null,
      fault: null,
      failureType: null,
      clarification: null,
      testFeedback: null,
    });
  });

  test("the keys are those that the reader knows", () => {
    const [conclusion, files, commands, coverage] = keys[lang].TEST;
    const [, , failure, fault, block, clarification] = keys[lang].REVIEW;
    const [selfTest, , , feedback] = keys[lang].DEV;
    const values =
      lang === "en"
        ? { failure: "test", fault: "requirements", block: "permission", skipped: "SKIPPED" }
        : { failure: "测试问题", fault: "需求不清晰", block: "权限", skipped: "未执行" };
    const report = [
      `${conclusion} FAIL`,
      `${files} test/a.ts, test/b.ts`,
      `${commands} \`npm test\`, \`npm run lint\``,
      `${coverage} 1, 2`,
      `${failure} ${values.failure}`,
      `${fault} ${values.fault}`,
      `${block} ${values.block}`,
      feedback,
      "it is wrong",
      clarification,
      "which one?",
    ];
    expect(readRole(report.join("\n"), "REVIEW")).toMatchObject({
      claim: "FAIL",
      testFiles: ["test/a.ts", "test/b.ts"],
      commands: ["npm test", "npm run lint"],
      covered: [1, 2],
      failureType: "test",
      fault: "requirements",
      blockType: "permission",
      testFeedback: "it is wrong",
      clarification: "which one?",
    });
    expect(readRole(`${selfTest} ${values.skipped}`, "DEV").claim).toBe("SKIPPED");
    for (const value of [values.failure, values.fault, values.block])
      expect(rolePromptOf(lang, "REVIEW")).toContain(`\`${value}\``);
    expect(rolePromptOf(lang, "DEV")).toContain(`\`${values.skipped}\``);
  });

  test("quotes an order, whatever it contains, as Markdown", () => {
    expect(rolePromptOf(lang, "DEV", "a ``b``")).toContain("\n```\na ``b``\n```\n");
    expect(rolePromptOf(lang, "DEV", "```\na\n```")).toContain("\n````\n```\na\n```\n````\n");
  });

  test("a REVIEW of several tasks has its order name them", () => {
    const several = rolePrompt(settings(lang), "REVIEW", {
      iteration: 7,
      order: "o",
      environment: "{}",
      task: null,
    });
    expect(several).not.toContain("null");
    expect(several).toMatch(lang === "en" ? /those that the work order names/ : /工单中列出的任务/);
  });
});

test("placeholders in text of others are not filled", () => {
  expect(rolePromptOf("en", "DEV", "{{environment}} {{cwd}}")).toContain("{{environment}} {{cwd}}");
  expect(mainPrompt(settings("en"), { ...PARTS, context: "{{protocol}}" })).toContain("{{protocol}}");
});
