// Reads the final results that jest passes to a processor. Jest continues with the returned value.
"use strict";

const { failureIn } = require("./messages.cjs");
const places = require("./places.cjs");
const reporter = require("./report.cjs");

module.exports = (run) => {
  try {
    const results = run.testResults.map((file) => resultsOf(file));
    if (results.length > 0) reporter.report(...[].concat(...results));
    if (!run.wasInterrupted) reporter.end("jest");
  } catch {
    // Jest continues without it.
  }
  return run;
};

function resultsOf(file) {
  const suite = places.suiteOf(file.testFilePath);
  const tests = file.testResults.map((test) => {
    const name = test.ancestorTitles.concat(test.title).join(" > ");
    return reporter.test(
      suite,
      name,
      statusOf(test.status),
      failureIn((test.failureMessages || [])[0] || ""),
    );
  });
  if (tests.length > 0 || !file.testExecError) return tests;
  return [reporter.test(suite, suite, "failed", failureIn(file.testExecError.message || ""))];
}

/** All other statuses mean "left out" for different reasons: pending, todo, disabled, skipped. */
function statusOf(status) {
  return status === "passed" || status === "failed" ? status : "skipped";
}
