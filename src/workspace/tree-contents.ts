import { createHash } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";

const CHUNK = 1024 * 1024;
/** What is larger goes by its times: a sparse file of a terabyte costs an agent nothing to make, and hours to read. */
const LARGEST = 1024n * 1024n * 1024n;
/**
 * A file that changed this shortly before it was read may change again without a new time: the coarsest file systems count in
 * steps of two seconds.
 */
const RACY_MS = 2_000n;
const NS_PER_MS = 1_000_000n;

interface Known {
  readonly times: string;
  readonly sha256: string;
}

/** What the files of a tree hold. A file that is known to be as it was read is not read again. */
export class Contents {
  readonly #known = new Map<string, Known>();
  readonly #chunk = Buffer.allocUnsafe(CHUNK);

  /** Kind, whether it can be run, and content, in one text. Nothing is followed, and nothing is waited for. */
  describe(path: string, place: string | Buffer, stat: BigIntStats): string {
    if (stat.isSymbolicLink()) return linkAt(place);
    if (!stat.isFile()) return kindOf(stat);
    const kind = (stat.mode & 0o100n) === 0n ? "file" : "program";
    if (stat.size > LARGEST) return `${kind} large ${timesOf(stat)}`;
    const sha256 = this.#knownDigest(path, stat) ?? this.#read(path, place, stat);
    return sha256 === undefined ? `${kind} unreadable ${timesOf(stat)}` : `${kind} ${sha256}`;
  }

  /** How many bytes have to be read to describe it. */
  cost(path: string, stat: BigIntStats): bigint {
    const free = !stat.isFile() || stat.size > LARGEST || this.#knownDigest(path, stat) !== undefined;
    return free ? 0n : stat.size;
  }

  #knownDigest(path: string, stat: BigIntStats): string | undefined {
    const known = this.#known.get(path);
    return known?.times === timesOf(stat) ? known.sha256 : undefined;
  }

  #read(path: string, place: string | Buffer, stat: BigIntStats): string | undefined {
    // Of a file's times this is the one that no program can set.
    const settled = BigInt(Date.now()) - stat.ctimeNs / NS_PER_MS > RACY_MS;
    const sha256 = digestAt(place, this.#chunk);
    if (settled && sha256 !== undefined) this.#known.set(path, { times: timesOf(stat), sha256 });
    return sha256;
  }
}

/** Undefined where it cannot be read. */
function digestAt(place: string | Buffer, chunk: Buffer): string | undefined {
  const hash = createHash("sha256");
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  try {
    // It may have become a link or a pipe since it was looked at.
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
    return `link ${createHash("sha256").update(target).digest("hex")}`;
  } catch {
    return "link unreadable";
  }
}

function timesOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

function kindOf(stat: BigIntStats): string {
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  return "device";
}
