export { aiSdk } from './ai-sdk/index.js';
export type { LanguageModel } from './ai-sdk/language-model.js';
export type { Answer, AskEvent, Warning } from './answer.js';
export { ask } from './ask.js';
export { askObject, type ObjectAnswer } from './ask-object.js';
export type { AskInput, AskOptions, Messages } from './ask-options.js';
export { askStream } from './ask-stream.js';
export { type AskVerbs, askable } from './askable.js';
export type {
  Backend,
  Capabilities,
  Credentials,
  Delta,
  DirectBackend,
  EmbedContext,
  Embeddings,
  ImageOptions,
  Reply,
  ReplyCall,
  ReplyPosition,
  RequestOptions,
  SendContext,
  StopReason,
  WireBackend,
} from './backend.js';
export { type BackendTable, backends } from './backends.js';
export { type CacheEntry, type CachePlace, clearCache, listCache } from './cache.js';
export { checkEndpoint, type EndpointCheck } from './check-endpoint.js';
export type { AskAgent, AskContext, Root } from './context.js';
export { type CreatedImage, createImage } from './create-image.js';
export { defineBackend } from './define-backend.js';
export { type Embedded, embed, type Near, nearest } from './embed.js';
export { type Endpoint, readEndpoint } from './endpoints.js';
export { type Format, type FormatInput, toJsonSchema } from './format.js';
export { createJobsFiles, type WaitForJob } from './jobs-file.js';
export { keepRecord } from './keep-record.js';
export { keepReset } from './keep-reset.js';
export { createLedger, type Ledger } from './ledger.js';
export { type EndpointInfo, listEndpoints } from './list-endpoints.js';
export { type LoopSteps, loopSteps } from './loop.js';
export { costOf, type ModelFacts, type ModelName, modelFacts, type Prices } from './models.js';
export { type Preview, previewRequest } from './preview.js';
export { readConversation } from './read-conversation.js';
export type { ScriptedReply } from './replay/read-script.js';
export { type ReplayOptions, replay } from './replay/replay.js';
export type { Run } from './run.js';
export type { RunToolContext } from './tool-context.js';
export type { Measure } from './vector.js';
