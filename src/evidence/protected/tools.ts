/** A tool and its config files. They are protected only if a test command runs the tool. */
export interface Tool {
  /** Patterns of its own files. */
  readonly files: readonly string[];
  /** Keys of package.json. */
  readonly keys: readonly string[];
  /** Tables below [tool] in pyproject.toml. */
  readonly toml: readonly string[];
  /** Sections of setup.cfg and tox.ini. */
  readonly sections: readonly string[];
  /** Does nothing without its own file: if none exists yet, the first one is requested work. */
  readonly needsFile: boolean;
}

/**
 * Tools whose configuration files all have the tool's name. This is a list instead of every program that a command runs: most configuration of
 * builders and servers (rollup, mkdocs, poetry) is ordinary work, and scripts give their functions any name (`main`, `config`).
 */
const CALLED_AFTER = new Set(
  [
    "prettier biome xo ts-standard oxfmt cspell size-limit attw depcheck wireit webpack swc",
    "ruff mypy pyre ty flake8 pycodestyle pydocstyle isort bandit vulture interrogate codespell hatch pdm rye nosetests behave",
    "clippy rustfmt staticcheck rubocop phpstan psalm phpcs php-cs-fixer shellcheck clang-tidy clang-format vale",
  ]
    .join(" ")
    .split(" "),
);
/** Only linters have such names. */
const LINTER = /^[\w-]{1,30}lint$/;

/** Tools whose files have another name. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  "markdownlint-cli2": "markdownlint",
  "golangci-lint": "golangci",
  "cargo-deny": "deny",
  "import-linter": "importlinter",
  "lint-imports": "importlinter",
  task: "taskipy",
};

/** Exceptions to the rule above. */
const OTHERWISE: Readonly<Record<string, Partial<Tool>>> = {
  eslint: { keys: ["eslintConfig", "eslintIgnore"], needsFile: true },
  ...each("tslint stylelint dprint turbo lerna pixi pre-commit", { needsFile: true }),
  // Data files may have these words as names.
  ...each("standard black", { files: [] }),
  // Vitest falls back to the configuration of vite, which loads that of its styles.
  vitest: { files: ["vite.config.*", "postcss.config.*", ".postcssrc*"] },
  knip: { files: ["{,.}knip.*"] },
  ...each("tsc vue-tsc", { files: ["tsconfig*.json"], needsFile: true }),
  ...each("tsd ts-node tsx", { files: ["tsconfig*.json"] }),
  gulp: { files: ["{g,G}ulpfile.*"], needsFile: true },
  grunt: { files: ["{g,G}runtfile.*"], needsFile: true },
  nx: { files: ["{nx,project,workspace,angular}.json"], needsFile: true },
  ng: { files: ["angular.json"], needsFile: true },
  moon: { files: ["**/.moon/**", "moon.yml"], needsFile: true },
  rush: { files: ["rush.json", "common/config/rush/**"], needsFile: true },
  ...each("dotenv dotenv-cli env-cmd", { files: [".env", ".env.*", ".env-cmdrc*"] }),
  pipenv: { files: [".env"] },
  ...each("pyright basedpyright", { files: ["pyrightconfig.json"], toml: ["pyright", "basedpyright"] }),
  poe: { files: ["poe_tasks.*"], needsFile: true },
  ...each("invoke inv", { files: ["tasks.py", "invoke.*"], needsFile: true }),
  nose2: { files: ["{unittest,nose2}.cfg"] },
  scons: { files: ["SConstruct", "SConscript", "site_scons/**"], needsFile: true },
  mage: { files: ["magefile.go", "magefiles/**"], needsFile: true },
  rake: { files: ["*.rake"] },
  mix: { files: ["mix.exs", ".credo.exs", ".formatter.exs", "config/test.exs"], needsFile: true },
  zig: { files: ["build.zig"], needsFile: true },
  sbt: { files: ["build.sbt", "project/*.sbt", ".sbtopts", ".jvmopts"], needsFile: true },
  lein: { files: ["project.clj"], needsFile: true },
  ktlint: { files: [".editorconfig"] },
  ...each("docker docker-compose", {
    files: ["Dockerfile*", "*.Dockerfile", ".dockerignore", "{docker-,}compose*.y*ml"],
    needsFile: true,
  }),
  act: { files: [".github/workflows/**"], needsFile: true },
  earthly: { files: ["Earthfile"], needsFile: true },
};

function each(names: string, tool: Partial<Tool>): Readonly<Record<string, Partial<Tool>>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, tool]));
}

function ownOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function calledAfter(name: string): Tool {
  return {
    files: [
      `.${name}{,rc*,ignore,.*,-*,_*}`,
      `${name}{rc*,.{json,toml,yaml,yml,ini,cfg,conf,xml,neon,dist}*,.config.*,-baseline.*}`,
    ],
    keys: [name],
    toml: [name],
    sections: [`${name}*`, `tool:${name}`],
    needsFile: false,
  };
}

function toolNamed(name: string): Tool | null {
  const otherwise = ownOf(OTHERWISE, name);
  const known = ownOf(KNOWN_AS, name);
  if (otherwise === undefined && known === undefined && !CALLED_AFTER.has(name) && !LINTER.test(name))
    return null;
  return { ...calledAfter(known ?? name), ...otherwise };
}

export function isTool(name: string): boolean {
  return toolNamed(name) !== null;
}

export function toolsOf(names: Iterable<string>): Tool[] {
  return [...names].map((name) => toolNamed(name)).filter((tool) => tool !== null);
}
