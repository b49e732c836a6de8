import { describe, expect, test } from "vitest";
import { kindsIn, protectedFilesIn } from "./base.ts";

const scripts = (named: Readonly<Record<string, string>>, more = {}): object => ({ scripts: named, ...more });

describe("files of a Node project", () => {
  const tree = {
    "package.json": scripts({ test: "node --test" }),
    "package-lock.json": "",
    "index.js": "",
    "src/calc.js": "",
    "src/calc.test.js": "",
    "test/helper.js": "",
    "test/fixtures/a/package.json": "{}",
    "test/fixtures/a/jest.config.js": "",
    "e2e/login.ts": "",
    "README.md": "",
    ".gitignore": "",
    ".eslintrc.json": "",
    ".prettierrc": "",
    ".editorconfig": "",
    "tsconfig.json": "",
    Dockerfile: "",
    "docs/guide.md": "",
    "docs/Makefile": "",
    "scripts/release.sh": "",
    "jest.config.js": "",
    "vitest.config.ts": "",
    "vitest.slower.config.ts": "",
    ".mocharc.yml": "",
    "karma.conf.js": "",
    "playwright.config.ts": "",
    "cypress.config.js": "",
    ".nycrc.json": "",
    "babel.config.js": "",
    ".npmrc": "",
    ".yarnrc.yml": "",
    ".pnpmfile.cjs": "",
    ".env.test": "",
    ".env": "",
    "vite.config.ts": "",
    "node_modules/left/index.js": "",
  };

  test("tests, configuration of runners, manifests; neither the product nor unused files", () => {
    expect(kindsIn(tree, ["npm test"])).toEqual({
      "package.json": "config",
      "src/calc.test.js": "test",
      "test/helper.js": "test",
      "test/fixtures/a/package.json": "test",
      "test/fixtures/a/jest.config.js": "test",
      "e2e/login.ts": "test",
      "jest.config.js": "config",
      "vitest.config.ts": "config",
      "vitest.slower.config.ts": "config",
      ".mocharc.yml": "config",
      "karma.conf.js": "config",
      "playwright.config.ts": "config",
      "cypress.config.js": "config",
      ".nycrc.json": "config",
      "babel.config.js": "config",
      ".npmrc": "config",
      ".yarnrc.yml": "config",
      ".pnpmfile.cjs": "config",
      ".env.test": "config",
      "node_modules/left/index.js": "shadow",
    });
  });

  test.each([
    [".github/workflows/ci.yml"],
    [".github/actions/setup/action.yml"],
    [".gitlab-ci.yml"],
    [".circleci/config.yml"],
    ["azure-pipelines.yml"],
    ["azure-pipelines-nightly.yml"],
    ["Jenkinsfile"],
    [".travis.yml"],
    [".ci/run.py"],
    [".buildkite/pipeline.yml"],
    ["bitbucket-pipelines.yml"],
    [".drone.yml"],
    ["appveyor.yml"],
  ])("%s decides nothing where no test command runs it", (path) => {
    expect(kindsIn({ [path]: "" }, ["node --test"])).toEqual({});
  });

  test.each([
    [".ci/run.py", "python3 .ci/run.py", "script"],
    [".ci/run.py", "npm test", "script"],
    [".github/workflows/ci.yml", "act push", "config"],
  ])("%s decides where the command is %s", (path, command, kind) => {
    const files = { [path]: "", "package.json": scripts({ test: "python3 .ci/run.py" }) };
    expect(kindsIn(files, [command])[path]).toBe(kind);
  });

  test.each([["package.json"], ["composer.json"], ["deno.json"], ["pyproject.toml"], ["setup.cfg"]])(
    "docs/%s decides by its entries",
    (name) => {
      const path = `docs/${name}`;
      expect(kindsIn({ [path]: "" }, ["deno test"])).toEqual({ [path]: "config" });
    },
  );

  test.each([[".github/CODEOWNERS"], [".github/dependabot.yml"], ["docs/ci.md"]])(
    "%s is unprotected",
    (path) => {
      expect(kindsIn({ [path]: "" }, [])).toEqual({});
    },
  );
});

