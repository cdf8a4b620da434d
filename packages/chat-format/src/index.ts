export { ColophonError, type ErrorFacts } from './errors.js';
export type { Chat, Message, Position, PrintableMessage } from './message.js';
