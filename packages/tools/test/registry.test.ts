import { checkRegistry, defineTool, toolDefinition } from '@colophon/tools';
import { describe, expect, test } from 'vitest';
import { anyTool } from './run.js';

describe('a tool', () => {
  test('of the right shape is returned as it is', () => {
    const tool = anyTool('probe-2_x', () => 1);
    expect(defineTool(tool)).toBe(tool);
  });

  test.each([
    [{ name: 'has space' }, 'its name must be'],
    [{ name: '' }, 'its name must be'],
    [{ name: undefined }, 'its name must be'],
    [{ description: 5 }, 'its description must be a string'],
    [{ parameters: [] }, 'its parameters must be a JSON Schema object'],
    [{ run: 'x' }, 'its run must be a function'],
    [{ timeout: 0 }, 'its timeout must be'],
    [{ timeout: Number.NaN }, 'its timeout must be'],
  ])('with %o is an error that says what is wrong', (part, message) => {
    const tool = { ...anyTool('probe', () => 1), ...part } as never;
    expect(() => defineTool(tool)).toThrow(
      expect.objectContaining({ code: 'invalid_tool', message: expect.stringContaining(message) }),
    );
  });
});

test('two tools of one name are an error that names both origins', () => {
  const tools = [
    anyTool('survey', () => 1, { origin: 'main.chat:3 tool: Atlas' }),
    anyTool('dig', () => 1),
    anyTool('survey', () => 1),
  ];
  expect(() => checkRegistry(tools)).toThrow(
    expect.objectContaining({
      code: 'duplicate_tool',
      message: expect.stringMatching(/`survey`.*main\.chat:3 tool: Atlas.*the tools given in code.*as=other_name/),
    }),
  );
});

describe('a definition', () => {
  const tool = anyTool('probe', () => 1, {
    description: 'd',
    parameters: {
      type: 'object',
      properties: { site: { type: 'string' }, depth: { type: 'integer', default: 1 } },
      required: ['site', 'depth'],
      additionalProperties: false,
      defaults: { site: 'east' },
    },
  });
  const definition = {
    name: 'probe',
    description: 'd',
    parameters: {
      type: 'object',
      properties: { depth: { type: 'integer', default: 1 } },
      required: ['depth'],
      additionalProperties: false,
    },
  };

  test('is name, description and parameters, without fixed inputs', () => {
    expect(toolDefinition(tool)).toEqual(definition);
  });

  test('comes in an envelope where that is asked for', () => {
    expect(toolDefinition(tool, { envelope: true })).toEqual({ type: 'function', function: definition });
  });

  test('of a tool without parameters is an empty object', () => {
    expect(toolDefinition(anyTool('x', () => 1, { parameters: {} })).parameters).toEqual({
      type: 'object',
      properties: {},
    });
  });
});
