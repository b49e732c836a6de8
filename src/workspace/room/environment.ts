import fs from "node:fs";
import { join } from "node:path";
import { homeDirectory } from "../../files/home.ts";

/** What says who and where one is, and nothing that has a program do anything. */
const USUAL = /^(?:PATH|LANG|LANGUAGE|LC_\w+|TZ|USER|LOGNAME|CI)$/;

/** Where tools lie that are no one's own. */
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
 * What tools keep in a person's home: they would look for it in the room's, which is empty. Not what they are configured by, which
 * anybody who works for the person can write.
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
 * In a home that is new each time, tools introduce themselves and ask whether there is a newer version of them. Only what is a tool's
 * own: what many heed (`DO_NOT_TRACK`) may be what a project tests.
 */
const QUIET: Readonly<Record<string, string>> = {
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_NOLOGO: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  npm_config_update_notifier: "false",
};

/** All that a command in a room finds in its environment. `passed`: names of further variables, for a person to say. */
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

/** Where package managers keep their downloads, if the usual variables of a room do not name it. */
const DOWNLOADED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: {},
  pnpm: {
    npm_config_store_dir: ".local/share/pnpm/store",
    pnpm_config_store_dir: ".local/share/pnpm/store",
  },
  yarn: { YARN_CACHE_FOLDER: ".cache/yarn", YARN_GLOBAL_FOLDER: ".yarn/berry" },
  uv: {},
};

/** What a package manager is given besides, to install dependencies in a room. It must not wait minutes for a network that is not there. */
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
