import { resolve } from 'node:path';
import type { EvidenceAddress } from '@colophon/provenance';
import { badAddress } from './errors.js';
import type { AnalystContext } from './task.js';

/** Shows a path with `~` for the home folder. */
export const shortPath = (path: string, home: string | undefined): string =>
  home !== undefined && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;

/** The absolute path behind a shown one. */
export const longPath = (path: string, home: string | undefined): string =>
  home !== undefined && (path === '~' || path.startsWith('~/')) ? home + path.slice(1) : path;

/** The real path of a chat that an address names, short or long, through whatever links; as it is where nothing stands there. */
export const realPath = async (path: string, { home, reader, workingDirectory }: AnalystContext): Promise<string> => {
  const whole = resolve(workingDirectory, longPath(path, home));
  const place = await reader.look(whole);
  return typeof place === 'object' ? place.path : whole;
};

/** `path#index`, as indexes list messages and `message_content` takes them. */
export const printAddress = (path: string, index: number, home: string | undefined): string =>
  `${shortPath(path, home)}#${index}`;

/** Reads `path#index`, short or long; a path may itself hold `#`. Throws `bad_address`. */
export const parseAddress = (text: string, home: string | undefined): { path: string; index: number } => {
  const [, path, index] = /^(.+)#(\d+)$/s.exec(text) ?? [];
  if (path === undefined || index === undefined || !Number.isSafeInteger(Number(index))) throw badAddress(text);
  return { path: longPath(path, home), index: Number(index) };
};

/** An address of evidence with its path shown short. */
export const shortAddress = (address: EvidenceAddress, home: string | undefined): EvidenceAddress => {
  if (typeof address === 'string') return shortPath(address, home);
  const [path, ...rest] = address;
  return [shortPath(path, home), ...rest] as EvidenceAddress;
};

/** `path#index` of a message, `path#index[meta,entry]` of an entry of a receipt. */
export const printEvidenceAddress = (address: EvidenceAddress, home: string | undefined): string => {
  if (typeof address === 'string') return shortPath(address, home);
  const entry = address.length === 4 ? `[${address[2]},${address[3]}]` : '';
  return `${printAddress(address[0], address[1], home)}${entry}`;
};
