import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { receiptText, type Receipt, type ReceiptDetails } from "../../src/evidence/receipt/receipt.ts";
import { ReceiptRig, readReceipt } from "./project.ts";

const CHECK = ["sh test/check.sh"];
const WORKS = "echo right > src/x.txt";

/** A test that fails before the work, and a product script. */
function project(): ReceiptRig {
  const rig = new ReceiptRig();
  rig.write("test/check.sh", "grep -q right src/x.txt\n");
  rig.write("src/x.txt", "wrong\n");
  fs.symlinkSync("x.txt", `${rig.project}/src/link`);
  rig.write("src/tool.sh", "exit 0\n");
  fs.chmodSync(`${rig.project}/src/tool.sh`, 0o755);
  rig.commit();
  return rig;
}

/** Replaces a receipt by one that differs only in this. */
function forge(path: string, change: (details: ReceiptDetails) => Partial<ReceiptDetails>): void {
  const receipt = readReceipt(path);
  const { predicate } = receipt;
  const agentForeman = { ...predicate.agentForeman, ...change(predicate.agentForeman) };
  const configuration = [
    { name: "protected files", digest: { sha256: agentForeman.protected.sha256 } },
    { name: "base", digest: { sha256: agentForeman.base.tree } },
  ];
  fs.writeFileSync(
    path,
    receiptText({ ...receipt, predicate: { ...predicate, configuration, agentForeman } } satisfies Receipt),
  );
}

describe("the protected files are found again without the journal", () => {
  test("in the commit that the work began with, where tests were added; another one is refused", async () => {
    const rig = project();
    const { path } = await rig.accepted({
      agent: `${WORKS}; echo 'exit 0' > test/more.sh; claim`,
      full: CHECK,
    });
    rig.commit();
    const look = () => rig.look(path, { journal: false });
    expect((await look()).codes).toEqual([
      "shape_fits",
      "journal_not_here",
      "tree_same",
      "protected_by_commit",
    ]);
    forge(path, ({ protected: found }) => ({ protected: { ...found, sha256: "0".repeat(64) } }));
    expect(await look()).toMatchObject({
      code: 1,
      codes: expect.arrayContaining(["protected_differs"]) as string[],
    });
  });

  test("with all of their changes listed", async () => {
    const rig = project();
    const agent = `${WORKS}; echo 'test -s src/x.txt' > test/check.sh; claim`;
    const more = ["--allow-oracle-change", "test/**"];
    const { path, receipt } = await rig.accepted({ agent, full: CHECK, more });
    const { changes } = receipt.predicate.agentForeman.protected;
    expect(changes.map(({ path: file, how, allowed_by: by }) => [file, how, by])).toEqual([
      ["test/check.sh", "changed", "flag"],
    ]);
    const look = () => rig.look(path, { journal: false });
    expect(await look()).toMatchObject({
      code: 0,
      codes: expect.arrayContaining(["protected_by_commit"]) as string[],
    });
    forge(path, ({ protected: found }) => ({ protected: { ...found, changes: [] } }));
    const { code, codes, why } = await look();
    expect([code, codes.at(-1)]).toEqual([1, "protected_undeclared"]);
    expect(why).toContain("test/check.sh");
  });

  test("with what the person declared", async () => {
    const rig = project();
    rig.write("agent-foreman.yaml", "tests: { protect: [src/tool.sh], product: [test/data/**] }\n");
    rig.write("test/data/sums.txt", "1\n");
    rig.commit();
    const { path, receipt } = await rig.accepted({ agent: `${WORKS}; claim`, full: CHECK });
    expect(receipt.predicate.agentForeman.room.protect).toEqual(["src/tool.sh"]);
    const same = await rig.look(path, { journal: false });
    expect([same.code, same.codes.at(-1)]).toEqual([0, "protected_same"]);
    forge(path, ({ room }) => ({ room: { ...room, protect: [] } }));
    expect((await rig.look(path, { journal: false })).code).toBe(1);
  });

  test("not where the work began with something that is in no commit: that is said", async () => {
    const rig = project();
    rig.write("src/begun.txt", "not committed\n");
    const { path } = await rig.accepted({
      agent: `${WORKS}; echo 'exit 0' > test/more.sh; claim`,
      full: CHECK,
    });
    const { code, codes } = await rig.look(path, { journal: false });
    expect([code, codes.at(-1)]).toEqual([0, "protected_unknown"]);
  });
});
