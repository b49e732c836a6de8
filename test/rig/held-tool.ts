import fs from "node:fs";
import { basename, join } from "node:path";
import { findTool } from "../../src/platform/files/tools.ts";
import { withoutNamespaces } from "./no-namespaces.ts";
import { until, type Rig } from "./rig.ts";

/** A machine whose only containment tool pauses before it binds a command of a run to the foreman's life. Trials of namespaces are not paused. */
export class HeldTool {
  readonly env: Readonly<Record<string, string>>;
  readonly #held: string;
  readonly #letGo: string;

  constructor(rig: Rig, tool = findTool("setpriv")) {
    this.env = withoutNamespaces(rig, "held-bin");
    this.#held = join(rig.root, "held");
    this.#letGo = join(rig.root, "let-go");
    const bin = join(rig.root, "held-bin");
    if (basename(tool) === "setpriv") fs.symlinkSync(findTool("unshare"), join(bin, "unshare"));
    const script = `#!/bin/sh
if [ "$AGENT_FOREMAN_RUN$AGENT_FOREMAN_CHAT" ]; then
  : >'${this.#held}'
  until [ -e '${this.#letGo}' ]; do sleep 0.02; done
fi
exec '${tool}' "$@"
`;
    fs.writeFileSync(join(bin, basename(tool)), script, { mode: 0o755 });
  }

  isHeld(): Promise<boolean> {
    return until(() => fs.existsSync(this.#held));
  }

  letGo(): void {
    fs.writeFileSync(this.#letGo, "");
  }
}
