import { expect, onTestFinished, test, vi } from "vitest";
import { ScreenModel } from "../../src/platform/terminal/screen.ts";

const SIZE = { columns: 20, rows: 4 };

test("the content of the screen, and the cursor", async () => {
  const model = new ScreenModel(SIZE);
  model.push(Buffer.from("one\r\ntwo\u001b[4;5Hfour 世"));
  expect(await model.read()).toEqual({
    rows: ["one", "two", "", "    four 世"],
    cursor: { row: 3, col: 11 },
  });
  model.push(Buffer.from("\u001b[2J\u001b[Hnew"));
  expect(await model.read()).toEqual({ rows: ["new", "", "", ""], cursor: { row: 0, col: 3 } });
});

test("the screen that is shown, when lines have scrolled away or the other screen is on", async () => {
  const model = new ScreenModel(SIZE);
  model.push(Buffer.from("1\r\n2\r\n3\r\n4\r\n5"));
  expect((await model.read()).rows).toEqual(["2", "3", "4", "5"]);
  model.push(Buffer.from("\u001b[?1049h\u001b[Hother"));
  expect((await model.read()).rows[0]).toBe("other");
  model.push(Buffer.from("\u001b[?1049l"));
  expect((await model.read()).rows[0]).toBe("2");
});

test("a resize takes effect between the output before and after it", async () => {
  const model = new ScreenModel(SIZE);
  model.push(Buffer.from("\u001b[999;999Ha"));
  model.resize({ columns: 10, rows: 6 });
  model.push(Buffer.from("\u001b[999;999Hb"));
  const { rows, cursor } = await model.read();
  expect(rows).toHaveLength(6);
  expect(rows[5]).toBe("         b");
  expect(cursor.row).toBe(5);
});

test("follows only the end of too much output, in the size of that time", async () => {
  const model = new ScreenModel(SIZE);
  await model.read();
  model.resize({ columns: 30, rows: 2 });
  for (let count = 0; count < 40; count++) model.push(Buffer.alloc(64 * 1024, "x"));
  model.push(Buffer.from("\u001b[2J\u001b[Hlast"));
  expect((await model.read()).rows).toEqual(["last", ""]);
});

test("says nothing about unknown sequences", async () => {
  const spoken = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const also = [vi.spyOn(console, "warn"), vi.spyOn(console, "log")];
  const model = new ScreenModel(SIZE);
  model.push(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)));
  model.push(Buffer.from("\u001b[3世\u001b]世\u001b[世m"));
  await model.read();
  for (const way of [spoken, ...also]) expect(way).not.toHaveBeenCalled();
});

test("it prints no warning on a busy machine", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  let ms = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (ms += 100));
  const model = new ScreenModel({ columns: 300, rows: 100 });
  model.push(Buffer.from("1\r\n".repeat(200)));
  // The lines that become shorter are packed in tasks with a deadline.
  model.resize({ columns: 10, rows: 4 });
  model.push(Buffer.from("2"));
  await model.read();
  const before = ms;
  await vi.waitUntil(() => ms > before);
  expect(warn).not.toHaveBeenCalled();
});
