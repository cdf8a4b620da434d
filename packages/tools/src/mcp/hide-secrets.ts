import { jsonText } from '../json-text.js';

const hidden = '[hidden]';

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
  return [...new Set(values.filter((value) => value.length >= 4))].sort((a, b) => b.length - a.length);
};

/** Replaces secrets in a text, also as they stand inside JSON. Linear in the text for each secret. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => {
    const quoted = JSON.stringify(secret).slice(1, -1);
    const plain = shown.replaceAll(secret, hidden);
    return quoted === secret ? plain : plain.replaceAll(quoted, hidden);
  }, text);

/** The same for any JSON value: a server that tells its environment does not tell a key to a model. */
export const hideSecretsIn = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return hideSecrets(value, secrets);
  if (secrets.length === 0 || value === undefined) return value;
  const text = jsonText(value) ?? 'null';
  const shown = hideSecrets(text, secrets);
  return shown === text ? value : JSON.parse(shown);
};
