import type { Message } from '@colophon/chat-format';
import { unreadableAttachment } from './errors.js';

/** An attachment as requests need it: an address that the provider fetches, or the bytes in base64. */
export type Attachment =
  | { kind: 'url'; url: string }
  | { kind: 'data'; mediaType: string; base64: string; name: string };

const latin = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** The media type by the first bytes of a file; undefined for what no provider takes. */
export const mediaTypeOf = (bytes: Uint8Array): string | undefined => {
  if (latin(bytes, 0, 4) === '\x89PNG') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (latin(bytes, 0, 4) === 'GIF8') return 'image/gif';
  if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'image/webp';
  if (latin(bytes, 0, 5) === '%PDF-') return 'application/pdf';
  return undefined;
};

/** A data URI of base64, by index search: its body may be megabytes. */
const readDataUri = (message: Message, name: string): Attachment => {
  const { content } = message;
  const comma = content.indexOf(',');
  const head = content.slice(5, comma === -1 ? 0 : Math.min(comma, 200));
  if (!/;base64$/i.test(head))
    throw unreadableAttachment(
      message,
      "is a data URI of a form that providers don't take: expected data:TYPE;base64,…",
    );
  return { kind: 'data', mediaType: head.split(';')[0]?.toLowerCase() ?? '', base64: content.slice(comma + 1), name };
};

const readFile = async (
  message: Message,
  path: string,
  readBytes: (path: string) => Promise<Uint8Array>,
): Promise<Attachment> => {
  let bytes: Uint8Array;
  try {
    bytes = await readBytes(path);
  } catch (cause) {
    throw unreadableAttachment(message, "can't be read", cause);
  }
  const mediaType = mediaTypeOf(bytes);
  const wanted = message.role === 'pdf' ? 'application/pdf' : 'image/';
  if (!mediaType?.startsWith(wanted)) {
    throw unreadableAttachment(message, message.role === 'pdf' ? 'is no PDF' : 'is no PNG, JPEG, GIF or WebP image');
  }
  return {
    kind: 'data',
    mediaType,
    base64: Buffer.from(bytes).toString('base64'),
    name: path.split(/[\\/]/).at(-1) || message.role,
  };
};

/**
 * What an `image` or `pdf` message names: an `http(s)` address as it is, a data URI taken apart, a file read by `readBytes`.
 * Throws `unreadable_attachment`.
 */
export const readAttachment = async (
  message: Message,
  readBytes?: (path: string) => Promise<Uint8Array>,
): Promise<Attachment> => {
  const text = message.content.trim();
  if (/^https?:\/\//i.test(text)) return { kind: 'url', url: text };
  if (/^data:/i.test(text))
    return readDataUri({ ...message, content: text }, message.role === 'pdf' ? 'document.pdf' : 'image');
  if (!readBytes) throw unreadableAttachment(message, 'is a file, and the context has no `readBytes` to read it with');
  return readFile(message, text, readBytes);
};

/** An attachment as one address: its own, or a data URI. */
export const toUri = (attachment: Attachment): string =>
  attachment.kind === 'url' ? attachment.url : `data:${attachment.mediaType};base64,${attachment.base64}`;
