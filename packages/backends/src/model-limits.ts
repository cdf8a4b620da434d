/** Where the output limits come from. */
export const limitsSource = { name: 'llm-info 1.0.69', date: '2026-05' };

export type ModelLimits = { provider: string; context: number; output?: number };

// `gpt-5-2025-08-07` and `claude-sonnet-4-5-20250929` have the limits of the name without its date.
const undated = (model: string): string => model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, '');

/** Limits of a model in tokens; `undefined` where the list has none by this name, with or without its date. */
export const findLimits = async (model: string, provider?: string): Promise<ModelLimits | undefined> => {
  const { ModelInfoMap } = await import('llm-info');
  const entries = Object.entries(ModelInfoMap);
  const [, info] = entries.find(([id]) => id === model) ?? entries.find(([id]) => undated(id) === undated(model)) ?? [];
  if (info === undefined || (provider !== undefined && info.provider !== provider)) return undefined;
  const { contextWindowTokenLimit: context, outputTokenLimit: output } = info;
  return { provider: info.provider, context, ...(output ? { output } : {}) };
};
