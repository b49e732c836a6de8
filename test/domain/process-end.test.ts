import { expect, test } from "vitest";
import { feedbackTexts } from "../../src/core/words/feedback.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { endText } from "../../src/ui/wording.ts";

test.each([
  [0, "exit 0", "exit code 0", "退出码 0"],
  [9, "exit 9", "exit code 9", "退出码 9"],
  [127, "exit 127", "exit code 127", "退出码 127"],
  [128, "exit 128", "exit code 128", "退出码 128"],
  [137, "exit 137 (SIGKILL)", "exit code 137 (SIGKILL)", "退出码 137（SIGKILL）"],
  [139, "exit 139 (SIGSEGV)", "exit code 139 (SIGSEGV)", "退出码 139（SIGSEGV）"],
  [255, "exit 255", "exit code 255", "退出码 255"],
])("exit code %i names its signal", (code, screen, feedback, chinese) => {
  const end = { kind: "exited", code } as const;
  expect(endText(end, terminalTexts.en)).toBe(screen);
  expect(endText(end, terminalTexts.zh)).toBe(chinese);
  expect(feedbackTexts.en.end(end)).toBe(feedback);
  expect(feedbackTexts.zh.end(end)).toBe(chinese);
});
