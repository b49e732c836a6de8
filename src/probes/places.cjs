// Which file is whose.
"use strict";

const { realpathSync } = require("fs");
const { sep } = require("path");

const DIRECTORY_OF_TESTS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i;
const NAME_OF_TEST = /(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$/i;
const PART_OF_TESTS =
  /(?:^|\/)(?:__)?(?:fixtures?|helpers?|mocks?|stubs?|support|utils?)(?:__)?(?:\/|\.[^/.]*$)/i;
/** At the root: what people run to be told whether all is well, and has no name of a test. */
const CHECK = /^(?:self)?(?:checks?|verify|verification|smoke|ci|qa)(?:[/._-]|$)/i;
/** Programs of the product's own, and what makes it: they end as they like. */
const PROGRAM =
  /(?:^|\/)(?:bin|src|lib|dist|build|out|app|cmd|cli)\/|(?:^|\/)(?:cli|main|index|app|server|build|bundle|compile|generate)\.[^/]*$/i;
/** Packages, and tools that are kept in the tree, as that of yarn. */
const TOOL = /(?:^|\/)(?:node_modules|\.[^/]+)\//;

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

function isOfTests(place) {
  return DIRECTORY_OF_TESTS.test(place) || NAME_OF_TEST.test(place);
}

/** Whether this program, started by a command, is a test by its name. */
exports.isTestProgram = (main) => {
  const place = inTree(main);
  return place !== null && !TOOL.test(place) && isOfTests(place) && !PART_OF_TESTS.test(place);
};

/** Whether it is the tree's at all. One without a file, such as a text on the command line, is. */
exports.isOfTree = (main) => {
  const place = main === "" ? "" : inTree(main);
  return place !== null && !TOOL.test(place);
};

/** Whether it may be there to tell whether all is well. */
exports.mayCheck = (main) => {
  const place = main === "" ? "" : inTree(main);
  return place !== null && (isOfTests(place) || CHECK.test(place) || !PROGRAM.test(place));
};

/** The path of a file of the product; null: of tests, checks, a package or something else. What the product calls one of its own is not. */
exports.productFile = (file) => {
  const place = inTree(file);
  if (place === null || /(?:^|\/)node_modules\//.test(place) || isOfTests(place) || CHECK.test(place))
    return null;
  return pathOf(file);
};
