import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { problemLines } from "../../src/cli/config-problems.ts";
import type { Config, Sourced } from "../../src/cli/config/config.ts";
import { loadConfig } from "../../src/cli/config/load.ts";
import { CONFIGURED } from "../../src/cli/settings/configured.ts";
import { ConfigFailure } from "../../src/platform/config-problem.ts";
import type { Lang } from "../../src/core/settings.ts";

/** A separate project and home, removed after the test. */
export class Places {
  readonly root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-config-")));
  readonly project = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly projectFile = join(this.project, "agent-foreman.yaml");
  readonly userFile = join(this.home, ".config", "agent-foreman", "config.yaml");

  constructor() {
    fs.mkdirSync(join(this.project, ".git"), { recursive: true });
    fs.mkdirSync(this.home);
    onTestFinished(() => fs.rmSync(this.root, { recursive: true, force: true }));
  }

  write(path: string, content: string | Buffer): void {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, content);
  }

  async load(env: NodeJS.ProcessEnv = {}, cwd = this.project): Promise<Config> {
    return loadConfig({ cwd, env: { HOME: this.home, ...env } });
  }

  /** The message for the user; empty without problems. */
  async complaints(lang: Lang = "en"): Promise<string> {
    try {
      await this.load();
      return "";
    } catch (error) {
      if (!(error instanceof ConfigFailure)) throw error;
      return problemLines(error.problems, { cwd: this.project, lang }).join("\n");
    }
  }
}

export async function projectConfig(text: string): Promise<Config> {
  const places = new Places();
  places.write(places.projectFile, text);
  return places.load();
}

/** The values of a section, by the keys of the file. */
export function sectionOf(config: Config, section: string): Readonly<Record<string, Sourced<unknown>>> {
  const settings = CONFIGURED.filter(({ key }) => key.startsWith(`${section}.`));
  return Object.fromEntries(settings.map(({ name, key }) => [key.slice(section.length + 1), config[name]]));
}

export async function complaintsAbout(content: string | Buffer, lang: Lang = "en"): Promise<string> {
  const places = new Places();
  places.write(places.projectFile, content);
  return places.complaints(lang);
}
