import { isRecord } from '../shape.js';

/** Request parameters under common names, and Converse's own. Source: `ConverseRequest` of @aws-sdk/client-bedrock-runtime 3.1164.0. */
export const parameters = [
  'additional_model_request_fields',
  'additional_model_response_field_paths',
  'guardrail_config',
  'max_tokens',
  'performance_config',
  'reasoning_effort',
  'request_metadata',
  'service_tier',
  'stop',
  'temperature',
  'thinking',
  'tool_choice',
  'top_k',
  'top_p',
] as const;

const inference: Record<string, string> = { max_tokens: 'maxTokens', temperature: 'temperature', top_p: 'topP' };

const own: Record<string, string> = {
  additional_model_response_field_paths: 'additionalModelResponseFieldPaths',
  guardrail_config: 'guardrailConfig',
  performance_config: 'performanceConfig',
  request_metadata: 'requestMetadata',
  service_tier: 'serviceTier',
};

const renamed = (given: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (names[name] ? [[names[name], value]] : [])));

const toToolChoice = (choice: unknown): unknown => {
  if (choice === 'required') return { any: {} };
  if (choice === 'auto' || choice === 'any') return { [choice]: {} };
  return typeof choice === 'string' ? { tool: { name: choice } } : choice;
};

// What only some models know goes to the model as it is.
const toModelFields = ({
  top_k,
  thinking,
  reasoning_effort: effort,
  additional_model_request_fields: more,
}: Record<string, unknown>) => ({
  ...(top_k === undefined ? {} : { top_k }),
  ...(thinking === undefined ? {} : { thinking }),
  ...(effort === undefined ? {} : { reasoning_effort: effort }),
  ...(isRecord(more) ? more : {}),
});

/** Parameters under the names that Converse knows, and the choice of a tool, which stands with the tools. */
export const toParameters = (
  given: Record<string, unknown>,
): { body: Record<string, unknown>; toolChoice?: unknown } => {
  const { stop, tool_choice: choice } = given;
  const config = { ...renamed(given, inference), ...(stop === undefined ? {} : { stopSequences: [stop].flat() }) };
  const fields = toModelFields(given);
  const { service_tier: tier, ...plain } = given;
  return {
    body: {
      ...(Object.keys(config).length > 0 ? { inferenceConfig: config } : {}),
      ...(Object.keys(fields).length > 0 ? { additionalModelRequestFields: fields } : {}),
      ...renamed(plain, own),
      ...(tier === undefined ? {} : { serviceTier: typeof tier === 'string' ? { type: tier } : tier }),
    },
    ...(choice === undefined || choice === 'none' ? {} : { toolChoice: toToolChoice(choice) }),
  };
};
