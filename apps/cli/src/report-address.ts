import type { ReportPage } from './report-page.js';

/** An address of evidence as text: `path#message`, `path#message[meta,entry]` of an entry of a receipt, or a path alone. */
export const printAddress = ([path, message, field, entry]: readonly (string | number)[]): string =>
  `${path}${message === undefined ? '' : `#${message}`}${field === undefined ? '' : `[${field},${entry}]`}`;

/** An address or a path of a report as this place would write it; undefined where there is none. */
export const printPlace = (
  address: string | readonly (string | number)[] | null | undefined,
  page: ReportPage,
): string | undefined =>
  address === undefined || address === null
    ? undefined
    : page.place(typeof address === 'string' ? address : printAddress(address));

/** The number of a message in a chat that is named beside it: `#12`. */
export const printIndex = (address: string | null | undefined): string | undefined =>
  address?.slice(address.lastIndexOf('#'));
