import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roomEnvironment } from "../../src/evidence/room/environment.ts";
import { furnish, furnitureFor } from "../../src/evidence/room/home.ts";
import { Rooms } from "./rooms.ts";

function homeWith(...files: readonly string[]): { theirs: string; fresh: string } {
  const rooms = new Rooms("theirs");
  for (const file of files) rooms.write(file, file);
  const fresh = join(rooms.base, "fresh");
  fs.mkdirSync(fresh);
  return { theirs: rooms.root, fresh };
}

test("the environment of a room has locations, language, and variables that a person passes on", () => {
  const { theirs } = homeWith(".rustup/x", ".cargo/config.toml", ".npm/x", "go/pkg/mod/x");
  const own = {
    HOME: theirs,
    PATH: "/usr/bin",
    LC_ALL: "C",
    TZ: "UTC",
    CI: "1",
    TERM: "xterm",
    JAVA_HOME: "/java",
    PYENV_ROOT: "/pyenv",
    TOKEN: "secret",
    OTHER: "secret",
    NODE_OPTIONS: "--require evil",
    BASH_ENV: "evil",
    ENV: "evil",
    LD_PRELOAD: "evil",
    PYTHONPATH: "evil",
    PYTHONSTARTUP: "evil",
    GIT_DIR: "evil",
    GIT_CONFIG_COUNT: "1",
    MAKEFLAGS: "-n",
    npm_config_script_shell: "evil",
    http_proxy: "evil",
  };
  expect(roomEnvironment(own, "/room/home", "/room/tmp", ["TOKEN", "UNSET", "MAKEFLAGS"])).toEqual({
    PATH: "/usr/bin",
    LC_ALL: "C",
    TZ: "UTC",
    CI: "1",
    TERM: "dumb",
    SHELL: "/bin/sh",
    HOME: "/room/home",
    TMPDIR: "/room/tmp",
    JAVA_HOME: "/java",
    PYENV_ROOT: "/pyenv",
    RUSTUP_HOME: join(theirs, ".rustup"),
    GOMODCACHE: join(theirs, "go/pkg/mod"),
    npm_config_cache: join(theirs, ".npm"),
    npm_config_update_notifier: "false",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    DOTNET_CLI_TELEMETRY_OPTOUT: "1",
    DOTNET_NOLOGO: "1",
    TOKEN: "secret",
    MAKEFLAGS: "-n",
  });
});

test("a fresh home has downloaded packages, but no programs or configuration", () => {
  const site = ".local/lib/python3.11/site-packages";
  const { theirs, fresh } = homeWith(
    ".cargo/registry/x",
    ".cargo/config.toml",
    ".npmrc",
    ".bashrc",
    `${site}/pytest/__init__.py`,
    `${site}/usercustomize.py`,
    `${site}/sitecustomize/__init__.py`,
    `${site}/paths.pth`,
  );
  fs.writeFileSync(join(theirs, site, "evil.pth"), "/some/path\n import os; os._exit(0)\n");
  furnish(fresh, furnitureFor({ HOME: theirs }, null));
  // `find` does not follow links, unlike Node's own function.
  const names = spawnSync("find", ["."], { cwd: fresh, encoding: "utf8" })
    .stdout.trim()
    .split("\n./")
    .slice(1);
  expect(names.sort()).toEqual([
    ".cargo",
    ".cargo/registry",
    ".gitconfig",
    ".local",
    ".local/lib",
    ".local/lib/python3.11",
    ".local/lib/python3.11/site-packages",
    ".local/lib/python3.11/site-packages/paths.pth",
    ".local/lib/python3.11/site-packages/pytest",
  ]);
  expect(fs.readlinkSync(join(fresh, ".cargo", "registry"))).toBe(join(theirs, ".cargo", "registry"));
});
