import type { FailureClass } from "../core/agent-turn.ts";

/** Our code for a failed call without an HTTP status: the service did not answer, unless the message says more. */
export const NO_STATUS = "no_http_status";

/** The class of a status alone. Others are too vague: for 400 and 404 words decide, or nothing. */
export function classOfStatus(status: number): FailureClass | null {
  switch (status) {
    case 401:
    case 403:
      return "auth";
    case 402:
      return "quota";
    case 408:
      return "overloaded";
    case 413:
      return "own_limit";
    case 429:
      return "rate_limited";
    default:
      return status >= 500 && status <= 599 ? "overloaded" : null;
  }
}

/** Unambiguous codes, in lower case. */
export const EXACT_CODES: Readonly<Partial<Record<FailureClass, readonly string[]>>> = {
  quota: [
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "quota_exceeded",
    "quota_exhausted",
    "exceeded_current_quota_error",
    "usage_limit_reached",
    "usage_limit_exceeded",
    "creditserror",
    "freeusagelimiterror",
    "user_weekly_rate_limited",
    "user_global_rate_limited",
    "arrearage",
    "allocationquota.freetieronly",
    "insufficient_user_quota",
    // Zhipu: no balance; used up for 5 hours; for a week or a month.
    "1113",
    "1308",
    "1310",
  ],
  own_limit: [
    "context_length_exceeded",
    "context_window_exceeded",
    "contextoverflowerror",
    "prompt_too_long",
    "request_too_large",
    "string_above_max_length",
    "max_output_tokens",
    "max_turns",
    "error_max_turns",
    "error_max_budget_usd",
    "budget_exhausted",
  ],
  refused: [
    "refusal",
    "content_filter",
    "content_policy_violation",
    "cyber_policy_violation",
    "data_inspection_failed",
    "datainspectionfailed",
    "prohibited_content",
    "safety",
    "blocklist",
  ],
  overloaded: [
    "overloaded",
    "overloaded_error",
    "engine_overloaded_error",
    "server_overloaded",
    "slow_down",
    "service_unavailable",
    "serviceunavailableexception",
    "unavailable",
    "1305",
  ],
  unreachable: [
    "connection_failed",
    "http_connection_failed",
    "response_stream_disconnected",
    "econnreset",
    "econnrefused",
    "econnaborted",
    "etimedout",
    "enotfound",
    "eai_again",
    "enetunreach",
    "enetdown",
    "ehostunreach",
    "ehostdown",
    "epipe",
    "und_err_socket",
    "und_err_connect_timeout",
    "und_err_headers_timeout",
    "und_err_body_timeout",
    // Claude: no first byte in time, silence in a stream, a computer that slept.
    "no_response",
    "stream_idle_timeout",
    "computer_slept",
  ],
  auth: [
    "authentication_error",
    "authentication_failed",
    "authentication",
    "invalid_authentication_error",
    "invalid_api_key",
    "incorrect_api_key_error",
    "api_key_invalid",
    "invalidapikey",
    "unauthenticated",
    "unauthorized",
    "token_expired",
    "refresh_token_reused",
    "expiredtokenexception",
    "unrecognizedclientexception",
    "providerautherror",
    "oauth_org_not_allowed",
    "account_deactivated",
    "usage_not_included",
    // Claude: no request was sent, or its credentials were refused.
    "provider_credentials",
    "gateway_signin_required",
    "gateway_session_expired",
    "api_key_auth_disabled",
    "org_disabled_credential",
    "invalid_credential_header",
    "stored_login_refused",
  ],
  permission: [
    "model_not_found",
    "providermodelnotfounderror",
    "deploymentnotfound",
    "permission_rejected",
    // Claude: this machine does not trust the certificate's authority, and waiting does not change that.
    "tls_untrusted_ca",
  ],
};

/** Codes that the message may refine: `rate_limit` is also the code of an exhausted plan. */
export const BROAD_CODES: Readonly<Partial<Record<FailureClass, readonly string[]>>> = {
  rate_limited: [
    "rate_limit",
    "rate_limit_error",
    "rate_limit_exceeded",
    "rate_limited",
    "ratelimitexceeded",
    "too_many_requests",
    "resource_exhausted",
    "throttlingexception",
    "throttling",
    "throttling.ratequota",
    "throttling.allocationquota",
    "1302",
    "1303",
  ],
  overloaded: [
    "server_error",
    "api_error",
    "internal",
    "internal_server_error",
    "timeout_error",
    "deadline_exceeded",
  ],
  unreachable: [NO_STATUS],
  auth: ["permission_error", "permission_denied", "accessdeniedexception", "forbidden"],
};
