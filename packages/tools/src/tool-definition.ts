import { toSentParameters } from './parameters.js';
import type { JsonSchema, Tool } from './tool.js';

/** What a provider is told of a tool. */
export type ToolDefinition = { name: string; description: string; parameters: JsonSchema };

/** A definition in the envelope that chat completions expect. */
export type EnvelopedDefinition = { type: 'function'; function: ToolDefinition };

/**
 * A tool as providers take it: name, description and parameters, without the inputs that `defaults` fix. With `envelope`, in
 * the `{type: "function", function}` form of chat completions.
 */
export function toolDefinition(tool: Omit<Tool, 'run'>, options: { envelope: true }): EnvelopedDefinition;
export function toolDefinition(tool: Omit<Tool, 'run'>, options?: { envelope?: false }): ToolDefinition;
export function toolDefinition(
  tool: Omit<Tool, 'run'>,
  options?: { envelope?: boolean },
): ToolDefinition | EnvelopedDefinition;
export function toolDefinition(tool: Omit<Tool, 'run'>, { envelope = false }: { envelope?: boolean } = {}) {
  const definition = { name: tool.name, description: tool.description, parameters: toSentParameters(tool.parameters) };
  return envelope ? { type: 'function', function: definition } : definition;
}
