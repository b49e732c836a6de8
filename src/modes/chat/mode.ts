import type { ChatSettings } from "../../core/settings.ts";
import type { Mode } from "../mode.ts";
import { chatRules } from "./rules.ts";
import { chatView } from "./view.ts";
import { chatWork } from "./work.ts";

export const chat: Mode<ChatSettings> = { rules: chatRules, work: chatWork, view: chatView };
