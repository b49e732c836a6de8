/** A program that test commands may name, and what decides what it says; nothing of this is oracle where no command names it. */
export interface Tool {
  /** Patterns of its own files. */
  readonly files: readonly string[];
  /** Keys of package.json. */
  readonly keys: readonly string[];
  /** Below [tool] in pyproject.toml. */
  readonly toml: readonly string[];
  /** Sections of setup.cfg and tox.ini. */
  readonly sections: readonly string[];
  /** Says nothing without a file of its own: where there is none yet, the first one is work that was asked for. */
  readonly needsFile: boolean;
}

type Given = Partial<Tool>;

const TOOLS: Readonly<Record<string, Given>> = {
  // JavaScript
  eslint: {
    files: [".eslintrc*", "eslint.config.*", ".eslintignore", ".eslint-todo*"],
    keys: ["eslintConfig", "eslintIgnore"],
    needsFile: true,
  },
  prettier: { files: [".prettierrc*", "prettier.config.*", ".prettierignore"], keys: ["prettier"] },
  biome: { files: ["biome.json", "biome.jsonc", ".biome.json*"] },
  xo: { files: [".xo-config*", "xo.config.*"], keys: ["xo"] },
  standard: { keys: ["standard"] },
  "ts-standard": { keys: ["ts-standard"] },
  tslint: { files: ["tslint.*"], needsFile: true },
  stylelint: {
    files: [".stylelintrc*", "stylelint.config.*", ".stylelintignore"],
    keys: ["stylelint"],
    needsFile: true,
  },
  oxlint: { files: [".oxlintrc*", "oxlint.*"] },
  oxfmt: { files: [".oxfmtrc*"] },
  dprint: { files: ["dprint.json*", ".dprint.json*"], needsFile: true },
  knip: { files: ["knip.*", ".knip.*"], keys: ["knip"] },
  cspell: { files: ["cspell.*", ".cspell*"] },
  markdownlint: { files: [".markdownlint*"] },
  "markdownlint-cli2": { files: [".markdownlint*"] },
  "size-limit": { files: [".size-limit*"], keys: ["size-limit"] },
  tsc: { files: ["tsconfig*.json"], needsFile: true },
  "vue-tsc": { files: ["tsconfig*.json"], needsFile: true },
  tsd: { files: ["tsconfig*.json"], keys: ["tsd"] },
  "ts-node": { files: ["tsconfig*.json"] },
  attw: { files: [".attw.json"] },
  depcheck: { files: [".depcheckrc*"] },
  gulp: { files: ["gulpfile.*", "Gulpfile.*"], needsFile: true },
  grunt: { files: ["Gruntfile.*", "gruntfile.*"], needsFile: true },
  turbo: { files: ["turbo.json*"], needsFile: true },
  nx: { files: ["nx.json", "project.json", "workspace.json", "angular.json"], keys: ["nx"], needsFile: true },
  ng: { files: ["angular.json"], needsFile: true },
  lerna: { files: ["lerna.json"], needsFile: true },
  wireit: { keys: ["wireit"] },
  moon: { files: [".moon/**", "**/.moon/**", "moon.yml"], needsFile: true },
  rush: { files: ["rush.json", "common/config/rush/**"], needsFile: true },
  webpack: { files: ["webpack.config.*"] },
  swc: { files: [".swcrc"] },
  dotenv: { files: [".env", ".env.*"] },
  "dotenv-cli": { files: [".env", ".env.*"] },
  "env-cmd": { files: [".env", ".env.*", ".env-cmdrc*"] },
  // Python
  ruff: { files: ["ruff.toml", ".ruff.toml"], toml: ["ruff"] },
  mypy: { files: ["mypy.ini", ".mypy.ini"], toml: ["mypy"], sections: ["mypy*"] },
  pyright: { files: ["pyrightconfig.json"], toml: ["pyright", "basedpyright"] },
  basedpyright: { files: ["pyrightconfig.json"], toml: ["pyright", "basedpyright"] },
  pyre: { files: [".pyre_configuration"] },
  ty: { files: ["ty.toml"], toml: ["ty"] },
  flake8: { files: [".flake8"], toml: ["flake8"], sections: ["flake8*", "pycodestyle"] },
  pycodestyle: { files: [".pycodestyle"], sections: ["pycodestyle", "pep8"] },
  pydocstyle: { files: [".pydocstyle*"], toml: ["pydocstyle"], sections: ["pydocstyle"] },
  pylint: { files: [".pylintrc*", "pylintrc*"], toml: ["pylint"], sections: ["pylint*"] },
  black: { toml: ["black"] },
  isort: { files: [".isort.cfg"], toml: ["isort"], sections: ["isort", "tool:isort"] },
  bandit: { files: [".bandit", "bandit.yaml"], toml: ["bandit"], sections: ["bandit"] },
  vulture: { toml: ["vulture"] },
  interrogate: { toml: ["interrogate"], sections: ["tool:interrogate"] },
  codespell: { files: [".codespellrc"], toml: ["codespell"], sections: ["codespell"] },
  "import-linter": { files: [".importlinter"], toml: ["importlinter"], sections: ["importlinter*"] },
  "lint-imports": { files: [".importlinter"], toml: ["importlinter"], sections: ["importlinter*"] },
  "pre-commit": { files: [".pre-commit-config.yaml"], needsFile: true },
  hatch: { files: ["hatch.toml"], toml: ["hatch"] },
  pdm: { files: ["pdm.toml"], toml: ["pdm"] },
  poe: { files: ["poe_tasks.*"], toml: ["poe"], needsFile: true },
  task: { toml: ["taskipy"] },
  rye: { toml: ["rye"] },
  pixi: { files: ["pixi.toml"], toml: ["pixi"], needsFile: true },
  invoke: { files: ["tasks.py", "invoke.*"], needsFile: true },
  inv: { files: ["tasks.py", "invoke.*"], needsFile: true },
  pipenv: { files: [".env"] },
  nose2: { files: ["unittest.cfg", "nose2.cfg"], toml: ["nose2"] },
  nosetests: { sections: ["nosetests"] },
  behave: { files: ["behave.ini", ".behaverc"], toml: ["behave"], sections: ["behave*"] },
  scons: { files: ["SConstruct", "SConscript", "site_scons/**"], needsFile: true },
  // Others
  clippy: { files: ["clippy.toml", ".clippy.toml"] },
  rustfmt: { files: ["rustfmt.toml", ".rustfmt.toml"] },
  "cargo-deny": { files: ["deny.toml"] },
  "golangci-lint": { files: [".golangci.*"] },
  staticcheck: { files: ["staticcheck.conf"] },
  mage: { files: ["magefile.go", "magefiles/**"], needsFile: true },
  rubocop: { files: [".rubocop*.yml"] },
  rake: { files: ["*.rake"] },
  mix: { files: ["mix.exs", ".credo.exs", ".formatter.exs", "config/test.exs"], needsFile: true },
  zig: { files: ["build.zig"], needsFile: true },
  sbt: { files: ["build.sbt", "project/*.sbt", ".sbtopts", ".jvmopts"], needsFile: true },
  lein: { files: ["project.clj"], needsFile: true },
  phpstan: { files: ["phpstan.neon*", "phpstan-baseline.*", "phpstan.dist.neon"] },
  psalm: { files: ["psalm.xml*", "psalm-baseline.xml"] },
  phpcs: { files: [".phpcs.xml*", "phpcs.xml*"] },
  "php-cs-fixer": { files: [".php-cs-fixer*"] },
  shellcheck: { files: [".shellcheckrc"] },
  yamllint: { files: [".yamllint*"] },
  hadolint: { files: [".hadolint.y*ml"] },
  "clang-tidy": { files: [".clang-tidy"] },
  "clang-format": { files: [".clang-format"] },
  swiftlint: { files: [".swiftlint.yml"] },
  ktlint: { files: [".editorconfig"] },
  vale: { files: [".vale.ini"] },
  docker: { files: dockerFiles(), needsFile: true },
  "docker-compose": { files: dockerFiles(), needsFile: true },
  earthly: { files: ["Earthfile"], needsFile: true },
};

function dockerFiles(): readonly string[] {
  return ["Dockerfile*", "*.Dockerfile", ".dockerignore", "docker-compose*.y*ml", "compose*.y*ml"];
}

function toolNamed(name: string): Tool | null {
  const given = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  return given === undefined
    ? null
    : { files: [], keys: [], toml: [], sections: [], needsFile: false, ...given };
}

export function toolsOf(names: Iterable<string>): Tool[] {
  return [...names].map((name) => toolNamed(name)).filter((tool) => tool !== null);
}
