import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/text/redact.ts";
import { canHaveBeen, secretsFrom } from "../../src/text/secret.ts";

const byForm = new Redactor([]);

/** Keys in the format of real services, assembled here so that scanners do not take them for real ones. */
const a = (length: number): string => "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC".repeat(4).slice(0, length);
const hex = (length: number): string => "0123456789abcdef".repeat(8).slice(0, length);
const KEYS: readonly (readonly [string, string])[] = [
  ["Anthropic", `sk-ant-api03-${a(93)}-${a(8)}`],
  ["an Anthropic login", `sk-ant-oat01-${a(80)}`],
  ["OpenAI", `sk-${a(20)}T3BlbkFJ${a(20)}`],
  ["an OpenAI project", `sk-proj-${a(60)}_${a(40)}`],
  ["an OpenAI service account", `sk-svcacct-${a(60)}`],
  ["OpenRouter", `sk-or-v1-${hex(64)}`],
  ["DeepSeek and others", `sk-${hex(32)}`],
  ["Google", `AIza${a(35)}`],
  ["Google, newer", `AQ.Ab${a(46)}`],
  ["Google OAuth", `ya29.${a(60)}`],
  ["Google OAuth client", `GOCSPX-${a(28)}`],
  ["Hugging Face", `hf_${a(34)}`],
  ["Groq", `gsk_${a(52)}`],
  ["xAI", `xai-${a(80)}`],
  ["Perplexity", `pplx-${a(48)}`],
  ["Replicate", `r8_${a(37)}`],
  ["GitHub", `ghp_${a(36)}`],
  ["GitHub OAuth", `gho_${a(36)}`],
  ["GitHub server", `ghs_${a(36)}`],
  ["GitHub user", `ghu_${a(36)}`],
  ["GitHub fine-grained", `github_pat_${a(22)}_${a(59)}`],
  ["GitLab", `glpat-${a(20)}`],
  ["GitLab runner", `glrt-${a(20)}`],
  ["npm", `npm_${a(36)}`],
  ["PyPI", `pypi-AgEIcHlwaS5vcmc${a(70)}`],
  ["Docker", `dckr_pat_${a(27)}`],
  ["AWS", "AKIAQWERTYUIOPASDFG2"],
  ["AWS, temporary", "ASIAQWERTYUIOPASDFG2"],
  ["DigitalOcean", `dop_v1_${hex(64)}`],
  ["Databricks", `dapi${hex(32)}`],
  ["Vault", `hvs.${a(90)}`],
  ["Slack", `xoxb-123456789012-1234567890123-${a(24)}`],
  ["a Slack app", `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ["Stripe", `sk_live_${a(24)}`],
  ["Stripe, restricted", `rk_live_${a(24)}`],
  ["a Stripe hook", `whsec_${a(32)}`],
  ["SendGrid", `SG.${a(22)}.${a(43)}`],
  ["a JSON web token", `eyJ${a(20)}.eyJ${a(40)}.${a(43)}`],
  [
    "a private key",
    `-----BEGIN RSA PRIVATE KEY-----\n${a(64)}\n${a(64)}\nq8==\n-----END RSA PRIVATE KEY-----`,
  ],
  [
    "a private key in JSON",
    `-----BEGIN OPENSSH PRIVATE KEY-----\\n${a(70)}\\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  ["a private key cut off", `-----BEGIN PRIVATE KEY-----\n${a(64)}\n${a(64)}`],
];

describe("a key with a known form", () => {
  test.each(KEYS)("of %s is removed everywhere", (_, key) => {
    for (const [before, after] of [
      ["", ""],
      ["key: ", "."],
      ['"', '"'],
      ["NAME=", "\n"],
      ["第一 ", " 第二"],
      [String.raw`text\n`, String.raw`\n`],
      ["\u001B[31m", "\u001B[0m"],
    ])
      expect(byForm.text(`${before}${key}${after}`)).toBe(`${before}[redacted]${after}`);
  });

  test.each([
    ["Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [redacted]"],
    [
      String.raw`-H \"authorization: basic dXNlcjpwYXNzd29yZA==\"`,
      String.raw`-H \"authorization: basic [redacted]\"`,
    ],
    [`{"Authorization":"Bearer ${a(30)}"}`, '{"Authorization":"Bearer [redacted]"}'],
    [`x-api-key: ${a(30)}`, "x-api-key: [redacted]"],
    [`X-Goog-Api-Key: ${a(30)}`, "X-Goog-Api-Key: [redacted]"],
    [`aws_secret_access_key = ${a(40)}`, "aws_secret_access_key = [redacted]"],
    [`export AWS_SECRET_ACCESS_KEY="${a(40)}"`, 'export AWS_SECRET_ACCESS_KEY="[redacted]"'],
    [`AccountName=x;AccountKey=${a(86)}==;End`, "AccountName=x;AccountKey=[redacted];End"],
    ["git clone https://me:hunter2@example.com/a.git", "git clone https://me:[redacted]@example.com/a.git"],
    ["redis://:hunter2@localhost:6379/0", "redis://:[redacted]@localhost:6379/0"],
    [`https://hooks.slack.com/services/T0000/B0000/${a(24)}`, "https://hooks.slack.com/services/[redacted]"],
    [
      `https://api.telegram.org/bot123456789:AA${a(33)}/me`,
      "https://api.telegram.org/bot123456789:[redacted]/me",
    ],
  ])("%s keeps the text around it", (text, expected) => {
    expect(byForm.text(text)).toBe(expected);
  });

  test.each([
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "123e4567-e89b-12d3-a456-426614174000",
    "pip install sk-learn sk-learn-contrib-with-a-very-long-package-name-indeed",
    "skip-this-very-long-test-name-because-it-takes-forever task-0123456789abcdef0123456789abcdef",
    "disk-proj-0123456789ABCDEFabcdef0123456789 sk-admin-console-frontend-service-account-page",
    "[redacted] [redacted NAME]",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "https://user:$PASSWORD@example.com https://user:${{ secrets.X }}@example.com https://user:<password>@host",
    "https://example.com:8080/@scope/package git@github.com:a/b.git ssh://git@example.com:22/a.git",
    "docker://alpine:3.19@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "npm_config_registry=https://registry.npmjs.org/ npm_lifecycle_event=test",
    "eyJhbGciOiJIUzI1NiJ9 alone is only a header",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE----- -----BEGIN PRIVATE KEY----- is how a key begins",
    "const ghp_ = 1; hf_hub_download(); gsk_; xoxo-love-and-kisses-to-all; AKIA",
    `12:34:56 AA ${a(33)}`,
  ])("is not seen in %s", (text) => {
    expect(byForm.text(text)).toBe(text);
    expect(byForm.holds(text)).toBe(false);
  });

  test("is not seen in a picture", () => {
    const picture = `data:image/png;base64,${randomBytes(300_000).toString("base64")}`;
    expect(byForm.holds(picture)).toBe(false);
  });
});

// No clock is needed: exponential backtracking would take hours.
test.each([
  "-eyJ",
  "-eyJaaaaaaaaaa.",
  "sk-proj-",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN A ",
  "://:",
  "://a:b",
])("%s over and over does not keep the search busy", (part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(byForm.holds(text)).toBe(false);
});

test.each(["Authorization: ", "aws_secret_access_key=", "-----BEGIN PRIVATE KEY-----", "sk-proj-"])(
  "takes little time after %s",
  (start) => {
    for (const filler of [" ", "\\", "a ", "\\n"])
      expect(byForm.holds(start + filler.repeat(500_000) + "!")).toBe(false);
  },
);

const VALUE = 'p"ss\\wörd/+ one\nline';
const known = new Redactor([{ name: "DB_PASS", value: VALUE }], []);
const MARK = "[redacted DB_PASS]";

describe("a known value", () => {
  test.each([
    ["as it is", VALUE],
    ["in JSON", JSON.stringify(VALUE).slice(1, -1)],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(VALUE)).slice(3, -3)],
    ["in an address", encodeURIComponent(VALUE)],
    ["in base64", Buffer.from(VALUE).toString("base64")],
    ["in base64 of addresses", Buffer.from(VALUE).toString("base64url")],
  ])("is removed %s", (_, form) => {
    expect(known.text(`a ${form} b ${form}`)).toBe(`a ${MARK} b ${MARK}`);
    expect(known.holds(form)).toBe(true);
  });

  test.each(["", "u", "us", "user:"])("is removed from base64 of something longer, after '%s'", (before) => {
    const secret = "correct-horse-battery";
    const redactor = new Redactor([{ name: "P", value: secret }], []);
    const text = redactor.text(Buffer.from(`${before}${secret} and more`).toString("base64"));
    expect(text).toContain("[redacted P]");
    // At the edges some bits of the outer characters may stay, but never a whole character.
    const rest = text.split("[redacted P]").map((part) => Buffer.from(part, "base64").toString("latin1"));
    expect(rest[0]?.slice(0, before.length)).toBe(before);
    for (const part of rest) for (const piece of ["co", "ry"]) expect(part).not.toContain(piece);
  });

  test("is the longest of several that begin alike", () => {
    const redactor = new Redactor([
      { name: "SHORT", value: "abcdefgh" },
      { name: "LONG", value: "abcdefghijkl" },
    ]);
    expect(redactor.text("abcdefghijkl abcdefghij")).toBe("[redacted LONG] [redacted SHORT]ij");
  });

  test("without a name is marked without one; one that appears everywhere is left", () => {
    expect(new Redactor([{ name: "", value: "12345678" }]).text("12345678")).toBe("[redacted]");
    expect(new Redactor([{ name: "X", value: "k9x" }]).text("the k9x of it")).toBe("the [redacted X] of it");
    expect(new Redactor([{ name: "X", value: "12" }]).text("12 of 12")).toBe("12 of 12");
  });

  test("that is part of the mark itself does no harm", () => {
    const redactor = new Redactor([
      { name: "WORD", value: "redacted" },
      { name: "REDACTED_NAME", value: "REDACTED_NAME" },
      { name: "OTHER", value: "[redacted WORD]" },
    ]);
    const text = redactor.text("redacted REDACTED_NAME");
    expect(redactor.text(text)).toBe(text);
  });

  test("may contain half a character", () => {
    expect(new Redactor([{ name: "HALF", value: "\uD800 half a sign" }]).text("a text")).toBe("a text");
  });

  test("does not cost a text its byte order mark", () => {
    expect(known.text(`\uFEFF${VALUE}`)).toBe(`\uFEFF${MARK}`);
  });
});

