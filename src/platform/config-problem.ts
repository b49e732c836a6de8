import { Failure } from "./failure.ts";

/** The project's configuration, in the work directory or at the root of its git work tree. */
export const PROJECT_FILE = "agent-foreman.yaml";

/** The value that a configuration field expects. `cli/words/config.ts` has the texts. */
export type Expected =
  | "mapping"
  | "text"
  | "filled_text"
  | "texts"
  | "text_or_texts"
  | "name"
  | "names"
  | "variable"
  | "variables"
  | "duration"
  | "marker"
  | "amount"
  | "url"
  | { readonly whole: readonly [min: number, max: number] }
  | { readonly oneOf: readonly string[] };

/** One fault in a configuration file. `meant`: the closest known name, if any is close. */
export type ConfigFault =
  | { readonly code: "unreadable"; readonly why: string }
  | { readonly code: "not_a_file" }
  | { readonly code: "not_utf8" }
  | { readonly code: "too_large"; readonly limit: string }
  | { readonly code: "wrong_file_name"; readonly right: string }
  | { readonly code: "syntax"; readonly why: string }
  | { readonly code: "tab" }
  | { readonly code: "duplicate_key" }
  | { readonly code: "several_documents" }
  | { readonly code: "unknown_alias"; readonly name: string }
  | { readonly code: "too_many_aliases" }
  | {
      readonly code: "unknown_key";
      readonly key: string;
      readonly meant: string | null;
      readonly known: string;
    }
  | {
      readonly code: "wrong_value";
      readonly key: string;
      readonly expected: Expected;
      readonly given: string;
    }
  | { readonly code: "extends_cycle"; readonly chain: string }
  | {
      readonly code: "unknown_agent";
      readonly key: string;
      readonly meant: string | null;
      readonly known: string;
    }
  | { readonly code: "extends_missing"; readonly profile: string; readonly known: string }
  | {
      readonly code: "not_for_agent";
      readonly key: "command" | "endpoint";
      readonly adapter: string;
      readonly agents: string;
    }
  | { readonly code: "endpoint_needs_model"; readonly adapter: string }
  | { readonly code: "command_needed"; readonly profile: string; readonly adapter: string }
  | { readonly code: "prompt_missing"; readonly path: string }
  | { readonly code: "secret_in_file"; readonly key: string }
  | { readonly code: "bad_reference" }
  | { readonly code: "reference_outside_env" };

export interface ConfigPlace {
  readonly line: number;
  readonly column: number;
  /** The line, or the part of a long line around the fault, with secrets removed. */
  readonly source: string;
  /** The column of the fault in `source`. */
  readonly caret: number;
}

export interface ConfigProblem {
  readonly file: string;
  /** Null: the fault concerns the whole file. */
  readonly at: ConfigPlace | null;
  readonly fault: ConfigFault;
}

/** Every fault in the configuration, so that the user can fix them all at once. */
export class ConfigFailure extends Failure {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super("config_invalid", { problems: problems.map(({ fault }) => fault.code).join(", ") });
    this.problems = problems;
  }
}
