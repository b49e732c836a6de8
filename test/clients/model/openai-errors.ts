import type { ModelError } from "./script.ts";

const CODES: Readonly<Record<number, string>> = { 401: "invalid_api_key", 429: "rate_limit_exceeded" };

/** OpenAI's error format, the same in both of its protocols. */
export function openaiError({ status, message = `scripted error ${status}`, body }: ModelError): unknown {
  const type = status < 500 ? "invalid_request_error" : "server_error";
  return { error: { message, type, param: null, code: CODES[status] ?? null, ...body } };
}
