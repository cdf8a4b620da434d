import { type AnnotatedChat, chat as annotated, type Chat } from '@colophon/chat-format';

/** Puts the verbs of a chat on the array. */
export const setup = (chat: Chat): AnnotatedChat => annotated(chat);