describe("tools that the commands name", () => {
  test.each<[string, string, string, string | null]>([
    ["npx eslint .", ".eslintrc.json", "{}", "config"],
    ["npm run lint", "eslint.config.js", "eslint src", "config"],
    ["npm run lint", ".eslintignore", "eslint src", "config"],
    ["npm run lint", "eslint.config.js", "echo eslint", null],
    ["npx --yes prettier@3 --check .", ".prettierrc", "{}", "config"],
    ["npx @biomejs/biome ci", "biome.json", "{}", "config"],
    ["npx tsc --noEmit", "tsconfig.json", "{}", "config"],
    ["node_modules/.bin/tsc", "tsconfig.build.json", "{}", "config"],
    ["npm test", "tsconfig.json", "{}", null],
    ["cross-env CI=1 npm run lint", ".stylelintrc", "stylelint **/*.css", "config"],
    ["timeout -k 5 60 npx eslint .", ".eslintrc.json", "{}", "config"],
    ["yarn eslint .", ".eslintrc.json", "{}", "config"],
    ["pnpm exec eslint .", ".eslintrc.json", "{}", "config"],
    ["bash -lc 'cd . && npx eslint .'", ".eslintrc.json", "{}", "config"],
    ["docker compose run test", "docker-compose.yml", "{}", "config"],
    ["npx turbo run test", "turbo.json", "{}", "config"],
  ])("%s makes %s protected (%#)", (command, path, lint, kind) => {
    const tree = { "package.json": scripts({ test: "node --test", lint }), [path]: "" };
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });
});

describe("a tool's config file has the tool's name, or is known otherwise", () => {
  test.each<[string, string, string | null]>([
    ["npx xo", ".xo-config.js", "config"],
    ["npx prettier --check .", ".prettierignore", "config"],
    ["npx biome ci", "packages/a/.biome.jsonc", "config"],
    ["npx webpack", "webpack.config.js", "config"],
    ["npx knip", "knip.ts", "config"],
    ["npx dprint check", "dprint.json", "config"],
    ["npx markdownlint-cli2", ".markdownlint.yaml", "config"],
    ["pylint app", "pylintrc", "config"],
    ["pre-commit run -a", ".pre-commit-config.yaml", "config"],
    ["lint-imports", ".importlinter", "config"],
    ["pyright", "pyrightconfig.json", "config"],
    ["inv test", "tasks.py", "config"],
    ["staticcheck ./...", "staticcheck.conf", "config"],
    ["bundle exec rubocop", ".rubocop_todo.yml", "config"],
    ["vendor/bin/phpstan", "phpstan-baseline.neon", "config"],
    ["vendor/bin/phpcs", "phpcs.xml.dist", "config"],
    ["mix test", "mix.exs", "config"],
    // The file's author does not matter.
    ["npx commitlint", "commitlint.config.mjs", "config"],
    ["npx commitlint", ".commitlintrc.yml", "config"],
    // A product file, although it has the tool's name.
    ["npx commitlint", "src/commitlint.js", null],
    ["npx rollup -c && node --test", "rollup.config.js", null],
    ["mkdocs build", "mkdocs.yml", null],
    ["./server --port 1", "server.json", null],
    ["sh test.sh", "config.toml", null],
    ["sh test.sh", "lint.yml", null],
    ["npx standard", "data/standard.json", null],
    ["black --check .", "data/black.json", null],
    ["npx ng test", "project.json", null],
  ])("%s: %s is %s", (command, path, kind) => {
    const tree = { [path]: "", "test.sh": "config() { :; }\nlint() { :; }\nconfig\nlint\n", server: "" };
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });
});

