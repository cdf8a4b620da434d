// Loaded when something is written: a module of its own, so that reading does not load what writing needs.
export { writeAtomically } from '@colophon/chat-format/node';
