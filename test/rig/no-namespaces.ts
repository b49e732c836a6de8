import fs from "node:fs";
import { join } from "node:path";
import type { Rig } from "./rig.ts";

const ZOO = join(import.meta.dirname, "..", "zoo", "bin");
const MAKERS = new Set(["setpriv", "unshare", "bwrap"]);

/** A machine without the tools for namespaces. Its PATH leaves out the system's own directories. */
export function withoutNamespaces(rig: Rig, folder = "bin"): Record<string, string> {
  const bin = join(rig.root, folder);
  fs.mkdirSync(bin);
  for (const dir of ["/usr/bin", "/bin"])
    for (const name of fs.readdirSync(dir))
      if (!MAKERS.has(name) && !fs.lstatSync(join(bin, name), { throwIfNoEntry: false }))
        fs.symlinkSync(join(dir, name), join(bin, name));
  fs.rmSync(join(bin, "node"), { force: true });
  fs.symlinkSync(process.execPath, join(bin, "node"));
  return { PATH: `${ZOO}:${bin}` };
}
