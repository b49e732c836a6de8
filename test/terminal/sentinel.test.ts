import { expect, test } from "vitest";
import { Sentinel } from "../../src/platform/terminal/sentinel.ts";

test("is cut out wherever the stream is cut", () => {
  for (let cut = 0; cut <= 40; cut++) {
    const sentinel = new Sentinel();
    const stream = Buffer.concat([Buffer.from("abcd"), sentinel.bytes, Buffer.from("efgh")]);
    const passed = [stream.subarray(0, cut), stream.subarray(cut)].map((chunk) => sentinel.pass(chunk));
    expect(Buffer.concat(passed).toString()).toBe("abcdefgh");
    expect(sentinel.seen).toBe(true);
  }
});

test("a similar beginning passes as soon as that is clear, or when the wait is over", () => {
  const sentinel = new Sentinel();
  const begun = sentinel.bytes.subarray(0, 10);
  expect(sentinel.pass(Buffer.concat([Buffer.from("a"), begun])).toString()).toBe("a");
  expect(sentinel.pass(Buffer.from("\n")).toString()).toBe(`${begun.toString()}\n`);
  sentinel.pass(begun);
  expect(sentinel.rest()).toEqual(begun);
  expect(sentinel.seen).toBe(false);
});
