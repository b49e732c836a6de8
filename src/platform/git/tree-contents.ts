import { createHash } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";
import { sha256Of } from "../files/sha256.ts";

const CHUNK = 1024 * 1024;
/** Larger files are identified by their times: a sparse file of a terabyte costs an agent nothing to make, and hours to read. */
const LARGEST = 1024n * 1024n * 1024n;
/**
 * A file changed this shortly before the read may change again without a new time: the coarsest file systems count in steps of
 * two seconds.
 */
const RACY_MS = 2_000n;
const NS_PER_MS = 1_000_000n;

interface Known {
  readonly times: Times;
  readonly description: string;
  /** Whether its times would reveal a later change. */
  readonly isSettled: boolean;
}

/** The fields of a stat that change when a file is touched. */
type Times = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** Contents of a tree's files. A file that is known to be unchanged is not read again. */
export class Contents {
  readonly #known = new Map<string, Known>();
  readonly #chunk = Buffer.allocUnsafe(CHUNK);
  #touched = 0;

  /** Counts new or touched files. If it did not grow during a look, nothing was touched since the previous look. */
  get touched(): number {
    return this.#touched;
  }

  /** The description of a file that is unchanged since it was read; undefined: it has to be read. */
  known(path: string, stat: BigIntStats): string | undefined {
    const known = this.#known.get(path);
    return known?.isSettled && hasTimes(stat, known.times) ? known.description : undefined;
  }

  /** How many bytes it takes to describe the file. */
  cost(stat: BigIntStats): bigint {
    return stat.isFile() && stat.size <= LARGEST ? stat.size : 0n;
  }

  /** Kind, executable bit and content in one text. Follows no link and never blocks. */
  describe(path: string, place: string | Buffer, stat: BigIntStats): string {
    if (stat.isSymbolicLink()) return linkAt(place);
    if (!stat.isFile()) return kindOf(stat);
    const kind = (stat.mode & 0o100n) === 0n ? "file" : "program";
    if (stat.size > LARGEST) return `${kind} large ${timesOf(stat)}`;
    return this.#read(path, place, stat, kind) ?? `${kind} unreadable ${timesOf(stat)}`;
  }

  #read(path: string, place: string | Buffer, stat: BigIntStats, kind: string): string | undefined {
    // ctime is the only one of a file's times that no program can set.
    const isSettled = BigInt(Date.now()) - stat.ctimeNs / NS_PER_MS > RACY_MS;
    const sha256 = digestAt(place, this.#chunk);
    const description = sha256 && `${kind} ${sha256}`;
    const last = this.#known.get(path);
    if (!last || last.description !== description || !hasTimes(stat, last.times)) this.#touched += 1;
    if (description === undefined) this.#known.delete(path);
    else {
      const { dev, ino, size, mtimeNs, ctimeNs } = stat;
      this.#known.set(path, { times: { dev, ino, size, mtimeNs, ctimeNs }, description, isSettled });
    }
    return description;
  }
}

/** Undefined: unreadable. */
function digestAt(place: string | Buffer, chunk: Buffer): string | undefined {
  const hash = createHash("sha256");
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  try {
    // The path may have become a link or a pipe since the stat.
    const fd = fs.openSync(place, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    try {
      for (let read = chunk.length; read > 0; hash.update(chunk.subarray(0, read)))
        read = fs.readSync(fd, chunk, 0, chunk.length, null);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
  return hash.digest("hex");
}

function linkAt(place: string | Buffer): string {
  try {
    const target = fs.readlinkSync(place, { encoding: "buffer" });
    return `link ${sha256Of(target)}`;
  } catch {
    return "link unreadable";
  }
}

function hasTimes(stat: BigIntStats, { dev, ino, size, mtimeNs, ctimeNs }: Times): boolean {
  return (
    stat.ctimeNs === ctimeNs &&
    stat.mtimeNs === mtimeNs &&
    stat.size === size &&
    stat.ino === ino &&
    stat.dev === dev
  );
}

export function timesOf({ dev, ino, size, mtimeNs, ctimeNs }: Times): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

function kindOf(stat: BigIntStats): string {
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  return "device";
}
