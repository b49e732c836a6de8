import { describe, expect, it } from "vitest";
import { readClaim, type StreamName } from "../../src/domain/protocol/claim.ts";
import { StreamScanner, type ScanResult } from "../../src/domain/protocol/scanner.ts";

const NONE: ScanResult = { status: null, evidence: null };

function stream(text: string, arrival = 0): ScanResult {
  const scanner = new StreamScanner({ instructions: [] });
  scanner.push(Buffer.from(text), arrival);
  return scanner.end();
}

/** "oeo" for stdout, stderr, stdout. */
function turns(text: string): StreamName[] {
  return Array.from(text, (char) => (char === "o" ? "stdout" : "stderr"));
}

describe("one stream", () => {
  it("S10 nothing claimed", () => {
    const nothing = { status: null, statusText: null, evidence: null, orderCertain: true };
    expect(readClaim(NONE, NONE, undefined)).toEqual(nothing);
    expect(readClaim(NONE, NONE, [])).toEqual(nothing);
  });

  it.each([undefined, [], turns("oe"), turns("eoeoe")])(
    "S9 the only marker is the last, whatever the turns",
    (runs) => {
      const marked = stream("GA_STATUS=DONE\nGA_EVIDENCE=ok\nx\ny\nz\n");
      const claim = { status: "DONE", statusText: null, evidence: "ok", orderCertain: true };
      expect(readClaim(marked, stream("noise\n"), runs)).toEqual(claim);
      expect(readClaim(NONE, marked, runs)).toEqual(claim);
    },
  );

  it("S10 an invalid status keeps its words", () => {
    expect(readClaim(stream("GA_STATUS=finished\n"), NONE, undefined)).toMatchObject({
      status: "invalid",
      statusText: "finished",
    });
  });

  it("S8 status and evidence may come from different streams", () => {
    const claim = readClaim(stream("GA_STATUS=DONE\n"), stream("GA_EVIDENCE=ok\n"), undefined);
    expect(claim).toEqual({ status: "DONE", statusText: null, evidence: "ok", orderCertain: true });
  });
});

describe("S9 two streams whose turns are known", () => {
  const done = "GA_STATUS=DONE\n";
  const blocked = "GA_STATUS=BLOCKED\n";
  it.each([
    ["eo", done, blocked, "DONE"],
    ["oe", done, blocked, "BLOCKED"],
    ["ooee", done, blocked, "BLOCKED"],
    ["eeoo", `${done}a\nb\n`, `${blocked}a\nb\n`, "DONE"],
    ["oeo", `a\n${done}`, blocked, "DONE"],
    ["eoe", done, `a\n${blocked}`, "BLOCKED"],
    // One line follows: it may be in the run of the marker, or be the last run.
    ["oeo", `${done}a\n`, blocked, null],
    ["oeo", `${done}partial`, blocked, null],
    ["oeo", `${done}\n`, blocked, null],
    // One line can be no more than one run.
    ["oeoeo", `a\n${done}a\n`, `${blocked}a\n`, null],
    ["eooeo", `${done}a\n`, `${blocked}x\n`, null],
    ["eoeo", `a\n${done}`, `${blocked}a\n`, "DONE"],
    ["oeoeoeo", `x\n${done}a\n`, `${blocked}a\nb\n`, null],
    ["eoeoeo", `x\ny\n${done}`, `${blocked}a\nb\nc\nd\n`, "DONE"],
    ["oooeeeooo", `a\n${done}`, blocked, "DONE"],
    ["e", done, blocked, null],
    ["", done, blocked, null],
  ])("S9 turns %s", (runs, stdout, stderr, status) => {
    const claim = readClaim(stream(stdout, 9), stream(stderr, 1), turns(runs));
    expect(claim).toMatchObject({ status: status ?? "BLOCKED", orderCertain: status !== null });
  });

  it("S9 one line after the marker keeps it within the last two runs of its stream", () => {
    const stderr = stream("GA_STATUS=BLOCKED\n");
    expect(readClaim(stream("a\nGA_STATUS=DONE\nb\n"), stderr, turns("oeoo"))).toMatchObject({
      orderCertain: false,
    });
    expect(readClaim(stream("a\nb\nGA_STATUS=DONE\nc\n"), stderr, turns("oeo"))).toMatchObject({
      orderCertain: false,
    });
    const early = stream("GA_STATUS=BLOCKED\nx\ny\n");
    expect(readClaim(stream("a\nGA_STATUS=DONE\nb\n"), early, turns("eoeoeo"))).toMatchObject({
      orderCertain: false,
    });
    const lateOut = stream("a\nGA_STATUS=DONE\nb\n");
    expect(readClaim(lateOut, stderr, turns("oeooo"))).toMatchObject({ orderCertain: false });
    expect(readClaim(lateOut, stream("GA_STATUS=BLOCKED\n"), turns("eo"))).toMatchObject({ status: "DONE" });
  });

  it("S9 lines too many to count leave every run open", () => {
    const flood = stream(`GA_STATUS=DONE\n${"y\n".repeat(1024 * 1024)}`);
    expect(readClaim(flood, stream("GA_STATUS=BLOCKED\n"), turns("oeo"))).toMatchObject({
      orderCertain: false,
    });
    expect(readClaim(flood, stream("GA_STATUS=BLOCKED\n"), turns("eo"))).toMatchObject({ status: "DONE" });
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
  ])("S9 %s and %s resolve to %s, whichever arrived last", (one, other, status) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ]) {
      for (const arrival of [0, 2]) {
        const claim = readClaim(
          stream(`GA_STATUS=${first}\n`, 1),
          stream(`GA_STATUS=${second}\n`, arrival),
          undefined,
        );
        expect(claim).toMatchObject({
          status,
          orderCertain: false,
          statusText: status === "invalid" ? "what" : null,
        });
      }
    }
  });

  it("S9 agreement needs no order", () => {
    expect(readClaim(stream("GA_STATUS=DONE\n"), stream("GA_STATUS=DONE\n"), undefined)).toMatchObject({
      status: "DONE",
      orderCertain: true,
    });
    expect(readClaim(stream("GA_STATUS=a\n", 1), stream("GA_STATUS=b\n", 2), undefined)).toMatchObject({
      status: "invalid",
      statusText: "b",
      orderCertain: true,
    });
  });

  it("S8 evidence is taken from the later arrival, or by the turns if they tell", () => {
    const out = stream("GA_EVIDENCE=out\n", 5);
    const err = stream("GA_EVIDENCE=err\n", 4);
    expect(readClaim(out, err, undefined)).toMatchObject({ evidence: "out", orderCertain: true });
    expect(readClaim(out, stream("GA_EVIDENCE=err\n", 6), undefined).evidence).toBe("err");
    expect(readClaim(out, err, turns("oe")).evidence).toBe("err");
  });
});