describe("scripts of package.json", () => {
  const tree = {
    "package.json": scripts({
      test: "npm run build && npm-run-all unit:* && yarn verify",
      pretest: "npm run clean",
      clean: "sh scripts/clean.sh",
      build: "node scripts/build.mjs",
      "unit:a": "node --test a",
      "unit:b": "concurrently 'npm:types' \"node check.js\"",
      types: "tsc",
      verify: "wireit",
      deploy: "sh scripts/deploy.sh",
    }),
    "scripts/clean.sh": "",
    "scripts/build.mjs": 'import "./parts/one.mjs"; import "../src/main.js";',
    "scripts/parts/one.mjs": "",
    "scripts/parts/two.mjs": "",
    "scripts/deploy.sh": "",
    "check.js": "",
    "src/main.js": "",
  };

  test("those that are used are followed, and no others", () => {
    const { uses, kindOf } = protectedFilesIn(tree, ["npm test"]);
    const used = ["build", "clean", "test", "types", "unit:a", "unit:b", "verify"];
    expect([...(uses.scripts.get("package.json") ?? [])].sort()).toEqual(used);
    expect([...uses.tools]).toEqual(expect.arrayContaining(["tsc", "wireit", "node"]));
    expect(Object.keys(tree).filter((path) => kindOf(path) === "script")).toEqual([
      "scripts/clean.sh",
      "scripts/build.mjs",
      "scripts/parts/one.mjs",
      "check.js",
    ]);
  });

  test.each([
    ["npm t", ["test"]],
    ["npm run-script x", ["x"]],
    ["npm run x -- --flag", ["x"]],
    ["npm --silent run x", ["x"]],
    ["pnpm x", ["x"]],
    ["pnpm run x", ["x"]],
    ["yarn x --flag", ["x"]],
    ["yarn run x", ["x"]],
    ["bun run x", ["x"]],
    ["bun test", ["test"]],
    ["node --run x", ["x"]],
    ["npm exec x", ["x"]],
    ["npm ci && npm run x", ["install", "postinstall", "preinstall", "prepare", "prepublish", "x"]],
    ["npm it", ["install", "postinstall", "preinstall", "prepare", "prepublish", "test"]],
    ["yarn", ["install", "postinstall", "preinstall", "prepare", "prepublish"]],
    ["npm run", []],
    ["yarn workspace a run x", ["x"]],
    ["npx run-s x", ["x"]],
    ["env -u A B=c nice -n 5 npm run x", ["x"]],
    ["if true; then npm run x; fi", ["x"]],
    ["(cd . && npm run x)", ["x"]],
    ["yarn jest", []],
  ])("%s uses %j", (command, names) => {
    const { uses } = protectedFilesIn({ "package.json": scripts({ test: "true", x: "true" }) }, [command]);
    expect([...(uses.scripts.get("package.json") ?? [])].sort()).toEqual(names);
  });

  test.each<[command: string, manifests: readonly string[]]>([
    ["npm --prefix pkg test", ["pkg/package.json"]],
    ["npm --prefix=pkg test", ["pkg/package.json"]],
    ["yarn --cwd pkg test", ["pkg/package.json"]],
    ["pnpm -C pkg test", ["pkg/package.json"]],
    ["(cd pkg); npm test", ["package.json"]],
    // Only the shell knows whether it enters the folder.
    ["cd pkg && npm test", ["package.json", "pkg/package.json"]],
    ["cd pkg/deep && npm test", ["package.json", "pkg/package.json"]],
  ])("%s is about %j", (command, manifests) => {
    const tested = scripts({ test: "true" });
    const packages = { "package.json": tested, "pkg/package.json": tested, "pkg/deep/a.js": "" };
    expect([...protectedFilesIn(packages, [command]).uses.scripts.keys()].sort()).toEqual(manifests);
  });

  test.each([["npm test --workspaces"], ["pnpm -r test"], ["yarn workspaces foreach -A run test"]])(
    "%s is about all packages",
    (command) => {
      const tested = scripts({ test: "true" });
      const packages = {
        "package.json": tested,
        "a/package.json": tested,
        "test/fixtures/b/package.json": tested,
      };
      const { uses } = protectedFilesIn(packages, [command]);
      expect([...uses.scripts.keys()]).toEqual(["package.json", "a/package.json"]);
      expect([...uses.anywhere]).toEqual(["test"]);
    },
  );
});
