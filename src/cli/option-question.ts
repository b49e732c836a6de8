/** A question with its own options. Its texts are safe to print to a terminal. */
export interface OptionQuestion {
  readonly title: string;
  readonly lines: readonly string[];
  readonly options: readonly { readonly id: string; readonly description: string }[];
  /** Null: no recommendation. */
  readonly recommended: string | null;
}
