import { badOption } from './errors.js';

const parse = (text: string): URL | undefined => {
  try {
    return new URL(text.includes('://') ? text : `http://${text}`);
  } catch {
    return undefined;
  }
};

// http://user:p@ss/word@host    the password ends the name of the host too early
//        ^ user:p@ss
const isAmbiguous = ({ username, password, pathname, search, hash }: URL): boolean =>
  username + password !== '' && `${pathname}${search}${hash}`.includes('@');

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const withoutUserinfo = (text: string): string => text.replace(/^((?:[^:/?#]*:\/\/)?)[^/?#]*@/, '$1');

/** Takes `user:password@` out of an address, as the header that says the same. Throws `bad_option`, without the address. */
export const takeUserinfo = (text: string, source: string): { url: string; authorization?: string } => {
  if (!text.includes('@')) return { url: text };
  const url = parse(text);
  if (!url || isAmbiguous(url))
    throw badOption(
      'url',
      text,
      'an address in whose password `@`, `:`, `/`, `?`, `#` are written %40, %3A, %2F, %3F, %23',
      source,
    );
  const { username, password } = url;
  if (username + password === '') return { url: text };
  const pair = `${decode(username)}:${decode(password)}`;
  return { url: withoutUserinfo(text), authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
};

/** An address as it may be shown: without user, password and query. */
export const shownAddress = (text: string): string => {
  const url = parse(text);
  if (!url || isAmbiguous(url)) return text.includes('@') ? '[hidden]' : text.replace(/[?#].*/s, '');
  const path = text.replace(/[?#].*/s, '');
  const plain = withoutUserinfo(path);
  return plain === path ? path : plain.replace(/^(?:[^:/?#]*:\/\/)?/, '$&[hidden]@');
};

/** The address of an HTTP API, and its query apart, since paths are put behind it. Throws `bad_option`. */
export const toBaseUrl = (text: string, backend: string): { base: string; query: Record<string, string> } => {
  const url = parse(text);
  if (!url || !/^https?:\/\//i.test(text))
    throw badOption('url', shownAddress(text), 'an address that begins with http:// or https://', backend);
  return { base: text.replace(/[?#].*/s, '').replace(/\/+$/, ''), query: Object.fromEntries(url.searchParams) };
};

/** Values that stand in the query of an address. */
export const queryValues = (text: string): string[] => [...(parse(text)?.searchParams.values() ?? [])];
