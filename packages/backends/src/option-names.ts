/** What values an option takes. */
export type OptionKind =
  | 'text'
  | 'count'
  | 'times'
  | 'amount'
  | 'sum'
  | 'duration'
  | 'flag'
  | 'headers'
  | 'prices'
  | 'any';

/** An option of the harness: its name in a call, its name in a chat's lines and in an endpoint's file, its values. */
export type OptionName = { name: string; written?: string; kind: OptionKind };

/** Options that the loop itself understands; none of them reaches a provider. Those without `written` exist in a call only. */
export const optionNames = [
  { name: 'backend', written: 'backend', kind: 'any' },
  { name: 'endpoint', written: 'endpoint', kind: 'text' },
  { name: 'model', written: 'model', kind: 'text' },
  { name: 'agent', written: 'agent', kind: 'text' },
  { name: 'format', written: 'format', kind: 'any' },
  { name: 'persist', written: 'persist', kind: 'any' },
  { name: 'promptStrategies', written: 'prompt_strategies', kind: 'any' },
  { name: 'maxRounds', written: 'max_rounds', kind: 'count' },
  { name: 'maxTokens', written: 'budget_tokens', kind: 'count' },
  { name: 'maxCost', written: 'max_cost', kind: 'sum' },
  { name: 'prices', written: 'prices', kind: 'prices' },
  { name: 'previousResponse', written: 'previous_response', kind: 'flag' },
  { name: 'previousResponseId', written: 'previous_response_id', kind: 'text' },
  { name: 'stream', written: 'stream', kind: 'flag' },
  { name: 'websearch', written: 'websearch', kind: 'flag' },
  { name: 'url', written: 'url', kind: 'text' },
  { name: 'key', written: 'key', kind: 'text' },
  { name: 'keyEnv', written: 'key_env', kind: 'text' },
  { name: 'keyCommand', written: 'key_command', kind: 'text' },
  { name: 'region', written: 'region', kind: 'text' },
  { name: 'headers', written: 'headers', kind: 'headers' },
  { name: 'timeout', written: 'timeout', kind: 'duration' },
  { name: 'maxRetries', written: 'max_retries', kind: 'times' },
  { name: 'concurrency', written: 'concurrency', kind: 'count' },
  { name: 'toolTimeout', written: 'tool_timeout', kind: 'amount' },
  { name: 'maxContentLength', written: 'max_content_length', kind: 'count' },
  { name: 'backends', kind: 'any' },
  { name: 'tools', kind: 'any' },
  { name: 'saveFile', kind: 'text' },
  { name: 'signal', kind: 'any' },
  { name: 'onDelta', kind: 'any' },
  { name: 'onEvent', kind: 'any' },
  { name: 'onProgress', kind: 'any' },
  { name: 'context', kind: 'any' },
  { name: 'steps', kind: 'any' },
  { name: 'before', kind: 'any' },
  { name: 'defaults', kind: 'any' },
  { name: 'ledger', kind: 'any' },
  { name: 'transcript', kind: 'text' },
  { name: 'mainChat', kind: 'text' },
  { name: 'onRecord', kind: 'any' },
] as const satisfies readonly OptionName[];

/** An option's name in a call. */
export type HarnessOption = (typeof optionNames)[number]['name'];
