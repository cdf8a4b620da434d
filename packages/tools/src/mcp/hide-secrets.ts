import { jsonText } from '../json-text.js';

const hidden = '[hidden]';

// Switches of a name such as `USE_TOKEN`.
const isSwitch = (value: string): boolean => /^(?:true|false|null|none|auto)$/i.test(value);

const isCredentialName = (name: string): boolean => /key|token|secret|pass|auth|cred|cookie/i.test(name);

/** The values of settings that must never be shown: key, headers, and environment variables whose name tells a credential. */
export const secretsOf = (settings: {
  key?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  env?: Readonly<Record<string, string>> | undefined;
}): string[] => {
  const headers = Object.values(settings.headers ?? {});
  const values = [
    settings.key ?? '',
    ...headers,
    ...headers.map((value) => value.replace(/^\w+ +/, '')),
    ...Object.entries(settings.env ?? {})
      .filter(([name]) => isCredentialName(name))
      .map(([, value]) => value),
  ];
  return [...new Set(values.filter((value) => value.length >= 4 && !isSwitch(value)))].sort(
    (a, b) => b.length - a.length,
  );
};

/** Replaces secrets in a text, also as they stand inside JSON. Linear in the text for each secret. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => {
    const quoted = JSON.stringify(secret).slice(1, -1);
    const plain = shown.replaceAll(secret, hidden);
    return quoted === secret ? plain : plain.replaceAll(quoted, hidden);
  }, text);

/** The same for any JSON value, names and numbers of it too: a server that tells its environment does not tell a key to a model. */
export const hideSecretsIn = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return hideSecrets(value, secrets);
  if (secrets.length === 0 || value === undefined) return value;
  const text = jsonText(value) ?? 'null';
  if (hideSecrets(text, secrets) === text) return value;
  // Part by part: in the text a secret such as `1234` may be a part of what is no text.
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part === 'string') return hideSecrets(part, secrets);
    if (typeof part === 'number') return secrets.includes(String(part)) ? hidden : part;
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [hideSecrets(name, secrets), inner]));
  });
};
