import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { seen, reportedTest, Trial } from "./trying.ts";

const hasGo = spawnSync("go", ["version"]).status === 0;

const TESTS = `package add

import (
	"fmt"
	"testing"
)

func TestGood(t *testing.T) { t.Log("fine") }

func TestPrints(t *testing.T) { fmt.Println("printed") }

func TestSkips(t *testing.T) { t.Skip("not now") }

func TestParts(t *testing.T) {
	t.Log("of all")
	t.Run("one", func(t *testing.T) { t.Error("wrong\\nin two lines: é") })
	t.Run("ü", func(t *testing.T) { t.Log("well") })
}
`;

const FILES = {
  "go.mod": "module example.com/add\n\ngo 1.18\n",
  "add_test.go": TESTS,
  "sub/sub.go": "package sub\n\nfunc One() int { return 1 }\n",
  "sub/sub_test.go": `package sub

import (
	"os"
	"testing"
)

func TestOne(t *testing.T) {
	if One() != 1 || os.Getenv("AGENT_FOREMAN_TESTS") != "" || os.Getenv("GOFLAGS") != "" {
		t.Fatal("not one")
	}
}
`,
  "run/main.go": `package main

import "os"

func main() { os.Exit(len(os.Args) - 1) }
`,
};

const RESULTS = [
  reportedTest(".", "TestGood", "passed"),
  reportedTest(".", "TestPrints", "passed"),
  reportedTest(".", "TestSkips", "skipped"),
  reportedTest(".", "TestParts", "failed"),
  reportedTest(".", "TestParts/one", "failed"),
  reportedTest(".", "TestParts/ü", "passed"),
  reportedTest("sub", "TestOne", "passed"),
];

describe.skipIf(!hasGo)("go test (if Go is installed)", { timeout: 240_000 }, () => {
  test.each(["go test . ./sub", "go test -v . ./sub"])(
    "reports all tests and keeps the output: %s",
    (command) => {
      const trial = new Trial(FILES, "probe");
      const ran = trial.probed(command);
      expect(ran.reported.filter((line) => JSON.stringify(line).startsWith(`{"test"`))).toEqual(
        expect.arrayContaining(RESULTS),
      );
      expect(ran.reported).toHaveLength(RESULTS.length + 4);
      expect(seen(ran)).toEqual(seen(trial.bare(command)));
    },
  );

  test("does not change programs that are not tests", () => {
    const trial = new Trial(FILES, "probe");
    for (const command of [
      "go vet ./...",
      "go build ./sub",
      "go list ./...",
      "go run ./run a",
      "go test -list . .",
    ])
      expect(seen(trial.probed(command)), command).toEqual(seen(trial.bare(command)));
  });

  test("reports what a panic, or the end of the process, leaves", () => {
    const panics = `package add

import "testing"

func TestFirst(t *testing.T) {}

func TestPanics(t *testing.T) { panic("no") }

func TestNever(t *testing.T) {}
`;
    const ran = new Trial({ ...FILES, "add_test.go": panics }, "probe").probed("go test .");
    expect(ran.code).toBe(1);
    expect(ran.reported).toEqual([
      { begin: "go" },
      reportedTest(".", "TestFirst", "passed"),
      reportedTest(".", "TestPanics", "failed"),
      { end: "go" },
    ]);
    const ends = { ...FILES, "end.go": `package add\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n` };
    const ended = new Trial(ends, "probe").probed("go test .");
    expect([ended.code, ended.reported]).toEqual([0, [{ begin: "go" }, { end: "go" }]]);
  });
});
