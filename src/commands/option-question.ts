/** A question with options of its own, ready to be shown: nothing in it can steer a terminal. */
export interface OptionQuestion {
  readonly title: string;
  readonly lines: readonly string[];
  readonly options: readonly { readonly id: string; readonly description: string }[];
  /** Null: it is the person's to weigh. */
  readonly recommended: string | null;
}
