const hidden = '[hidden]';

// No pattern can start again inside the unbounded run of an attempt that failed: matching is linear.
const secrets: readonly [RegExp, string][] = [
  [/\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|hf|xox[abps]|npm)[-_][A-Za-z0-9_-]{12,}/g, hidden],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, hidden],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, hidden],
  [/(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_.-]{10,}/g, hidden],
  [/\b(Bearer|Basic)( +)[A-Za-z0-9+/=._~-]{8,}/gi, `$1$2${hidden}`],
  [/:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@/g, `://${hidden}@`],
  [
    /\b((?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|passwd|password)["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&,;]{6,}/gi,
    `$1${hidden}`,
  ],
  [/(?<![\w-])(--?[\w-]{0,40}(?:key|token|secret|password)[ =]["']?)[^\s"']{4,}/gi, `$1${hidden}`],
  [/([?&](?:key|token|secret|signature|sig)=)[^\s"'&,;]{6,}/gi, `$1${hidden}`],
];

/** Hides what looks like a credential in the text of a failure: provider keys, bearer tokens, passwords in addresses. Linear. */
export const redact = (text: string): string =>
  secrets.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
