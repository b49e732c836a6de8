import fs from "node:fs";
import { join } from "node:path";
import { isDirectory } from "../files/directories.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { removeAny } from "../files/remove.ts";

/** Where the system does not tell of new files, they are looked for so often. */
const POLL_MS = 500;
/** A person may paste much; a message that is larger still tells nothing that could be used. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MESSAGE = /^[\w.-]+\.json$/;

/** What an agent's hooks say: files that appear whole, are read in the order they were written, and go. */
export class NewsFeed {
  readonly #dir: string;
  readonly #tell: (message: unknown) => void;
  readonly #poll: NodeJS.Timeout;
  readonly #watcher: fs.FSWatcher | undefined;
  readonly #lost: () => void;
  readonly #stuck = new Set<string>();

  /** `lost`: nothing can be told here any more. */
  constructor(dir: string, tell: (message: unknown) => void, lost: () => void) {
    this.#dir = dir;
    this.#tell = tell;
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
      if (message !== undefined) this.#tell(message);
    }
  };

  /** One that cannot be removed would be told again and again. */
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
    // The agent can remove it.
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

/** What cannot be read is passed over: the conversation goes on, and so do the others. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
