import type { FailureClass } from "../domain/agent-turn.ts";

/** Data for `classify`: what agents and providers say when a call fails. Wordings change often; the corpus of the tests holds real ones. */

export interface Wording {
  readonly class: FailureClass;
  /** Where it was seen. */
  readonly from: string;
  readonly says: readonly RegExp[];
  /** Programs under test say the same: it counts where it is all that was said, or where the error is known to be the service's. */
  readonly weak?: true;
  /** The same words are used for limits per minute: with a reset that is near, it is `rate_limited`. */
  readonly perMinuteToo?: true;
}

/** In order: the first that fits decides. */
export const WORDINGS: readonly Wording[] = [
  {
    class: "rate_limited",
    from: "gemini, codex",
    says: [
      /Quota exceeded for (?:quota )?metric.{0,300}?per minute/i,
      /stream disconnected before completion: Rate limit reached/i,
    ],
  },
  {
    class: "quota",
    from: "claude",
    says: [
      /Claude(?: \w+)? usage limit reached/i,
      /You['’]ve (?:hit|reached) your (?!rate )(?:[\w.-]{1,20} ){0,3}limit\b(?= ?[·∙•|.,]| for |$)/i,
      /(?:[\w.-]{1,20} )?(?:5-hour|weekly|session|daily|monthly|opus|sonnet|usage) limit reached(?= ?[·∙•|]| for |\.|$)/i,
      /You['’]re (?:now )?out of (?:extra )?usage\b/i,
      /(?:Your )?credit balance is too low\b/i,
      /You have reached your specified API usage limits/i,
    ],
  },
  {
    class: "quota",
    from: "codex",
    says: [
      /You have reached the usage limit\b/i,
      /The usage limit has been reached/i,
      /Quota exceeded\. (?:Check your plan|Upgrade)/i,
      /Your workspace is out of credits/i,
    ],
  },
  {
    class: "quota",
    from: "gemini",
    says: [
      /You have exhausted your (?:daily quota|capacity) on this model/i,
      /You have reached your daily \S+ quota limit/i,
      /Quota exceeded for (?:quota )?metric/i,
      /Your quota will reset after \d/i,
    ],
    perMinuteToo: true,
  },
  {
    class: "quota",
    from: "OpenAI, Gemini, DashScope",
    says: [/You exceeded your current quota/i, /Billing hard limit has been reached/i],
    perMinuteToo: true,
  },
  {
    class: "quota",
    from: "copilot, opencode, qwen, ollama",
    says: [
      /You have no quota\b/i,
      /You have exceeded your (?:premium request allowance|monthly quota|monthly included credits)/i,
      /Sorry, you['’]ve (?:exceeded|hit|reached) your .{0,40}(?:session|weekly|monthly|global) (?:rate )?limits?/i,
      /You have reached your monthly limit/i,
      /Free usage exceeded\b/i,
      /(?:Free )?allocated quota exceeded\b/i,
      /Qwen OAuth (?:free tier )?quota exceeded/i,
      /you \(\S+\) have reached your (?:\w+ )?usage limit/i,
    ],
  },
  {
    class: "quota",
    from: "OpenRouter, Moonshot, DeepSeek, DashScope, Zhipu",
    says: [
      /Insufficient (?:account )?(?:balance|credits?)\b(?= or no resource|[.,:]|$)/i,
      /This request requires more credits/i,
      /More credits are required to run this request/i,
      /Key limit exceeded\b/i,
      /Prompt tokens limit exceeded: .{0,80}openrouter/i,
      /Rate limit exceeded: free-models-per-day/i,
      /Your account .{0,160}?(?:is suspended due to insufficient balance|exceeded current quota)/i,
      /Access denied, please make sure your account is in good standing/i,
    ],
  },
  {
    class: "quota",
    from: "Zhipu, new-api relays",
    says: [
      /(?:您的)?(?:账户|账号)?余额不足/u,
      /(?:您的)?(?:账户|账号)已欠费/u,
      /已达到.{0,20}(?:使用|调用)上限/u,
      /(?:用户|该令牌|令牌|您的)?(?:免费)?(?:额度|配额)(?:不足|已用尽|已用完|已耗尽|耗尽)/u,
      /预扣费额度失败/u,
    ],
  },
  {
    class: "quota",
    from: "any",
    says: [/(?:API )?quota exceeded\.?$/i, /Insufficient quota\b/i],
    weak: true,
  },
  {
    class: "own_limit",
    from: "claude",
    says: [
      /Prompt is too long\b(?= ?[·:.]|$)/i,
      /Reached max(?:imum number of)? turns \(/i,
      /Reached maximum budget \(/i,
      /Exceeded USD budget \(/i,
      /Claude['’]s response exceeded the \d+ output token maximum/i,
      /Context limit reached\b(?= ?[·.]|$)/i,
    ],
  },
  {
    class: "own_limit",
    from: "codex, gemini, qwen",
    says: [
      /Codex ran out of room in the model['’]s context window/i,
      /Reached max session turns for this session/i,
      /Run aborted: wall-clock budget of/i,
    ],
  },
  {
    class: "own_limit",
    from: "OpenAI, Anthropic, Gemini, Bedrock, DashScope, OpenRouter, SGLang",
    says: [
      /This (?:model|endpoint)['’]s maximum (?:context|prompt) length is/i,
      /Your input exceeds the context window of this model/i,
      /input length and `?max_tokens`? exceed context limit/i,
      /The input token count (?:\(\d+\) )?exceeds the maximum/i,
      /Input length \(?\d+.{0,20}exceeds the (?:maximum|model)/i,
      /Input is too long for requested model/i,
      /Range of input length should be/i,
      /Request too large (?:for|\()/i,
      /Request exceeds the maximum size/i,
    ],
  },
  {
    class: "session_lost",
    from: "claude, codex, gemini, qwen, pi, copilot",
    says: [
      /No conversation found with session ID/i,
      /(?:thread\/\w+: )?(?:thread\/\w+ failed: )?no rollout found for thread id/i,
      /Error resuming session: (?:Invalid session identifier|No previous sessions found)/i,
      /No saved session found with ID/i,
      /No session found matching '/i,
      /No session, task, or name matched '/i,
    ],
  },
  {
    class: "session_lost",
    from: "opencode",
    says: [/Session not found\.?$/i],
    weak: true,
  },
  {
    class: "permission",
    from: "claude, codex, gemini: it will not run here",
    says: [
      /--dangerously-skip-permissions cannot be used with root/i,
      /Not inside a trusted directory/i,
      /Gemini CLI is not running in a trusted directory/i,
    ],
  },
  {
    class: "permission",
    from: "many: it will not run with this model",
    says: [
      /There['’]s an issue with the selected model \(/i,
      /The '[^']{1,80}' model is not supported when using Codex/i,
      /The model `[^`]{1,80}` does not exist/i,
      /models\/\S+ is not found for API version/i,
      /No endpoints found (?:for|that) /i,
      /Model not found: \S+\/\S+/i,
      /Model Not Exist\b/,
      /模型不存在/u,
    ],
  },
  {
    class: "refused",
    from: "claude, OpenAI, Azure, Gemini, DashScope, Moonshot, DeepSeek, Zhipu",
    says: [
      /Claude Code is unable to respond to this request/i,
      /Invalid prompt: your prompt was flagged/i,
      /The response was filtered due to the prompt triggering/i,
      /(?:Candidate|Response|Request|Prompt|Content) (?:was |has been )?blocked due to (?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST)/i,
      /(?:Input|Output) data may contain inappropriate content/i,
      /The request was rejected because it was considered high risk/i,
      /Content Exists Risk\b/,
      /系统检测到输入或生成内容可能包含不安全或敏感内容/u,
    ],
  },
  {
    class: "auth",
    from: "claude",
    says: [
      /Not logged in · /i,
      /Please run \/login\b/i,
      /Invalid API key · /i,
      /OAuth token (?:has expired|has been revoked|revoked)/i,
      /OAuth authentication is currently not allowed/i,
      /Your organization has disabled Claude subscription access/i,
      /This organization has been disabled/i,
      /Your account does not have access to Claude/i,
    ],
  },
  {
    class: "auth",
    from: "codex, gemini, qwen, copilot, pi",
    says: [
      /Missing environment variable: `/i,
      /Your access token could not be refreshed/i,
      /To use Codex with your ChatGPT plan, upgrade/i,
      /Please set an Auth method in your /i,
      /When using Gemini API, you must specify the GEMINI_API_KEY/i,
      /Cached credentials are not valid\b/i,
      /Qwen OAuth free tier (?:was|has been) discontinued/i,
      /No authentication information found\./i,
      /Authentication failed with provider at /i,
      /Session was not created with authentication info/i,
      /No API key found for \S+/i,
      /Authentication required: Call authenticate/i,
    ],
  },
  {
    class: "auth",
    from: "OpenAI, Google, AWS, DeepSeek, OpenRouter, DashScope, Zhipu, new-api relays",
    says: [
      /Incorrect API key provided/i,
      /Missing bearer or basic authentication in header/i,
      /API key not valid\. Please pass a valid API key/i,
      /The security token included in the request is (?:expired|invalid)/i,
      /Authentication Fails\b/,
      /No auth credentials found/i,
      /Invalid authentication credentials/i,
      /invalid access token or token expired/i,
      /身份验证失败/u,
      /(?:无效的|未提供)令牌/u,
      /令牌(?:已过期|不正确|验证失败)/u,
    ],
  },
  {
    class: "auth",
    from: "any",
    says: [
      /Not logged in\.?$/i,
      /Invalid API key\.?$/i,
      /(?:Unauthorized|Not authenticated|Authentication required)\.?$/i,
      /API key (?:is )?(?:not valid|invalid|expired)\.?$/i,
    ],
    weak: true,
  },
  {
    class: "overloaded",
    from: "claude",
    says: [
      /Connection dropped \(/i,
      /Unable to connect to API\b/i,
      /API returned an empty or malformed response/i,
      /Overloaded\. This is a server-side issue/i,
      /Repeated 529 Overloaded errors/i,
    ],
  },
  {
    class: "overloaded",
    from: "codex, copilot, gemini",
    says: [
      /fetch failed sending request/i,
      /We['’]re currently experiencing high demand/i,
      /Selected model is at capacity/i,
      /stream disconnected before completion/i,
      /error sending request for url \(/i,
      /Failed native model HTTP request: /i,
      /Response was interrupted due to a server error/i,
      /Request failed due to a transient API error/i,
    ],
  },
  {
    class: "overloaded",
    from: "Gemini, Moonshot, Zhipu, new-api relays",
    says: [
      /The (?:model|engine|server|service) is (?:currently |temporarily )?overloaded/i,
      /This model is currently experiencing high demand/i,
      /该模型当前访问量过大/u,
      /当前分组上游负载已饱和/u,
    ],
  },
  {
    class: "overloaded",
    from: "connections and gateways",
    says: [
      /Overloaded\.?$/i,
      /Connection error\.?$/i,
      /Request timed out\.?$/i,
      /(?:fetch failed|socket hang up|premature close)\.?$/i,
      /terminated\.?$/, // A shell's `Terminated`, of a process that was ended, is another word.
      /(?:read|connect|write|getaddrinfo) (?:ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE)\b/,
      /(?:Internal server error|Bad gateway|Service (?:temporarily )?unavailable|Gateway timeout)\.?$/i,
      /connection closed before message completed/i,
      /upstream connect error/i,
    ],
    weak: true,
  },
  {
    class: "rate_limited",
    from: "Anthropic, OpenAI, Moonshot, DashScope, Bedrock, Cerebras, GitHub",
    says: [
      /rate limit (?:reached|exceeded)(?:: | for \S+ in organization| for requests|[.,] (?:please )?(?:try again|retry|wait))/i,
      /This request would exceed your (?:account|organization)['’]s rate limit/i,
      /Too many tokens, please wait before trying again/i,
      /Your account .{0,160}?request reached .{0,40}(?:max|limit)/i,
      /Requests? rate limit exceeded, please try again later/i,
      /Tokens per minute limit exceeded/i,
      /API rate limit exceeded for /i,
    ],
  },
  {
    class: "rate_limited",
    from: "gemini, copilot",
    says: [
      /Please wait and try again later\. To increase your limits/i,
      /Resource (?:has been )?exhausted(?: \(e\.g\.|\. Please try again later)/i,
      /Sorry, you['’]ve hit a rate limit/i,
      /Sorry, you have been rate-limited/i,
    ],
  },
  {
    class: "rate_limited",
    from: "Zhipu, new-api relays",
    says: [
      /(?:您的)?(?:账户|账号)已达到速率限制/u,
      /您当前使用该 ?API ?的(?:并发数|频率)过高/u,
      /请求(?:过多|过于频繁|频率过高)/u,
    ],
  },
  {
    class: "rate_limited",
    from: "any",
    says: [/rate limit (?:reached|exceeded)\.?$/i, /Too many requests\b/i, /Request was throttled/i],
    weak: true,
  },
];
