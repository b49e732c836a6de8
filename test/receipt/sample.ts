import { receiptOf, type Receipt } from "../../src/evidence/receipt/receipt.ts";
import { baseChecked, baseTaken, candidateTaken, checkInRoom, confirmed, ROOM } from "../rig/room-story.ts";
import { after, judged, started, turnEnded, turnStarted } from "../rig/story.ts";

const STATE = after(
  started({ room: ROOM }),
  baseTaken(),
  baseChecked("fast", "fast"),
  baseChecked("full", "full"),
  turnStarted(1),
  turnEnded(1),
  candidateTaken(1),
  checkInRoom(1, "fast", 0),
  checkInRoom(1, "full", 0),
  confirmed(1),
  judged(1),
  { type: "run_ended", status: "passed", exitCode: 0, reason: "accepted", messageId: null },
);

/** The receipt of a synthetic run. */
export const SAMPLE: Receipt = made();

function made(): Receipt {
  const receipt = receiptOf(STATE, { head: "d".repeat(64), records: STATE.events, resultsIn: () => [] });
  if (!receipt) throw new Error("there is no receipt");
  return receipt;
}
