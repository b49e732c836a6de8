import fs from "node:fs";
import { join } from "node:path";
import { isDirectory } from "../../platform/files/directories.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { removeAny } from "../../platform/files/remove.ts";

/** Without file system events, look for new files this often. */
const POLL_MS = 500;
/** A person may paste a lot. A larger message holds nothing useful. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MESSAGE = /^[\w.-]+\.json$/;

/** Reads the messages of an agent's hooks: files that appear whole, are read in the order they were written, and are then removed. */
export class NewsFeed {
  readonly #dir: string;
  readonly #deliver: (message: unknown) => void;
  readonly #poll: NodeJS.Timeout;
  readonly #watcher: fs.FSWatcher | undefined;
  readonly #lost: () => void;
  readonly #stuck = new Set<string>();

  /** `lost` is called when no more messages can arrive here. */
  constructor(dir: string, deliver: (message: unknown) => void, lost: () => void) {
    this.#dir = dir;
    this.#deliver = deliver;
    this.#lost = lost;
    this.#poll = setInterval(this.read, POLL_MS);
    this.#watcher = watch(dir, this.read);
  }

  close(): void {
    clearInterval(this.#poll);
    this.#watcher?.close();
  }

  readonly read = (): void => {
    if (!isDirectory(this.#dir)) this.#lost();
    for (const name of names(this.#dir).filter((each) => !this.#stuck.has(each))) {
      const path = join(this.#dir, name);
      const bytes = tryReadPlainFile(path, MAX_MESSAGE_BYTES);
      this.#remove(name, path);
      const message = bytes && parsed(bytes.toString("utf8"));
      if (message !== undefined) this.#deliver(message);
    }
  };

  /** A message that cannot be removed would be delivered again and again. */
  #remove(name: string, path: string): void {
    try {
      removeAny(path);
    } catch {
      this.#stuck.add(name);
    }
  }
}

function names(dir: string): readonly string[] {
  try {
    return fs
      .readdirSync(dir)
      .filter((name) => MESSAGE.test(name))
      .map((name) => ({ name, at: fs.lstatSync(join(dir, name), { bigint: true }).mtimeNs }))
      .sort((one, other) => Number(one.at - other.at))
      .map(({ name }) => name);
  } catch {
    // The agent can remove the directory.
    return [];
  }
}

function watch(dir: string, look: () => void): fs.FSWatcher | undefined {
  try {
    return fs.watch(dir, look).on("error", () => undefined);
  } catch {
    return undefined;
  }
}

/** Unreadable messages are skipped, so that the conversation and the other messages go on. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
