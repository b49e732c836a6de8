import { describe, expect, it } from "vitest";
import { readClaim } from "../../src/core/claim/claim.ts";
import { StreamScanner, type ScanResult } from "../../src/core/claim/scanner.ts";
import { afterWrite, type WriteTurns } from "../../src/platform/process/write-turns.ts";

const NONE: ScanResult = { status: null, evidence: null };

function stream(text: string, epoch = 0): ScanResult {
  const scanner = new StreamScanner({ instructions: [] });
  scanner.push(Buffer.from(text), epoch);
  return scanner.end();
}

type TurnsOf = (epoch: number) => WriteTurns | undefined;

/** "oeo" means stdout, stderr, stdout; the same in every epoch. */
function turns(text: string): TurnsOf {
  let seen: WriteTurns | undefined;
  for (const char of text) seen = afterWrite(seen, char === "o" ? "stdout" : "stderr");
  return () => seen;
}
const unknown: TurnsOf = () => undefined;

describe("one stream", () => {
  it("S10 finds no claim", () => {
    const nothing = { status: null, statusText: null, evidence: null, orderCertain: true };
    expect(readClaim(NONE, NONE, unknown)).toEqual(nothing);
    expect(readClaim(NONE, NONE, turns("eo"))).toEqual(nothing);
  });

  it.each([unknown, turns("oe"), turns("eoeoe")])(
    "S9 the only marker is the last, in any order of turns",
    (turnsOf) => {
      const marked = stream("GA_STATUS=DONE\nGA_EVIDENCE=ok\nx\ny\nz\n");
      const claim = { status: "DONE", statusText: null, evidence: "ok", orderCertain: true };
      expect(readClaim(marked, stream("noise\n"), turnsOf)).toEqual(claim);
      expect(readClaim(NONE, marked, turnsOf)).toEqual(claim);
    },
  );

  it("S10 an invalid status keeps its words", () => {
    expect(readClaim(stream("GA_STATUS=finished\n"), NONE, unknown)).toMatchObject({
      status: "invalid",
      statusText: "finished",
    });
  });

  it("S8 status and evidence may come from different streams", () => {
    const claim = readClaim(stream("GA_STATUS=DONE\n"), stream("GA_EVIDENCE=ok\n"), unknown);
    expect(claim).toEqual({ status: "DONE", statusText: null, evidence: "ok", orderCertain: true });
  });
});

describe("S9 two streams with known turns", () => {
  const done = "GA_STATUS=DONE\n";
  const blocked = "GA_STATUS=BLOCKED\n";
  it.each([
    ["eo", done, blocked, "DONE"],
    ["oe", done, blocked, "BLOCKED"],
    ["ooee", done, blocked, "BLOCKED"],
    ["eeoo", `${done}a\nb\n`, `${blocked}a\nb\n`, "DONE"],
    ["ooe", `${done}a\nb`, `${blocked}a\nb`, "BLOCKED"],
    ["oeo", `a\n${done}`, blocked, "DONE"],
    ["oeo", "a\nGA_STATUS=DONE", blocked, "DONE"],
    ["eoe", done, `a\n${blocked}`, "BLOCKED"],
    ["oooeeeooo", `a\n${done}`, `${blocked}b\n`, "DONE"],
    ["eoeo", `a\n${done}`, `${blocked}a\n`, "DONE"],
    // The rest may be the complete last run.
    ["oeo", `${done}a\n`, blocked, null],
    ["oeo", `${done}partial`, blocked, null],
    ["oeo", `${done} `, blocked, null],
    ["oeo", `${done}\n`, blocked, null],
    ["oeoe", done, `${blocked}a\n`, null],
    ["oeoeoeo", `x\n${done}a\n`, `${blocked}a\nb\n`, null],
    // Turns that do not match the streams are ignored.
    ["o", done, blocked, null],
    ["e", done, blocked, null],
    ["", done, blocked, null],
  ])("S9 turns %s", (runs, stdout, stderr, status) => {
    const claim = readClaim(stream(stdout), stream(stderr), turns(runs));
    expect(claim).toMatchObject({ status: status ?? "BLOCKED", orderCertain: status !== null });
  });
});

describe("S9 two streams in unknown order", () => {
  it.each([
    ["DONE", "NEEDS_WORK", "NEEDS_WORK"],
    ["DONE", "BLOCKED", "BLOCKED"],
    ["DONE", "what", "invalid"],
    ["NEEDS_WORK", "BLOCKED", "BLOCKED"],
    ["NEEDS_WORK", "what", "invalid"],
    ["BLOCKED", "what", "invalid"],
  ])("S9 %s and %s resolve to %s", (one, other, status) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ]) {
      const claim = readClaim(stream(`GA_STATUS=${first}\n`), stream(`GA_STATUS=${second}\n`), unknown);
      expect(claim).toMatchObject({
        status,
        orderCertain: false,
        statusText: status === "invalid" ? "what" : null,
      });
    }
  });

  it.each(["DONE", "NEEDS_WORK", "BLOCKED"])(
    "S9 of markers in different epochs the later wins: %s",
    (status) => {
      const earlier = stream("GA_STATUS=what\n", 3);
      const later = stream(`GA_STATUS=${status}\nmore\n`, 4);
      // Then the turns of either epoch do not matter.
      for (const turnsOf of [unknown, turns("eo"), turns("oeoe")]) {
        expect(readClaim(earlier, later, turnsOf)).toMatchObject({ status, orderCertain: true });
        expect(readClaim(later, earlier, turnsOf)).toMatchObject({ status, orderCertain: true });
      }
    },
  );

  it("S9 agreement needs no order", () => {
    expect(readClaim(stream("GA_STATUS=DONE\n"), stream("GA_STATUS=DONE\n"), unknown)).toMatchObject({
      status: "DONE",
      orderCertain: true,
    });
    expect(readClaim(stream("GA_STATUS=a\n", 1), stream("GA_STATUS=b\n", 2), unknown)).toMatchObject({
      status: "invalid",
      statusText: "b",
      orderCertain: true,
    });
  });

  it("S8 takes evidence from the later epoch, or by the turns if they decide", () => {
    const out = stream("GA_EVIDENCE=out\n", 5);
    const err = stream("GA_EVIDENCE=err\n", 4);
    expect(readClaim(out, err, unknown)).toMatchObject({ evidence: "out", orderCertain: true });
    expect(readClaim(out, stream("GA_EVIDENCE=err\n", 6), unknown).evidence).toBe("err");
    expect(readClaim(stream("GA_EVIDENCE=out\n"), stream("GA_EVIDENCE=err\n"), turns("oe")).evidence).toBe(
      "err",
    );
  });
});
