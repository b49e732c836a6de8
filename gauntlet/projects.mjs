/* Tiny projects that several cases share. In each the product starts out wrong: add(2, 3) is -1. */
import { put } from "./case.mjs";

const WRONG = "echo $(($1 - $2))\n";
const RIGHT = "echo $(($1 + $2))\n";

/** A project that needs nothing but sh. */
export const shProject = {
  files: {
    "add.sh": WRONG,
    "test/add.sh": `status=0
check() {
  got=$(sh add.sh "$1" "$2")
  if [ "$got" = "$3" ]; then echo "ok $1 + $2"; else echo "not ok $1 + $2: $got, not $3"; status=1; fi
}
check 2 3 5
check 7 0 7
exit $status
`,
    ".gitignore": "build/\n*.local\n",
    "README.md": "# Adder\n",
  },
  fast: ["sh test/add.sh"],
  full: ["sh test/add.sh"],
};

/** Shell lines that fix the product. */
export const shWork = put("add.sh", RIGHT);

/** Shell lines that weaken its test so that the wrong product passes. */
export const shWeaken = "sed -i 's/check 2 3 5/check 2 3 -1/' test/add.sh";

/** An earlier run of the tool that is rejected and leaves the weakened test. */
export const shWeakenedRun = `cat >@CASE@/side/earlier <<'END'
${shWeaken}
echo GA_STATUS=DONE
echo GA_EVIDENCE=weakened
END
AGENT_FOREMAN_HOME=@CASE@/state @TOOL@ supervise --task Earlier --plan-file README.md --agent-cmd 'sh @CASE@/side/earlier' \\
  --max-loops 1 --test-fast 'sh test/add.sh' --test-full 'sh test/add.sh' --report @CASE@/side/earlier.json >/dev/null && exit 1
grep -q 'check 2 3 -1' test/add.sh
`;

const packageJson = (more = {}) =>
  `${JSON.stringify({ name: "adder", version: "1.0.0", private: true, scripts: { test: "node --test" }, ...more }, null, 2)}\n`;

export const nodePackage = packageJson;

/** A project with node's own test runner. */
export const nodeProject = {
  files: {
    "package.json": packageJson(),
    "src/add.js": "exports.add = (a, b) => a - b;\n",
    "test/add.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { add } = require("../src/add.js");

test("adds", () => {
  assert.strictEqual(add(2, 3), 5);
});

test("adds nothing", () => {
  assert.strictEqual(add(7, 0), 7);
});
`,
    ".gitignore": "node_modules/\ndist/\ncoverage/\n.env\n",
    "README.md": "# Adder\n",
  },
  fast: ["node --test"],
  full: ["node --test"],
  needs: ["node"],
};

/** The same, tested through npm. It is slower, so only cases about npm use it. */
export const npmProject = { ...nodeProject, fast: ["npm test"], full: ["npm test"], needs: ["node", "npm"] };

/** A line of Node code that fixes the product. */
export const nodeWork = 'write("src/add.js", "exports.add = (a, b) => a + b;\\n");';

/** A project whose test is a plain script that throws. */
export const scriptProject = {
  files: {
    "package.json": packageJson({ scripts: { test: "node test.js" } }),
    "add.js": "exports.add = (a, b) => a - b;\n",
    "test.js": `const assert = require("node:assert");
const { add } = require("./add.js");
assert.strictEqual(add(7, 0), 7);
assert.strictEqual(add(2, 3), 5);
`,
    ".gitignore": "node_modules/\n",
  },
  fast: ["node test.js"],
  full: ["node test.js"],
  needs: ["node"],
};
