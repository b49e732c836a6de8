/*
 * A minimal loop as an example of another tool and for comparison. It starts the agent and runs the tests until they pass. It trusts exit
 * codes, and an agent's DONE only on its own line.
 */
import fs from "node:fs";

const LOOP = `
round=1
while [ $round -le $LOOPS ]; do
  export GA_LOOP_INDEX=$round GA_MAX_LOOPS=$LOOPS
  "$AGENT" >"$TURN" 2>&1 && grep -aqx GA_STATUS=DONE "$TURN" && sh -c "$TESTS" && exit 0
  echo "round $round failed" >"$GA_PREV_FEEDBACK_FILE"
  round=$((round + 1))
done
exit 1
`;

export default {
  name: "plain loop",

  command(place, one) {
    fs.mkdirSync(`${place.state}/run/attempt`, { recursive: true });
    return {
      argv: ["sh", "-c", LOOP],
      env: {
        AGENT: place.agent,
        LOOPS: String(one.loops),
        TESTS: [...one.fast, ...one.full].map((command) => `(${command})`).join(" && "),
        TURN: `${place.dir}/turn`,
        GA_TASK: one.task,
        GA_PLAN_FILE: place.plan,
        GA_WORKDIR: place.cwd,
        GA_RUN_DIR: `${place.state}/run`,
        GA_ATTEMPT_DIR: `${place.state}/run/attempt`,
        GA_PREV_FEEDBACK_FILE: `${place.state}/run/feedback.md`,
      },
    };
  },

  verdict(_place, { code }) {
    return { accepted: code === 0, reasons: null, rounds: null, broken: null };
  },
};
