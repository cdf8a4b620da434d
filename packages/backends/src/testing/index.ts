export { type ConformanceCase, type ConformanceOptions, conformanceCases, runConformance } from './conformance.js';
export { rules } from './rules/index.js';
export {
  type Fault,
  type Manner,
  type RecordedRequest,
  type Script,
  type ScriptedReply,
  type ScriptedServer,
  scriptedServer,
} from './scripted-server.js';
export type { Stage, StartStage } from './stage.js';
export type { ReadRequest, ReadTurn, ScriptedCall, ScriptedContent, ScriptedUsage } from './wire.js';
export type { WireName } from './wires/index.js';
