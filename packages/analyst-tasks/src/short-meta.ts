import type { Meta } from '@colophon/chat-format';
import { fingerprint } from './text.js';

/** A meta with its long texts cut. */
export const shortMeta = (meta: Meta): Meta =>
  Object.fromEntries(
    Object.entries(meta).map(([key, value]) => [key, typeof value === 'string' ? fingerprint(value) : value]),
  );
