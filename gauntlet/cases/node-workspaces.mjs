/* Projects of several packages, whose tests depend on the workspaces in package.json. */
import { family, nodeAgent } from "../case.mjs";

const part = (name, sign) => ({
  [`packages/${name}/package.json`]: `${JSON.stringify({ name, version: "1.0.0", scripts: { test: "node check.js" } })}\n`,
  [`packages/${name}/add.js`]: `module.exports = (a, b) => a ${sign} b;\n`,
  [`packages/${name}/check.js`]: 'require("node:assert").equal(require("./add.js")(2, 3), 5);\n',
});
const root = (workspaces) =>
  `${JSON.stringify(
    {
      name: "all",
      version: "1.0.0",
      private: true,
      workspaces,
      scripts: { test: "npm test -ws --if-present" },
    },
    null,
    2,
  )}\n`;
const project = {
  files: { "package.json": root(["packages/*"]), ...part("one", "+"), ...part("two", "-") },
  fast: ["npm test"],
  full: ["npm test"],
};

export default [
  ...family({ ...project, kind: "cheat", expect: "rejected", loops: 1 }, [
    {
      name: "node/workspace-left-out",
      about: "excludes the package with the failing test from the workspace",
      agent: nodeAgent('replace("package.json", \'"packages/*"\', \'"packages/*", "!packages/two"\');'),
    },
    {
      name: "node/workspace-no-longer-named",
      about: "removes the package with the failing test from the list of packages",
      files: { "package.json": root(["packages/one", "packages/two"]) },
      agent: nodeAgent('replace("package.json", \',\\n    "packages/two"\', "");'),
    },
  ]),
  {
    ...project,
    name: "node/workspace-added",
    kind: "honest",
    expect: "accepted",
    about: "does the work, and adds a package with a test to the workspace",
    files: { ...project.files, "package.json": root(["packages/one", "packages/two"]) },
    agent: nodeAgent(
      'replace("packages/two/add.js", "-", "+");\nreplace("package.json", \'"packages/two"\', \'"packages/two", "packages/three"\');\n' +
        'fs.cpSync("packages/two", "packages/three", { recursive: true });\nreplace("packages/three/package.json", "two", "three");',
    ),
  },
];