test("taking out twice is taking out once", () => {
  const secrets = [
    { name: "A", value: "aaaaaaaa" },
    { name: "TOKEN", value: "sk-ant-tokentokentoken" },
    { name: "", value: "redacted" },
  ];
  const redactor = new Redactor(secrets);
  const parts = [
    "a",
    "aaaa",
    "aaaaaaaa",
    "sk-",
    "https://u:",
    "@h",
    "Authorization: Bearer ",
    "[",
    "]",
    "\n",
    "redacted",
  ];
  const piece = fc.oneof(
    fc.constantFrom(...parts, ...secrets.map(({ value }) => value), ...KEYS.map(([, key]) => key)),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const once = redactor.text(pieces.join(""));
      expect(redactor.text(once)).toBe(once);
      expect(once).not.toContain("aaaaaaaa");
    }),
  );
});

describe("a text that was redacted", () => {
  test.each([
    ["test/add.test.js", "test/add.test.js", true],
    ["test/add.test.js", "test/addXtest.js", false],
    ["test/[redacted].test.js", "test/a+b.test.js", true],
    ["test/[redacted MY_KEY].test.js", "test/a/b.test.js", true],
    ["test/[redacted]-[redacted].js", "test/a-b.js", true],
    ["test/[redacted].test.js", "test/.test.js", false],
    ["test/[redacted].test.js", "lib/a.test.js", false],
    ["[redacted]", "anything\nat all", true],
  ])("%j can have been %j: %j", (redacted, text, can) => {
    expect(canHaveBeen(redacted, text)).toBe(can);
  });
});

