import type { Wording } from "./wording.ts";

/** Data for `classify`: messages of agents whose service does not answer at all. */
export const UNREACHABLE_WORDINGS: readonly Wording[] = [
  {
    class: "unreachable",
    from: "claude",
    says: [
      /Connection dropped \(/i,
      /Unable to connect to API\b/i,
      /Connection refused — a firewall or proxy may be blocking it/i,
      /Can['’]t reach the API server — check /i,
      /No internet route — check /i,
      /Couldn['’]t connect through your proxy \(/i,
      /Connection to the API was lost \(/i,
      /Connection lost (?:while your computer was asleep|mid-response\.|before a response was produced)/i,
      /Connection closed before the response finished/i,
      /Your computer went to sleep (?:mid-response\.|before a response was produced)/i,
      /The response (?:stopped arriving\. The response above|stalled before a response was produced)/i,
      /Part of the response never arrived(?:\. The response above| and no response was produced)/i,
      /Request timed out\. Check your internet connection and proxy settings/i,
      /No response from API\b(?=[ .]|$)/i,
    ],
  },
  {
    class: "unreachable",
    from: "codex, copilot, gemini",
    says: [
      /stream disconnected before completion: (?:error sending request|Transport error|stream closed before|idle timeout waiting)/i,
      /Connection failed: error sending request/i,
      /error sending request for url \(/i,
      /Failed native model HTTP request: /i,
      /fetch failed sending request/i,
    ],
  },
  {
    class: "unreachable",
    from: "opencode, Node, Bun, Python, curl",
    says: [
      /Cannot connect to API: /i,
      /Unable to connect\. Is the computer able to access the url\?/i,
      /The socket connection was closed unexpectedly/i,
      /Connection error\.?$/i,
      /(?:Request|The operation) timed out\.?$/i,
      /(?:fetch failed|socket hang up|premature close|other side closed)\.?$/i,
      /terminated\.?$/, // Not a shell's `Terminated` for a process that was ended.
      /(?:read|connect|write|getaddrinfo) (?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPIPE)\b/,
      /(?:\[Errno -?\d+\] )?(?:Connection (?:refused|reset by peer|timed out)|Network is unreachable|No route to host)\.?$/i,
      /(?:\[Errno -?\d+\] )?(?:Name or service not known|Temporary failure in name resolution)\.?$/i,
      /(?:curl: \(\d+\) )?(?:Could not resolve (?:host|proxy): |Failed to connect to \S+ port \d+)/i,
      /connection closed before message completed/i,
    ],
    weak: true,
  },
];
