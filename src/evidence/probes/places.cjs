// Classifies files: test, product, package.
"use strict";

const { realpathSync } = require("fs");
const { sep } = require("path");

const DIRECTORY_OF_TESTS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i;
const NAME_OF_TEST = /(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$/i;
const PART_OF_TESTS =
  /(?:^|\/)(?:__)?(?:fixtures?|helpers?|mocks?|stubs?|support|utils?)(?:__)?(?:\/|\.[^/.]*$)/i;
/** In the root: scripts that people run as checks without a test name. */
const CHECK = /^(?:self)?(?:checks?|verify|verification|smoke|ci|qa)(?:[/._-]|$)/i;
/** The product's own programs and build programs, which may end in any way. */
const PROGRAM =
  /(?:^|\/)(?:bin|src|lib|dist|build|out|app|cmd|cli)\/|(?:^|\/)(?:cli|main|index|app|server|build|bundle|compile|generate)\.[^/]*$/i;
/** Packages, and tools kept in the tree, such as yarn's. */
const TOOL = /(?:^|\/)(?:node_modules|\.[^/]+)\//;

/** Read before tests change the environment. */
const roots = rootsOf(process.env.AGENT_FOREMAN_ROOT || "");

/** Relative to the work tree, with slashes; null: outside of it. */
function inTree(file) {
  const path = pathOf(file);
  const root = roots.find((start) => path.startsWith(start));
  return root === undefined ? null : path.slice(root.length).split(sep).join("/");
}

/** Node uses real paths unless configured otherwise, and the tree's root may have another name. */
function rootsOf(root) {
  if (root === "") return [];
  const found = [root];
  try {
    found.push(realpathSync(root));
  } catch {
    // Keeps the given name.
  }
  return found.map((path) => (path.endsWith(sep) ? path : path + sep));
}

function pathOf(file) {
  return file.startsWith("file:") ? require("url").fileURLToPath(file) : file;
}

/** The name of a suite. */
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

/** Whether the program belongs to the tree. A program without a file, such as command line text, does. */
exports.isOfTree = (main) => {
  const place = main === "" ? "" : inTree(main);
  return place !== null && !TOOL.test(place);
};

/** Whether the program may be a check. */
exports.mayCheck = (main) => {
  const place = main === "" ? "" : inTree(main);
  return place !== null && (isOfTests(place) || CHECK.test(place) || !PROGRAM.test(place));
};

/**
 * The path of a product file; null: part of tests, checks, a package or something else. A product's own module named like a test does not
 * count as product.
 */
exports.productFile = (file) => {
  const place = inTree(file);
  if (place === null || /(?:^|\/)node_modules\//.test(place) || isOfTests(place) || CHECK.test(place))
    return null;
  return pathOf(file);
};
