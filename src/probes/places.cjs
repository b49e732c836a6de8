// Which file is whose.
"use strict";

const { realpathSync } = require("fs");
const { sep } = require("path");

const DIRECTORY_OF_TESTS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i;
const NAME_OF_TEST = /(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$/i;
const PART_OF_TESTS =
  /(?:^|\/)(?:__)?(?:fixtures?|helpers?|mocks?|stubs?|support|utils?)(?:__)?(?:\/|\.[^/.]*$)/i;
const NOT_THE_PRODUCT =
  /(?:^|[/._-])(?:tests?|testing|specs?|e2e|fixtures?|mocks?|harness|bench(?:mark)?s?)(?:[/._-]|$)|(?:^|\/)scripts?\/|(?:^|[/._-])(?:test|spec)s?[A-Z]|[a-z](?:Test|Spec)s?(?![a-z])|\.config\.[^/]*$|(?:^|\/)\./;

/** Known before tests change the environment. */
const roots = rootsOf(process.env.AGENT_FOREMAN_ROOT || "");

/** Relative to the work tree, with slashes; null: not in it. */
function inTree(file) {
  const path = pathOf(file);
  const root = roots.find((start) => path.startsWith(start));
  return root === undefined ? null : path.slice(root.length).split(sep).join("/");
}

/** Files are known by their real path, unless Node is told otherwise; the tree's root may be known by another. */
function rootsOf(root) {
  if (root === "") return [];
  const found = [root];
  try {
    found.push(realpathSync(root));
  } catch {
    // As it was named.
  }
  return found.map((path) => (path.endsWith(sep) ? path : path + sep));
}

function pathOf(file) {
  return file.startsWith("file:") ? require("url").fileURLToPath(file) : file;
}

/** As suites are named. */
exports.suiteOf = (file) => {
  if (!file) return "";
  const place = inTree(file);
  return place === null ? pathOf(file) : place;
};

/** Whether this program, started by a command, is a test. */
exports.isTestProgram = (main) => {
  const place = inTree(main);
  if (place === null || /(?:^|\/)node_modules\//.test(place)) return false;
  return (DIRECTORY_OF_TESTS.test(place) || NAME_OF_TEST.test(place)) && !PART_OF_TESTS.test(place);
};

/** The path of a file of the product; null: of tests, scripts, configuration, a package or something else. */
exports.productFile = (file) => {
  const place = inTree(file);
  if (place === null || /(?:^|\/)node_modules\//.test(place) || NOT_THE_PRODUCT.test(place)) return null;
  return pathOf(file);
};
