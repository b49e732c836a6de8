import { mainAnswer } from "../board/answer.ts";
import { treeChange } from "../board/role-said.ts";
import { broken } from "../board/rule.ts";
import { codes, foreign, list, nullable, ordinal, ours, type TypeOf } from "../../text/shape.ts";
import { defineEvent, type EventOf } from "./define-event.ts";
import { agentRecord, changedInputs, ranTurn } from "./turn.ts";

/** An agent's tools in a turn: all, those that read, or none. */
export const tools = codes(["all", "read", "none"]);
export type Tools = TypeOf<typeof tools>;

/** MAIN's turn: its decision, and the rules that it breaks. If it breaks one, nothing of the answer is carried out. */
export const mainEnded = defineEvent("main_ended", {
  owner: "orchestrate",
  durable: true,
  shape: {
    attempt: ordinal,
    ...ranTurn,
    agent: agentRecord,
    /** The tools that it could have used. */
    tools,
    /** Null: unreadable. */
    answer: nullable(mainAnswer),
    broken: list(broken),
    /** New acceptance commands that are not run. */
    refusedCommands: list(foreign()),
    changed: treeChange,
    changedInputs,
  },
});
export type MainEnded = EventOf<typeof mainEnded>;

/** A person has changed the board while no agent was at work; null: that file is unchanged. A board with a secret is refused. */
export const boardEdited = defineEvent("board_edited", {
  owner: "orchestrate",
  durable: true,
  shape: { plan: nullable(ours()), context: nullable(ours()), projectEnv: nullable(ours()) },
});
export type BoardEdited = EventOf<typeof boardEdited>;
