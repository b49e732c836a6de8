/** A key with a recognizable form. */
export interface SecretPattern {
  /** Fixed letters; every match contains one of them. Without them the pattern is not tried. */
  readonly anchors: readonly string[];
  /** Its capture stays; the rest of the match is the secret. */
  readonly form: RegExp;
}

/** The beginning of a word: a key right after a line end in JSON text (`\n`) or after a colour is a word, the end of `task-` is not. */
const WORD = String.raw`(?:^|[^A-Za-z0-9]|\\[nrt]|\[[\d;]*m)`;
const QUOTE = String.raw`(?:\\*["'])?`;
const IS = String.raw`${QUOTE}\s*[:=]\s*${QUOTE}`;
const PEM_LABEL = "(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----";
const MIXED = String.raw`(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Z])`;

/** A unique prefix, and the rest of the key. */
function key(prefix: string, rest: string): SecretPattern {
  return pattern([prefix], `${literal(prefix)}${rest}`);
}

/**
 * A prefix that also occurs at the end of other words. The lookbehind runs only where its letters are found, because running it
 * everywhere is slow. The whole word is removed, so that the text after it does not become a new word.
 */
function wordKey(prefix: string, rest: string): SecretPattern {
  return key(prefix, `(?<=${WORD}${literal(prefix)})${rest}[A-Za-z0-9]*`);
}

function pattern(anchors: readonly string[], form: string, flags = "g"): SecretPattern {
  return { anchors, form: new RegExp(form, flags) };
}

function literal(text: string): string {
  return text.replaceAll(".", String.raw`\.`);
}

/**
 * Each is certain: random-looking text (a commit, a digest, a picture) matches none. Each is bounded where it may fail late,
 * because an agent could write text that keeps the search busy.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  // Model providers. Many use the prefix of the first.
  wordKey(
    "sk-",
    String.raw`(?:ant-[\w-]{20,}|or-v1-[0-9a-f]{64}|(?:proj|svcacct|admin|kimi)-${MIXED}[\w-]{20,}|(?=[A-Za-z]*\d)[A-Za-z0-9]{32,})`,
  ),
  wordKey("AIza", String.raw`[\w-]{35}`),
  wordKey("AQ.Ab", String.raw`[\w-]{40,}`),
  wordKey("ya29.", String.raw`[\w-]{30,}(?:\.[\w-]+)*`),
  wordKey("hf_", "[A-Za-z0-9]{34,}"),
  wordKey("gsk_", "[A-Za-z0-9]{48,}"),
  wordKey("xai-", "[A-Za-z0-9]{70,}"),
  wordKey("pplx-", "[A-Za-z0-9]{40,}"),
  wordKey("r8_", "[A-Za-z0-9]{37}"),
  // Code hosts and package registries.
  pattern(["ghp_", "gho_", "ghs_", "ghu_", "ghr_"], "gh[opsur]_[A-Za-z0-9]{36,}"),
  key("github_pat_", String.raw`[A-Za-z0-9]{20,}\w*`),
  key("glpat-", String.raw`[\w-]{20,}(?:\.[\w-]+)*`),
  key("glrt-", String.raw`[\w-]{20,}(?:\.[\w-]+)*`),
  wordKey("npm_", "[A-Za-z0-9]{36}"),
  key("pypi-AgEIcHlwaS5vcmc", String.raw`[\w-]{50,}`),
  key("dckr_pat_", String.raw`[\w-]{20,}`),
  // Clouds and services.
  wordKey("AKIA", "[A-Z2-7]{16}"),
  wordKey("ASIA", "[A-Z2-7]{16}"),
  pattern(["aws_se", "AWS_SE"], `(aws_(?:secret_access_key|session_token)${IS})[A-Za-z0-9/+=]{40,}`, "gi"),
  key("GOCSPX-", String.raw`[\w-]{28}`),
  pattern(["AccountKey="], "(AccountKey=)[A-Za-z0-9+/]{86}=="),
  pattern(["dop_v1_", "doo_v1_", "dor_v1_"], "do[opr]_v1_[0-9a-f]{64}"),
  wordKey("dapi", "[0-9a-f]{32}"),
  wordKey("hvs.", String.raw`[\w-]{24,}`),
  pattern(["xox"], String.raw`xox[abeoprs]-\d[\w-]{10,}`),
  key("xapp-", String.raw`\d-[\w-]{20,}`),
  pattern(["hooks.slack.com"], String.raw`(hooks\.slack\.com\/services\/)[\w/]{20,}`),
  pattern(["k_live_"], String.raw`[rs]k_live_\w{16,}`),
  key("whsec_", "[A-Za-z0-9+/]{32,}"),
  wordKey("SG.", String.raw`[\w-]{22}\.[\w-]{43}`),
  pattern([":AA"], String.raw`(:)(?<=(?:^|\D)\d{8,10}:)AA[\w-]{33,}`),
  // Widely used forms.
  wordKey("eyJ", String.raw`[\w-]{10,500}\.eyJ[\w-]{10,}\.[\w-]{10,}`),
  pattern(
    ["-----BEGIN "],
    String.raw`-----BEGIN ${PEM_LABEL}(?:(?:(?!-----)[\w+/=\s\\:,.()-]){0,20000}-----END ${PEM_LABEL}|(?:(?:\s|\\+[nr])*[A-Za-z0-9+/=]{24,})+)`,
  ),
  pattern(
    ["uthorization", "UTHORIZATION"],
    String.raw`(authorization${IS}(?:bearer|basic|token)\s+)[\w.~+/=-]{8,}`,
    "gi",
  ),
  pattern(["api-key", "Api-Key", "API-KEY"], String.raw`(x-(?:goog-)?api-key${IS})[\w.~+/=-]{16,}`, "gi"),
  pattern(
    ["://"],
    String.raw`(:\/\/[^\s/:@"'<>\\[\]]{0,100}:)(?![$<{*])[^\s/@"'<>\\[\]]{3,500}(?=@(?!sha256:))`,
  ),
];
