import { codes, type TypeOf } from "./shape.ts";

/** The languages of messages. */
export const lang = codes(["en", "zh"]);
export type Lang = TypeOf<typeof lang>;
