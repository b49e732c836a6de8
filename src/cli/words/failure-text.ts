/** A failure message for people. */
export interface FailureText {
  readonly message: string;
  /** Shown below the message. */
  readonly lines?: readonly string[];
  /** One helpful action, or one command to paste; a command has no other text here. */
  readonly next?: string;
  /** Explains the command, or names another way. */
  readonly also?: string;
}

export type About = Readonly<Record<string, string>>;
