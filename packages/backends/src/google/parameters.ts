import { gather } from '../request-body.js';

/** Request parameters, under snake_case names. Source: `GenerateContentConfig` of @google/genai 2.32.0. */
export const parameters = [
  'cached_content',
  'frequency_penalty',
  'labels',
  'logprobs',
  'max_tokens',
  'media_resolution',
  'presence_penalty',
  'reasoning_effort',
  'response_logprobs',
  'safety_settings',
  'seed',
  'service_tier',
  'stop',
  'temperature',
  'thinking',
  'thinking_*',
  'tool_choice',
  'top_k',
  'top_p',
] as const;

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const modes: Record<string, string> = { auto: 'AUTO', required: 'ANY', any: 'ANY', none: 'NONE' };

const toToolConfig = (choice: unknown): unknown => {
  if (typeof choice !== 'string') return choice;
  const mode = modes[choice];
  return { functionCallingConfig: mode ? { mode } : { mode: 'ANY', allowedFunctionNames: [choice] } };
};

/**
 * Parameters as the config has them. `thinking_budget`, `thinking_level` and `reasoning_effort` make the thinking config; thoughts are
 * asked for wherever thinking is spoken of.
 */
export const toConfig = (given: Record<string, unknown>): Record<string, unknown> => {
  const { stop, max_tokens: limit, tool_choice: choice, reasoning_effort: effort, ...rest } = given;
  const { thinking, ...plain } = gather(rest, 'thinking') as { thinking?: Record<string, unknown> } & Record<
    string,
    unknown
  >;
  const thought = Object.entries({ ...(effort === undefined ? {} : { level: effort }), ...thinking });
  const names: Record<string, string> = {
    budget: 'thinkingBudget',
    level: 'thinkingLevel',
    include_thoughts: 'includeThoughts',
  };
  const config = Object.fromEntries(
    thought.map(([name, value]) => [
      names[name] ?? camel(name),
      name === 'level' ? String(value).toUpperCase() : value,
    ]),
  );
  return {
    ...Object.fromEntries(Object.entries(plain).map(([name, value]) => [camel(name), value])),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    ...(stop === undefined ? {} : { stopSequences: [stop].flat() }),
    ...(choice === undefined ? {} : { toolConfig: toToolConfig(choice) }),
    ...(thought.length > 0 ? { thinkingConfig: { includeThoughts: true, ...config } } : {}),
  };
};
