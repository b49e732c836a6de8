import type { ChatAdapter } from "../../src/agents/chat.ts";
import { LiveObserver } from "../../src/modes/chat/live-observer.ts";
import type { LiveNews } from "../../src/engine/live.ts";
import { hookMessage, Stage } from "./stage.ts";

/** A person with an agent in session s1, which has already reported a first input. */
export class Scene extends Stage {
  readonly news: LiveNews[] = [];
  readonly ears: LiveObserver;

  constructor(session: string | null = "s1", more: Partial<ChatAdapter> = {}) {
    super();
    const spec = { adapter: this.adapter(more), cwd: "/", env: {} };
    this.ears = new LiveObserver(spec, session, (news) => void this.news.push(news));
  }

  static begun(): Scene {
    const scene = new Scene();
    scene.hears(hookMessage.input("what was given with the command"));
    scene.news.length = 0;
    return scene;
  }

  hears(message: unknown): void {
    this.ears.hook(message, this.terminal);
  }

  async looks(times = 1): Promise<void> {
    for (let look = 0; look < times; look++) await this.ears.look(this.terminal);
  }

  get inputs(): string[] {
    return this.news.flatMap((news) => (news.kind === "input" ? [news.text] : []));
  }

  get stops(): (string | null)[] {
    return this.news.flatMap((news) => (news.kind === "turn_ended" ? [news.message] : []));
  }
}
