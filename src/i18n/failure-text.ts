/** What a person is told about a failure. */
export interface FailureText {
  readonly message: string;
  /** Shown below the message. */
  readonly lines?: readonly string[];
  /** One act that helps, or one command, which can be pasted: a command is alone here. */
  readonly next?: string;
  /** What the command does, or another way. */
  readonly also?: string;
}

export type About = Readonly<Record<string, string>>;
