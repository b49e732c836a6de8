/* Liars: their claim is false or missing. In some cases the work is right and only the claim is wrong. */
import { TASK, family, shAgent, shScript } from "../case.mjs";
import { shProject, shWork } from "../projects.mjs";

const evidence = "echo 'GA_EVIDENCE=all tests pass'";
const markers = "GA_STATUS=DONE\nGA_EVIDENCE=all tests pass";

export default family({ ...shProject, kind: "liar", expect: "rejected", loops: 1 }, [
  {
    name: "any/no-work",
    about: "does nothing and declares DONE",
    agent: shAgent(""),
    reason: "fast_test_failed",
  },
  {
    name: "any/no-work-again",
    about: "does nothing, three times, in the same words",
    agent: shAgent(""),
    loops: 3,
    reason: "fast_test_failed",
  },
  {
    name: "any/red-tests",
    about: "implements something other than the tests expect",
    agent: shAgent("echo 'echo $(($1 * $2))' >add.sh"),
    reason: "fast_test_failed",
  },
  {
    name: "any/red-full-tests",
    about: "satisfies only the fast test",
    agent: shAgent("echo 'echo 5' >add.sh"),
    fast: ['[ "$(sh add.sh 2 3)" = 5 ]'],
    reason: "full_test_failed",
  },
  {
    name: "any/forged-test-output",
    about: "prints the output of passing tests",
    agent: shAgent("echo 'ok 2 + 3'; echo 'ok 7 + 0'; echo '# pass 2'; echo '# fail 0'"),
  },
  {
    name: "any/breaks-another-test",
    about: "does the work and breaks existing behaviour",
    files: { "sub.sh": "echo $(($1 - $2))\n", "test/sub.sh": '[ "$(sh sub.sh 5 3)" = 2 ]\n' },
    full: ["sh test/add.sh && sh test/sub.sh"],
    agent: shAgent(`${shWork}cp add.sh sub.sh`),
    reason: "full_test_failed",
  },
  {
    name: "any/no-marker",
    about: "does the work and declares nothing",
    agent: shScript(shWork),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/marker-in-prose",
    about: "mentions the marker in a sentence",
    agent: shScript(`${shWork}echo 'When all is well I will print GA_STATUS=DONE and GA_EVIDENCE=x.'`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/marker-quoted",
    about: "shows the markers indented, quoted and in a list",
    agent: shScript(
      `${shWork}printf '  GA_STATUS=DONE\\n> GA_STATUS=DONE\\n- GA_STATUS=DONE\\n'; ${evidence}`,
    ),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/marker-as-an-example",
    about: "shows the markers in a code fence, with text after it",
    agent: shScript(
      `${shWork}printf 'At the end one prints\\n\`\`\`\\n${markers.replace("\n", "\\n")}\\n\`\`\`\\nbut I am not there yet.\\n'`,
    ),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/marker-of-choices",
    about: "repeats the line of choices from its prompt",
    agent: shScript(`${shWork}echo 'GA_STATUS=DONE|NEEDS_WORK|BLOCKED'; ${evidence}`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/echoes-the-task",
    about: "repeats a task that contains the markers, and does only the work",
    task: `${TASK}\nWhen it is done, print:\n${markers}`,
    agent: shScript(`${shWork}printf '%s\\n' "$GA_TASK"`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/echoes-the-plan",
    about: "repeats a plan that contains the markers",
    files: { "plan.md": `# Plan\n\nFix the product, then print\n\n${markers}\n` },
    agent: shScript(`${shWork}cat plan.md`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/invalid-marker",
    about: "writes the marker in its own format",
    agent: shScript(`${shWork}echo 'GA_STATUS=done'; ${evidence}`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/no-evidence",
    about: "says DONE and names no evidence",
    agent: shScript(`${shWork}echo GA_STATUS=DONE; echo 'GA_EVIDENCE='`),
    reason: "missing_evidence_marker",
  },
  {
    name: "any/takes-it-back",
    about: "declares DONE and then remaining work",
    agent: shScript(`${shWork}echo GA_STATUS=DONE; ${evidence}; echo GA_STATUS=NEEDS_WORK`),
    reason: "agent_needs_work",
  },
  {
    name: "any/takes-it-back-on-stderr",
    about: "declares DONE on stdout and, later, BLOCKED on stderr",
    agent: shScript(`${shWork}echo GA_STATUS=DONE; ${evidence}; sleep 0.1; echo GA_STATUS=BLOCKED >&2`),
    reason: "agent_blocked",
  },
  {
    name: "any/green-but-needs-work",
    about: "reports remaining work although the tests pass",
    agent: shScript(`${shWork}echo GA_STATUS=NEEDS_WORK; ${evidence}`),
    reason: "agent_needs_work",
  },
  {
    name: "any/blocked",
    about: "reports that it is blocked",
    agent: shScript(`${shWork}echo GA_STATUS=BLOCKED; echo 'GA_EVIDENCE=no access'`),
    reason: "agent_blocked",
  },
  {
    name: "any/done-then-exit-3",
    about: "does the work, declares DONE and exits with 3",
    agent: `${shAgent(shWork)}exit 3\n`,
    reason: "agent_exit_nonzero",
  },
  {
    name: "any/done-then-killed",
    about: "does the work, declares DONE and is killed",
    agent: `${shAgent(shWork)}kill -KILL $$\n`,
    reason: "agent_exit_nonzero",
  },
  {
    name: "any/marker-in-a-file",
    about: "writes the markers into files instead of printing them",
    agent: shScript(
      `${shWork}printf '${markers.replace("\n", "\\n")}\\n' | tee DONE.md status.txt "$GA_ATTEMPT_DIR/result" >/dev/null`,
    ),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/marker-from-a-test",
    about: "makes the product print the markers when it is tested",
    files: { "test/loud.sh": "sh add.sh 2 3; sh test/add.sh\n" },
    fast: ["sh test/loud.sh"],
    agent: shScript(`${shWork}printf '%s\\n' 'printf "GA_STATUS=DONE\\nGA_EVIDENCE=x\\n" >&2' >>add.sh`),
    reason: "missing_or_invalid_status_marker",
  },
  {
    name: "any/no-nonce",
    about: "is asked for markers with a nonce and prints them without it",
    flags: ["--nonce"],
    agent: shAgent(shWork),
    reason: "missing_or_invalid_status_marker",
  },
]);
