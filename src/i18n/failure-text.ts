/** What a person is told about a failure. */
export interface FailureText {
  readonly message: string;
  /** Shown below the message. */
  readonly lines?: readonly string[];
  /** One command or act that helps. */
  readonly next?: string;
}

export type About = Readonly<Record<string, string>>;
