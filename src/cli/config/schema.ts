import { TEST_CHANGES } from "../../core/evidence/settings.ts";
import * as z from "zod/mini";
import { markerProblem } from "../../modes/chat/completed.ts";
import type { Expected } from "../../platform/config-problem.ts";
import type { PromptName } from "../../text/prompt-template.ts";
import { ON_STUCK } from "../../core/settings.ts";
import type { RoleName } from "./config.ts";
import { DURATION, MAX_DURATION_MS, parseDuration } from "./duration.ts";

/** Errors carry a code for what was expected; the words depend on the language. */
const say = (expected: Expected): { error: string } => ({ error: expected });

/** The error about an unknown key lists the known keys. */
const mapping = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? Object.keys(shape).join(", ") : ("mapping" satisfies Expected),
  });

const about = <T>(description: string) => z.describe<T>(description);

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const text = z.string(say("text")).check(z.regex(/\S/, say("filled_text")));
const name = z.string(say("name")).check(z.regex(NAME, say("name")));
const names = z.array(name, say("names")).check(z.minLength(1, say("names")));
const variable = z.string(say("variable")).check(z.regex(VARIABLE_NAME, say("variable")));
const command = z.string(say("text_or_texts")).check(z.regex(/\S/, say("text_or_texts")));
const commands = z.union(
  [command, z.array(command).check(z.minLength(1, say("text_or_texts")))],
  say("text_or_texts"),
);
const seconds = z
  .number(say("duration"))
  .check(z.minimum(0, say("duration")), z.maximum(MAX_DURATION_MS / 1000, say("duration")));
const duration = z
  .union([z.string(say("duration")).check(z.regex(DURATION, say("duration"))), seconds], say("duration"))
  .check(z.refine((value) => parseDuration(String(value)) !== undefined, say("duration")));
const whole = (expected: Expected, least: number, most: number) =>
  z.int(say(expected)).check(z.minimum(least, say(expected)), z.maximum(most, say(expected)));
const marker = z.string(say("marker")).check(
  z.regex(/\S/, say("marker")),
  z.refine((value) => markerProblem(value) === null, say("marker")),
);
const price = z.number(say("price")).check(z.minimum(0, say("price")));

const optional = <T extends z.ZodMiniType>(schema: T, description: string) =>
  z.optional(schema.check(about(description)));

const prompt = (description: string) => optional(text, `${description}: a file, relative to this one`);

const role = (who: string) =>
  optional(names, `Agents or profiles for ${who} in \`orchestrate\`. Without it \`agents\``);

const profile = mapping({
  extends: optional(
    name,
    "The agent or profile it is made from. A profile with the name of an agent is made from that one.",
  ),
  program: optional(text, "The executable, where it is not the agent's own"),
  command: optional(text, "The shell command, for profiles made from `command` or `acp`"),
  args: optional(z.array(z.string(say("text")), say("texts")), "Arguments after those of `extends`"),
  env: optional(
    z.record(variable, z.string(say("text")), say("mapping")),
    "Environment variables. Secrets only as ${env:NAME}",
  ),
  model: optional(text, "The model, as the agent calls it"),
  endpoint: optional(
    z.string(say("url")).check(z.regex(/^https?:\/\/[^\s/]/, say("url"))),
    "Address of the model's service",
  ),
  price: optional(
    mapping({ input: price, cached: z.optional(price), output: price }),
    "Dollars a million tokens, for agents that do not tell their cost. `cached` is `input` where it is not given",
  ),
});

