export type { Address, EntryAddress } from './address.js';
export { annotate, unannotate } from './annotate.js';
export type { AnnotatedChat, ChatVerbs, Inputs } from './chat-verbs.js';
export { checkChat, fixChat, type Problem, type ProblemCode } from './check-chat.js';
export { nextMeta, takeMeta } from './checkpoints.js';
export { chat } from './dsl.js';
export { ColophonError, type ErrorFacts } from './errors.js';
export { type IndexEntry, lineageId, messageIndex, type Segment, traceSegments } from './lineage.js';
export type { Chat, Message, Position, PrintableMessage } from './message.js';
export { type Meta, parseMeta, printMeta } from './meta.js';
export { type ParseOptions, parseChat } from './parse-chat.js';
export { parseJson } from './parse-json.js';
export { printChat } from './print-chat.js';
export { printTokens } from './print-tokens.js';
export { project } from './project.js';
export {
  type ChatMetaRecord,
  metaEvidence,
  type ReceiptJobReference,
  type ReceiptRecord,
  type ReceiptWarning,
  receiptEvidence,
  receiptJobReferences,
} from './receipts.js';
export { isDirective, type Role, type RoleGroup, roles } from './roles.js';
export { pairToolCalls, type ToolCallPair, type ToolCallStatus, toolCallStatus } from './tool-calls.js';
export { type ParsedCall, type ParsedOutput, parseCall, parseOutput, printCall } from './tool-messages.js';
export { normalizeUsage, sumTokens, type TokenField, type Tokens, tokenFields } from './usage.js';
