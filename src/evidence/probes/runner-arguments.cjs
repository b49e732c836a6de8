// Adds our reporters to runners that accept them on the command line.
"use strict";

const fs = require("fs");
const { dirname, join, resolve } = require("path");
const reporter = require("./report.cjs");

const VITEST_CONFIGURATIONS = names("vitest.config", "vite.config");
const JEST_CONFIGURATIONS = names("jest.config").concat("jest.config.json", "package.json");

/** A reporter on the command line replaces the configured ones, so those are repeated beside ours. */
exports.vitest = () => {
  const args = ownArguments();
  if (/^(?:bench|list|init|complete)$/.test(args[0] || "")) return;
  if (args.some((arg) => /^(?:--help|-h|--version|-v)$/.test(arg))) return;
  const ours = join(__dirname, "vitest-reporter.mjs");
  // Vitest treats the path as part of a URL, and fails if it finds nothing there.
  if (/[#?%\\]/.test(ours)) return;
  const named = args.some((arg) => /^--reporter(?:=|$)/.test(arg));
  const reporters = named ? [] : reportersOf(vitestConfiguration(args));
  if (reporters === null) return;
  hand(
    reporters.concat(ours).map((name) => `--reporter=${name}`),
    /[\\/]vitest[\\/]/,
  );
};

/** Jest passes its final results to a function, independent of reporters. */
exports.jest = () => {
  const args = ownArguments();
  const other = /^(?:--help|-h|--version|-v|--init|--listTests|--showConfig|--clearCache|--watch(?:All)?)$/;
  if (args.some((arg) => other.test(arg) || /^--testResultsProcessor\b/.test(arg))) return;
  const named = valueOf(args, "--config", "-c");
  const places = [named === null ? "" : resolve(named)].concat(above(JEST_CONFIGURATIONS));
  if (places.some((file) => textOf(file).includes("testResultsProcessor"))) return;
  hand([`--testResultsProcessor=${join(__dirname, "jest-results.cjs")}`], /[\\/]jest(?:-cli)?[\\/]/);
  reporter.begin("jest");
};

/** Only the runner sees these words when it reads its arguments, because tests and configurations look at them too. */
function hand(words, runner) {
  const { argv } = process;
  const { slice } = argv;
  const value = function (...range) {
    const given = Reflect.apply(slice, this, range);
    if (range[0] !== 2 || !runner.test(String(new Error("who").stack))) return given;
    // The runner may read them several times, but in the same tick.
    process.nextTick(() => delete argv.slice);
    return words.concat(given);
  };
  Object.defineProperty(argv, "slice", { value, configurable: true, writable: true, enumerable: false });
}

function names(...stems) {
  const endings = ["ts", "mts", "cts", "js", "mjs", "cjs"];
  return [].concat(...stems.map((stem) => endings.map((ending) => `${stem}.${ending}`)));
}

function ownArguments() {
  const args = process.argv.slice(2);
  return args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
}

function valueOf(args, ...flags) {
  const at = args.findIndex((arg) => flags.includes(arg.split("=")[0]));
  if (at < 0) return null;
  const equals = args[at].indexOf("=");
  return equals < 0 ? args[at + 1] || null : args[at].slice(equals + 1);
}

/** Files of these names in the directory and its parents, up to the root of the work tree. */
function above(files, from = process.cwd()) {
  const root = process.env.AGENT_FOREMAN_ROOT || "";
  const inside = from !== root && from.startsWith(root) && dirname(from) !== from;
  return files.map((file) => join(from, file)).concat(inside ? above(files, dirname(from)) : []);
}

function vitestConfiguration(args) {
  const root = resolve(valueOf(args, "--root", "-r") || ".");
  const named = valueOf(args, "--config", "-c");
  const files = named === null ? above(VITEST_CONFIGURATIONS, root) : [resolve(root, named)];
  return textOf(files.find((file) => fs.existsSync(file)) || "");
}

function textOf(file) {
  try {
    return file === "" ? "" : fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The configured reporters; null: the configuration has options that the command line cannot repeat. */
function reportersOf(text) {
  const code = text.replace(/\/\*[^]*?\*\//g, "").replace(/(^|[\s,;{}])\/\/.*/g, "$1");
  const mentions = code.split(/\breporters\b/);
  if (mentions.length === 1) return ["default"];
  const list = /^["']?\s*:\s*(?:\[([^\][{}()]*)\]|(["'][\w@/-]+["']))\s*[,}\n]/.exec(mentions[1]);
  if (mentions.length > 2 || list === null) return null;
  const items = (list[1] || list[2] || "").split(",").map((item) => item.trim());
  const found = items.filter((item) => item !== "");
  const plain = found.length > 0 && found.every((item) => /^(["'])[\w@/-]+\1$/.test(item));
  return plain ? found.map((item) => item.slice(1, -1)) : null;
}