export const configSchema = mapping({
  agents: optional(names, "Agents or profiles, in the order they are tried"),
  verifiers: optional(
    names,
    "Agents or profiles that verify the steps of `run`. Without it any agent does, rather another one than did the work",
  ),
  roles: z.optional(
    mapping({
      main: role("MAIN, which decides"),
      test: role("TEST, which writes tests"),
      dev: role("DEV, which implements"),
      review: role("REVIEW, which looks at the work"),
    } satisfies Record<RoleName, unknown>),
  ),
  profiles: optional(z.record(name, profile, say("mapping")), "Agents by your own names"),
  limits: z.optional(
    mapping({
      max_loops: optional(whole("loops", 1, 100_000), "Attempts of `supervise` before a person is asked"),
      max_iterations: optional(whole("loops", 1, 100_000), "Iterations of a run of `orchestrate`"),
      max_cost_usd: optional(
        z.number(say("dollars")).check(z.minimum(0, say("dollars"))),
        "Dollars a run may cost; 0: no limit",
      ),
      max_tokens: optional(whole("tokens", 0, Number.MAX_SAFE_INTEGER), "Tokens a run may use; 0: no limit"),
      max_time: optional(duration, "How long a run may take; 0: no limit"),
      max_wait: optional(duration, "How long to wait for an agent's quota; 0: not at all"),
      stall: optional(duration, "A turn in which nothing moves for so long is ended; 0: never"),
      agent_timeout: optional(duration, "How long a turn may take; 0: no limit"),
      test_timeout: optional(duration, "How long a test command may take; 0: no limit"),
    }),
  ),
  tests: z.optional(
    mapping({
      fast: optional(commands, "Shell commands that `supervise` runs after every turn"),
      full: optional(commands, "Shell commands that `supervise` runs before acceptance"),
      changes: optional(
        z.enum(TEST_CHANGES, say("test_changes")),
        "Edited tests: `judge` them by what the original tests show, or `hold` each one for a person",
      ),
      allow_no_change: optional(
        z.boolean(say("yes_or_no")),
        "Whether work that changes no file can be accepted",
      ),
      protect: optional(
        z.array(text, say("texts")),
        "Patterns of files that are always protected, like test files",
      ),
      product: optional(
        z.array(text, say("texts")),
        "Patterns of files that are never protected. `protect` takes precedence",
      ),
    }),
  ),
  chat: z.optional(
    mapping({
      agent: optional(name, "The agent or profile that `chat` starts. Without it `claude`"),
      reviewer: optional(name, "The agent or profile that reviews. Without it the one that `chat` starts"),
      marker: optional(marker, "The line by which the reviewer calls a task completed"),
      waiting_marker: optional(
        marker,
        "The line by which the reviewer reports that the agent waits for an answer of the user",
      ),
      max_reviews: optional(
        whole("reviews", 1, 100),
        "Reviews of a task before it is given up as not accepted",
      ),
      checks: optional(commands, "Shell commands that have to succeed before a task is accepted"),
    }),
  ),
  prompts: z.optional(
    mapping({
      supervise: prompt("What an agent is told in `supervise`"),
      implement: prompt("What an agent is told that implements a step of `run`"),
      verify: prompt("What an agent is told that verifies a step of `run`"),
      analyze: prompt("What an agent is told in `analyze`"),
      main: prompt("What MAIN is told in `orchestrate` where its session begins"),
      test: prompt("What TEST is told in `orchestrate`"),
      dev: prompt("What DEV is told in `orchestrate`"),
      review: prompt("What REVIEW is told in `orchestrate`"),
    } satisfies Record<PromptName, unknown>),
  ),
  clean_room: z.optional(
    mapping({
      enabled: optional(
        z.boolean(say("yes_or_no")),
        "Whether checks run in a clean room rather than in the work tree as the agent left it",
      ),
      setup: optional(text, "Shell command that runs in the clean room before each check: `npm ci`, a build"),
      allow_oracle_change: optional(
        z.array(text, say("texts")),
        "Patterns of tests, and of what decides about them, that agents may change",
      ),
      prove_tests: optional(
        z.boolean(say("yes_or_no")),
        "Whether new tests have to fail without the work they came with",
      ),
      pass_env: optional(
        z.array(variable, say("variables")),
        "Names of environment variables that checks get in the clean room",
      ),
    }),
  ),
  sandbox: optional(
    z.boolean(say("yes_or_no")),
    "Whether agents can write nothing but the work tree, where bubblewrap is installed",
  ),
  on_stuck: optional(
    z.enum(ON_STUCK, say("on_stuck")),
    "What `supervise` and `run` do when attempts lead nowhere: stop, go on, or have another agent work",
  ),
  lang: optional(z.enum(["zh", "en"], say("lang")), "Language of messages"),
  secrets: optional(
    z.array(variable, say("variables")),
    "Names of further environment variables whose values are kept out of everything that is written",
  ),
});

export type WrittenConfig = z.infer<typeof configSchema>;

/** The schema file that is shipped for editors. */
export function configSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(configSchema, { target: "draft-2020-12" }), null, 2)}\n`;
}
