import fs from "node:fs";
import { join } from "node:path";
import { homeDirectory } from "../../platform/files/home.ts";

/** Variables about the user and place, none of which makes a program act. */
const USUAL = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|USER|LOGNAME|CI)$/;

/** Folders of system-wide tools. */
const TOOLS = [
  "JAVA_HOME",
  "GOROOT",
  "GOPATH",
  "DOTNET_ROOT",
  "ANDROID_HOME",
  "ANDROID_SDK_ROOT",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
];

/**
 * Tool data in a person's home, which tools would not find in the room's empty one. Not their configuration, which any program of the person
 * can write.
 */
const KEPT_AT_HOME: Readonly<Record<string, string>> = {
  ASDF_DATA_DIR: ".asdf",
  BUN_INSTALL: ".bun",
  COREPACK_HOME: ".cache/node/corepack",
  CYPRESS_CACHE_FOLDER: ".cache/Cypress",
  DENO_DIR: ".cache/deno",
  FNM_DIR: ".local/share/fnm",
  GOMODCACHE: "go/pkg/mod",
  MISE_DATA_DIR: ".local/share/mise",
  NUGET_PACKAGES: ".nuget/packages",
  NVM_DIR: ".nvm",
  PIP_CACHE_DIR: ".cache/pip",
  PLAYWRIGHT_BROWSERS_PATH: ".cache/ms-playwright",
  POETRY_CACHE_DIR: ".cache/pypoetry",
  PUPPETEER_CACHE_DIR: ".cache/puppeteer",
  PYENV_ROOT: ".pyenv",
  RBENV_ROOT: ".rbenv",
  RUSTUP_HOME: ".rustup",
  SDKMAN_DIR: ".sdkman",
  UV_CACHE_DIR: ".cache/uv",
  UV_PYTHON_INSTALL_DIR: ".local/share/uv/python",
  VOLTA_HOME: ".volta",
  WORKON_HOME: ".local/share/virtualenvs",
  npm_config_cache: ".npm",
};

/**
 * In a new home, tools introduce themselves and check for updates. Only tool-specific variables: a project may test general ones such as
 * `DO_NOT_TRACK`.
 */
const QUIET: Readonly<Record<string, string>> = {
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  npm_config_update_notifier: "false",
};

/** The complete environment of a command in a room. `passed`: further variables that a person named. */
export function roomEnvironment(
  own: NodeJS.ProcessEnv,
  home: string,
  tmp: string,
  passed: readonly string[],
): Record<string, string> {
  const names = [...Object.keys(own).filter((name) => USUAL.test(name)), ...TOOLS];
  return {
    ...valuesOf(own, names),
    ...atHome(own, KEPT_AT_HOME),
    ...QUIET,
    TERM: "dumb",
    SHELL: "/bin/sh",
    HOME: home,
    TMPDIR: tmp,
    ...valuesOf(own, passed),
  };
}

/** Download caches of package managers, if a room's usual variables do not name them. */
const DOWNLOADED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: {},
  pnpm: {
    npm_config_store_dir: ".local/share/pnpm/store",
    pnpm_config_store_dir: ".local/share/pnpm/store",
  },
  yarn: { YARN_CACHE_FOLDER: ".cache/yarn", YARN_GLOBAL_FOLDER: ".yarn/berry" },
  uv: {},
};

/** Extra variables for package managers that install dependencies in a room. They must not wait minutes for a missing network. */
export function installEnvironment(own: NodeJS.ProcessEnv, tool: string): Record<string, string> {
  return {
    CI: "true",
    npm_config_fetch_retries: "1",
    npm_config_fetch_retry_mintimeout: "1000",
    ...atHome(own, DOWNLOADED[tool] ?? {}),
  };
}

function valuesOf(own: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function atHome(own: NodeJS.ProcessEnv, places: Readonly<Record<string, string>>): Record<string, string> {
  const home = homeDirectory(own);
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, place]) => {
      const value = own[name] ?? (fs.existsSync(join(home, place)) ? join(home, place) : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
