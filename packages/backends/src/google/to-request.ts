import type { Chat } from '@colophon/chat-format';
import { type Tool, toolDefinition } from '@colophon/tools';
import type { RequestOptions } from '../backend.js';
import { nothingToAsk } from '../errors.js';
import { layExtraBody, takeExtraBody } from '../request-body.js';
import { toTurns } from '../turns.js';
import { toWireName } from '../wire-names.js';
import { toConfig } from './parameters.js';
import { toContents } from './to-contents.js';

const toDeclaration = (tool: Tool) => {
  const { name, description, parameters } = toolDefinition(tool);
  return { name: toWireName(name), description: description ?? '', parametersJsonSchema: parameters };
};

const toFormat = (format: RequestOptions['format']) =>
  format === undefined
    ? {}
    : {
        responseMimeType: 'application/json',
        ...(format.kind === 'json_schema' ? { responseJsonSchema: format.schema } : {}),
      };

/**
 * A chat as what the SDK's `generateContent` takes; what came as `extra_body` is laid over the body that it makes. Source:
 * `GenerateContentParameters` of @google/genai 2.32.0; ai.google.dev/api/generate-content.
 */
export const toRequest = async (
  chat: Chat,
  tools: readonly Tool[],
  options: RequestOptions,
): Promise<Record<string, unknown>> => {
  const { own, extra } = takeExtraBody(options.parameters);
  const { system, contents } = await toContents(toTurns(chat), options.readBytes);
  if (contents.length === 0) throw nothingToAsk('The chat');
  const offered = [
    ...(tools.length > 0 ? [{ functionDeclarations: tools.map(toDeclaration) }] : []),
    ...(options.websearch ? [{ googleSearch: {} }] : []),
  ];
  return {
    model: options.model,
    contents,
    config: {
      ...(system.length > 0 ? { systemInstruction: { parts: system } } : {}),
      ...(offered.length > 0 ? { tools: offered } : {}),
      ...toFormat(options.format),
      ...toConfig(own),
      ...(Object.keys(extra).length > 0 ? { httpOptions: { extraBody: layExtraBody({}, extra) } } : {}),
    },
  };
};
