import { createHash } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gitBytes } from "./git.ts";
import type { Stamps } from "./stamps.ts";
import { readEntry } from "./read-entry.ts";
import { gitDirectoriesOf } from "./tree-repository.ts";
import { namesIn } from "../files/names-in.ts";

const LARGEST = 16 * 1024 * 1024;
/** Every tracking branch writes these, and git runs nothing because of them. */
const HARMLESS = /^branch\./;

/**
 * Inputs of git besides the files of the tree, by readable names: settings of the repository and of the person, hooks and
 * attributes. Values are digests, because a setting may hold a token.
 */
export function gitSettings(root: string): Stamps {
  if (!fs.existsSync(join(root, ".git"))) return new Map();
  const { own, shared } = gitDirectoriesOf(root);
  const home = homedir();
  const userConfig = join(process.env["XDG_CONFIG_HOME"] || join(home, ".config"), "git", "config");
  return new Map([
    ...settingsIn(".git/config", join(shared, "config")),
    ...settingsIn(".git/config.worktree", join(own, "config.worktree")),
    ...settingsIn("~/.gitconfig", join(home, ".gitconfig")),
    ...settingsIn(userConfig, userConfig),
    ...fileStamp(".git/info/attributes", join(shared, "info", "attributes")),
    ...hooksIn(join(shared, "hooks")),
  ]);
}

/** Names that are new, gone, or have another value. */
export function changedSettings(before: Stamps, now: Stamps): readonly string[] {
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => before.get(name) !== now.get(name)).sort();
}

function settingsIn(name: string, path: string): ReadonlyMap<string, string> {
  const listed = fs.existsSync(path) ? gitBytes("/", ["config", "--file", path, "--null", "--list"]) : null;
  const values = new Map<string, string>();
  // `key\nvalue\0`; a setting may have several values.
  for (const entry of listed?.toString("latin1").split("\0").slice(0, -1) ?? []) {
    const [key = "", ...value] = entry.split("\n");
    const known = `${name} ${key}`;
    if (!HARMLESS.test(key)) values.set(known, digest(`${values.get(known) ?? ""}\n${value.join("\n")}`));
  }
  return values;
}

/** Git never runs a sample. */
function hooksIn(folder: string): readonly (readonly [string, string])[] {
  return namesIn(folder)
    .filter((name) => !name.endsWith(".sample"))
    .flatMap((name) => fileStamp(`.git/hooks/${name}`, join(folder, name)));
}

function fileStamp(name: string, path: string): readonly (readonly [string, string])[] {
  const entry = readEntry(path, LARGEST);
  return entry ? [[name, digest(`${entry.kind}\n${entry.bytes.toString("latin1")}`)]] : [];
}

function digest(latin1: string): string {
  return createHash("sha256").update(latin1, "latin1").digest("hex");
}
