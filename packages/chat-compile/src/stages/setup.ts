import { chat as annotated } from '@colophon/chat-format';
import type { Stage } from '../context.js';

/** Puts the verbs of a chat on the array. */
export const setup: Stage = (chat) => annotated(chat);
