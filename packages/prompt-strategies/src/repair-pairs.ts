import type { Chat } from '@colophon/chat-format';
import type { StrategyContext } from './strategy.js';
import { addMessages, isGroup, toolGroups } from './tool-groups.js';

/**
 * Makes a chat one that a provider accepts: each call is followed by its output with nothing between them, and no id stands
 * twice. A well-formed chat stays as it is, message by message. Linear in the size of the chat.
 */
export const repairPairs = (chat: Chat, context: StrategyContext = {}): Chat => {
  const repaired: Chat = [];
  for (const part of toolGroups(chat, context).parts) {
    if (isGroup(part)) addMessages(repaired, part);
    else repaired.push(part);
  }
  return repaired;
};
