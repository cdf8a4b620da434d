import type { Strategy } from '../strategy.js';

/** Leaves the chat as it is. */
export const none: Strategy = (chat) => chat;
