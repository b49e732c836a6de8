import { isRunnable } from "../files/tools.ts";
import { Job } from "./job.ts";
import { openPty, type Pty } from "./pty.ts";
import { Relay } from "./relay.ts";
import { belowPicture, ScreenModel } from "./screen.ts";
import type { Terminal, TerminalProblem, TerminalRequest } from "./terminal.ts";
import { Typed } from "./typed.ts";
import { UserTerminal } from "./user-terminal.ts";

/** Starts the agent in a pty and connects it with the user's terminal. */
export async function openTerminal(request: TerminalRequest): Promise<Terminal | TerminalProblem> {
  const [program = ""] = request.words;
  if (!isRunnable(program, request.env, request.cwd)) return { problem: "not_runnable", detail: program };
  const user = UserTerminal.open(request.stdout);
  if ("problem" in user) return user;
  const pty = await openPty(user.size);
  if ("problem" in pty) {
    user.close();
    return pty;
  }
  return connect(request, pty, user);
}

type Observer = (chunk: Buffer) => void;

function connect(request: TerminalRequest, pty: Pty, user: UserTerminal): Terminal {
  const screen = new ScreenModel(user.size);
  const typed = new Typed();
  const onKeys: Observer[] = [(chunk) => typed.push(chunk)];
  const fitSize = (): void => {
    pty.resize(user.size);
    screen.resize(user.size);
  };
  pty.settle(user.settings);
  user.onResize(fitSize);
  fitSize();

  user.takeOver();
  const relay = new Relay(pty, user, {
    output: (chunk) => screen.push(chunk),
    keys: (chunk) => onKeys.forEach((observe) => observe(chunk)),
  });
  const job = new Job(request, pty, () => void suspend());

  /** We were stopped and the shell had the terminal since; it sent us no change of its size. */
  const continued = (): void => {
    user.takeOver();
    process.kill(process.pid, "SIGWINCH");
  };
  const suspend = async (): Promise<void> => {
    await relay.drained();
    user.pause();
    user.giveBack();
    // Stops all of the job, as the kernel would. Without a shell to continue us, the kernel does not stop us either.
    process.kill(0, "SIGTSTP");
    continued();
    user.resume();
    job.goOn();
  };
  process.on("SIGCONT", continued);
  const end = (): void => {
    relay.hurry();
    job.terminate();
  };
  user.onGone(end);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    process.off("SIGCONT", continued);
    try {
      await putRight(user, relay.resets, screen);
    } finally {
      user.close();
      pty.close();
      screen.close();
    }
  };
  return {
    onKeys: (observe) => void onKeys.push(observe),
    type: (bytes) => relay.type(Buffer.from(bytes)),
    hold: () => {
      const possible = !typed.draft.unfinished;
      if (possible) relay.hold();
      return possible;
    },
    release: () => relay.release(),
    hint: (title, notify) => relay.hint(title, notify),
    screen: () => screen.read(),
    draft: () => typed.draft,
    takeEntered: () => typed.takeEntered(),
    ended: job.ended.then(async (ended) => {
      await relay.drained();
      return ended;
    }),
    end,
    close: () => (closing ??= close()),
  };
}

/** A killed agent leaves the cursor in the middle of its picture, where our next line would overwrite it. */
async function putRight(user: UserTerminal, resets: string, screen: ScreenModel): Promise<void> {
  if (resets === "") return;
  screen.push(Buffer.from(resets));
  await written(user, resets + belowPicture(await screen.read()));
}

/** Does not wait for ever for a terminal that takes nothing. */
function written(user: UserTerminal, text: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000);
    user.write(Buffer.from(text), () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
