import fs from "node:fs";

const ESTABLISHED = "01";

/** The local process at the client end of a connection, from Linux's tables; null: unknown. */
export function processBehind(port: number): number | null {
  const link = `socket:[${inodeOf(port) ?? ""}]`;
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const dir = `/proc/${pid}/fd`;
      return fs.readdirSync(dir).some((fd) => linkOf(`${dir}/${fd}`) === link);
    } catch {
      // It has exited meanwhile.
      return false;
    }
  });
  return found === undefined ? null : Number(found);
}

function inodeOf(port: number): string | undefined {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((table) => fs.readFileSync(table, "latin1").split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => state === ESTABLISHED && local?.endsWith(end))?.[9];
}

function linkOf(path: string): string | null {
  try {
    return fs.readlinkSync(path);
  } catch {
    return null;
  }
}
