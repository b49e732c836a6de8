import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { fakeIo, type FakeIo } from "../commands/fixtures.ts";
import { until } from "../rig/rig.ts";

export interface TerminalIo extends FakeIo {
  /** All questions so far. */
  readonly asked: () => string;
  /** Waits for the question, then types. */
  readonly reply: (asked: string, typed: string) => Promise<void>;
}

/** An environment in which a person can be asked. */
export function terminalIo(options: Parameters<typeof fakeIo>[0] = {}): TerminalIo {
  const keys = new PassThrough();
  onTestFinished(() => void keys.destroy());
  let shown = "";
  const screen = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      shown += chunk.toString();
      done();
    },
  });
  const stdin = Object.assign(keys, { isTTY: true, setRawMode: () => keys });
  const io: Io = {
    ...fakeIo(options),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stderr: Object.assign(screen, { isTTY: true, columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream,
  };
  return {
    ...(io as FakeIo),
    asked: () => shown,
    reply: async (asked, typed) => {
      await until(() => shown.includes(asked));
      keys.write(typed);
    },
  };
}
