// What jest hands over when all tests are over. It goes on with what is returned.
"use strict";

const places = require("./places.cjs");
const teller = require("./tell.cjs");

module.exports = (run) => {
  try {
    const results = run.testResults.map((file) => resultsOf(file));
    if (results.length > 0) teller.tell(...[].concat(...results));
    if (!run.wasInterrupted) teller.end("jest");
  } catch {
    // Jest goes on.
  }
  return run;
};

function resultsOf(file) {
  const suite = places.suiteOf(file.testFilePath);
  const tests = file.testResults.map((test) =>
    teller.test(suite, test.ancestorTitles.concat(test.title).join(" > "), statusOf(test.status)),
  );
  return tests.length === 0 && file.testExecError ? [teller.test(suite, suite, "failed")] : tests;
}

/** The others are left out, each for another reason: pending, todo, disabled, skipped. */
function statusOf(status) {
  return status === "passed" || status === "failed" ? status : "skipped";
}
