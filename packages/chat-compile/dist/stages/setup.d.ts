import { type AnnotatedChat, type Chat } from '@colophon/chat-format';
/** Puts the verbs of a chat on the array. */
export declare const setup: (chat: Chat) => AnnotatedChat;
