import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { RunStore } from "../../src/core/journal/run-store.ts";
import { newJournalDir } from "../rig/journals.ts";

test("find refuses a text that is not a run id, also if a journal is at its path", () => {
  const root = dirname(newJournalDir());
  fs.mkdirSync(join(root, "runs"));
  fs.mkdirSync(join(root, "elsewhere"));
  fs.writeFileSync(join(root, "elsewhere", "journal.jsonl"), "");
  expect(() => new RunStore(root, begin).find("../elsewhere")).toThrow(/run_id_invalid/);
});
