import type { AdapterName, AgentProfile } from "../../core/agent-profile.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { sessionKey, type RunState } from "../../core/state.ts";
import { shellWord } from "../../text/shell-quote.ts";

/** The agent's session that the person or the script worked with; null: unknown. */
export function sessionOf({ chat, sessions }: RunState, { worker }: ChatSettings): string | null {
  return chat?.session ?? sessions[sessionKey("worker", worker)]?.id ?? null;
}

/** The command by which a person resumes the session; null: there is none, or it is unknown. */
export function sessionCommand(state: RunState, settings: ChatSettings, here: string): string | null {
  const session = sessionOf(state, settings);
  const profile = settings.agents.find(({ name }) => name === settings.worker);
  const take = profile && RESUME[profile.adapter];
  if (session === null || !take) return null;
  const words = take(session).map((word) => shellWord(word));
  const start = isItself(profile)
    ? [profile.adapter]
    : ["agent-foreman chat --agent", shellWord(profile.name), "--"];
  // Agents look up their sessions by the directory they start in.
  const cd = settings.cwd === here ? "" : `cd ${shellWord(settings.cwd)} && `;
  return `${cd}${[...start, ...words].join(" ")}`;
}

/** Whether the agent is what its name says. Otherwise its profile has to be applied. */
function isItself({ program, args, env, model, endpoint }: AgentProfile): boolean {
  const changed = [program, model, endpoint].some((value) => value !== null);
  return !changed && args.length === 0 && Object.keys(env).length === 0;
}

const flag =
  (name: string) =>
  (session: string): readonly string[] => [name, session];

/** Flags by which interactive agents resume a session. */
const RESUME: Readonly<Record<AdapterName, ((session: string) => readonly string[]) | null>> = {
  claude: flag("--resume"),
  codex: flag("resume"),
  gemini: flag("--resume"),
  opencode: flag("--session"),
  qwen: flag("--resume"),
  pi: flag("--session"),
  copilot: (session) => [`--resume=${session}`],
  acp: null,
  command: null,
};