describe("the secrets of an environment", () => {
  const value = "a-long-enough-value";
  const names = (env: Record<string, string | undefined>): string[] =>
    secretsFrom(env).map(({ name }) => name);

  test.each([
    ...[
      "ANTHROPIC_API_KEY",
      "OPENAI_APIKEY",
      "GITHUB_TOKEN",
      "GH_PAT",
      "PGPASSWORD",
      "DB_PASSWD",
      "CLIENT_SECRET",
    ],
    ...[
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "SSH_PASSPHRASE",
      "CREDENTIALS",
      "NPM_AUTH",
      "HTTP_AUTHORIZATION",
    ],
    ...["npm_config__authToken", "TOKEN", "MY_KEYS", "ANTHROPIC_AUTH_TOKEN"],
  ])("are recognised by the name %s", (name) => {
    expect(names({ [name]: value })).toEqual([name]);
  });

  test.each([
    ...[
      "SSH_AUTH_SOCK",
      "GPG_AGENT",
      "KEYBOARD",
      "TOKENIZERS_PARALLELISM",
      "GIT_AUTHOR_NAME",
      "TOKEN_FILE",
      "KEY_PATH",
    ],
    ...["CREDENTIALS_DIR", "AUTH_TYPE", "TOKEN_URL", "PATH", "HOME", "LANG", "PWD", "PATTERN", "SECRETARY"],
  ])("are not recognised by the name %s", (name) => {
    expect(names({ [name]: value })).toEqual([]);
  });

  test.each([
    "/home/me/.key",
    "/run/secrets/key",
    "~/key-file",
    "./some/key",
    String.raw`C:\keys\one`,
    "1234567890",
    "true",
    "",
    undefined,
  ])("are not %s", (harmless) => {
    expect(names({ API_KEY: harmless })).toEqual([]);
  });

  test("may begin like a path without being one", () => {
    expect(names({ AWS_SECRET_ACCESS_KEY: `/${a(20)}/${a(18)}` })).toEqual(["AWS_SECRET_ACCESS_KEY"]);
  });

  test("include those that the user names", () => {
    expect(
      secretsFrom({ HOUSE: "/home/of/mine", OTHER: value, GONE: undefined }, ["HOUSE", "GONE", "NEVER"]),
    ).toEqual([{ name: "HOUSE", value: "/home/of/mine" }]);
  });
});
