// Measures how long a person waits after a failure: for the story of the last run, and for an excerpt of a long output.
import { join } from "node:path";
import { ms, time, timeInTurns, x } from "./measure.mjs";

/** The agent changes nothing, so the first check decides. */
const AGENT = "echo GA_STATUS=DONE; echo GA_EVIDENCE=x";

export function failureRows(place, superviseArgs) {
  return [excerptRow(place, superviseArgs), showRow(place)];
}

function showRow({ cli, project, env, quick }) {
  const { node, show } = timeInTurns(quick ? 5 : 20, {
    node: () => time(process.execPath, ["-e", "0"]),
    show: () => time(process.execPath, [cli, "show"], { cwd: project, env }),
  });
  return ["`show` of the last run", ms(show), `node -e 0: ${ms(node)}`, x(show / node), "listed"];
}

/** One failing test after many passing ones. */
function excerptRow({ root, project, env, quick }, superviseArgs) {
  const lines = quick ? 100_000 : 500_000;
  const noisy = `seq -f 'ok %.0f - a test that passes' ${lines}; echo 'not ok - the one that fails'; exit 1`;
  const words = (test) => superviseArgs(AGENT, 1).map((word) => (word === "true" ? test : word));
  const run = (test) => () => time(process.execPath, words(test), { cwd: project, env, expect: 1 });
  const times = timeInTurns(quick ? 3 : 7, {
    silent: run("exit 1"),
    noisy: run(noisy),
    floor: () => time("sh", ["-c", `{ ${noisy}; } | cat >"$0"`, join(root, "log")], { expect: 0 }),
  });
  const added = times.noisy - times.silent;
  return [
    `excerpt of ${lines} lines of output`,
    ms(added),
    `the command, piped into cat > file: ${ms(times.floor)}`,
    x(added / times.floor),
    "<= 5 x",
  ];
}
