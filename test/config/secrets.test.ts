import { describe, expect, test } from "vitest";
import { isSecretName, withoutSecrets } from "../../src/cli/config/secrets.ts";
import { complaintsAbout, projectConfig } from "./fixtures.ts";

test.each([
  "ANTHROPIC_API_KEY",
  "OPENAI_KEY",
  "GH_TOKEN",
  "ANTHROPIC_AUTH_TOKEN",
  "DB_PASSWORD",
  "AWS_SECRET_ACCESS_KEY",
  "GOOGLE_CREDENTIALS",
  "apiKey",
  "--auth-token",
  "X_PAT",
  "PGPASSWORD",
])("%s names a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  "MAX_THINKING_TOKENS",
  "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
  "--max-tokens",
  "KEYBOARD",
  "PATH",
  "MONKEY",
  "GOOGLE_APPLICATION_CREDENTIALS_FILE",
  "AWS_ACCESS_KEY_ID",
  "COMPASS",
  "HTTP_PROXY",
])("%s does not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

const env = (entry: string): string => `profiles:\n  a:\n    extends: claude\n    env:\n      ${entry}\n`;
const field = (entry: string): string => `profiles:\n  a:\n    extends: claude\n    ${entry}\n`;
const KEY = `sk-${"a1B2".repeat(8)}`;
const GITHUB = `ghp_${"a1B2".repeat(9)}`;

describe("refuses a secret in the file without showing it", () => {
  test.each([
    ["hunter2", env("ANTHROPIC_API_KEY: hunter2")],
    ["hunter2", env('DB_PASSWORD: "hunter2"')],
    ["hunter2", env("DB_PASSWORD: |\n        hunter2")],
    [KEY, env(`HARMLESS: ${KEY}`)],
    [KEY, field(`model: ${KEY}`)],
    [GITHUB, `tests: { fast: "curl -H ${GITHUB}" }\n`],
    ["hunter2", field("endpoint: https://me:hunter2@models.example.com")],
    ["hunter2", field("endpoint: https://models.example.com/v1?api_key=hunter2")],
    ["hunter2", field("args: [--api-key=hunter2]")],
    ["hunter2", field("args: [--api-key, hunter2]")],
    ["hunter2", field("args:\n      - --api-key\n      - hunter2")],
    ["hunter2", "profiles: { a: { extends: command, command: API_KEY=hunter2 agent } }\n"],
    ["hunter2", `${env("API_KEY: hunter2")}lang: fr # API_KEY=hunter2\n`],
  ])("%s in %j", async (secret, text) => {
    const output = await complaintsAbout(text);
    expect(output).toContain("holds a secret: put it into an environment variable and refer to it in env");
    expect(output).toContain("${env:NAME}");
    expect(output).not.toContain(secret);
    const inChinese = await complaintsAbout(text, "zh");
    expect(inChinese).toContain("含有密钥");
    expect(inChinese).not.toContain(secret);
  });

  test("hides it even if the file has other errors", async () => {
    for (const text of [
      env("API_KEY: [hunter2"),
      env("API_KEY: 12345678"),
      `${env("API_KEY: hunter2")}\tx: 1\n`,
      `  ${KEY}: {\n`,
    ])
      expect(await complaintsAbout(text)).not.toMatch(/hunter2|12345678|sk-a/);
  });
});

test.each([
  env('ANTHROPIC_API_KEY: "${env:MY_KEY}"'),
  env('AUTHORIZATION_TOKEN: "Bearer ${env:MY_KEY}"'),
  env('ANTHROPIC_API_KEY: ""'),
  env('USE_TOKEN: "true"'),
  env('MAX_TOKENS: "4000"'),
  env("KEY_FILE: /run/secrets/key"),
  field("args: [--max-tokens=5, --key-file, x, --api-key, $KEY]"),
  field("endpoint: http://localhost:8080/v1?version=2"),
  "profiles: { a: { extends: command, command: API_KEY=$MY_KEY agent } }\n",
  'tests: { fast: "SECRET_KEY=test pytest" }\n',
])("%j contains none", async (text) => {
  await expect(projectConfig(text)).resolves.toBeDefined();
});

test("hidden text keeps its width", () => {
  const line = `  env: { API_KEY: hunter2, OTHER: x, T: ${KEY} } # https://a:b@c`;
  const shown = withoutSecrets(line);
  expect(shown).toHaveLength(line.length);
  expect(shown).toBe(`  env: { API_KEY: *******, OTHER: x, T: ${"*".repeat(KEY.length)} } # https://***@c`);
});
