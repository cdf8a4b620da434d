import { toJsonSchema } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const schemaOf = async (format: Parameters<typeof toJsonSchema>[0]) => {
  const result = await toJsonSchema(format);
  return result.kind === 'json_schema' ? result.schema : result.kind;
};

test('json and json_object ask for any object', async () => {
  for (const format of [
    'json',
    'json_object',
    ' json ',
    { type: 'json_object' },
    { format: { type: 'json_object' } },
  ]) {
    expect(await toJsonSchema(format)).toEqual({ kind: 'json_object' });
  }
});

describe('the short form', () => {
  test('properties without a default are required, others are forbidden', async () => {
    expect(
      await toJsonSchema({
        ok: 'boolean',
        note: ['string', 'short', '-'],
        tags: ['string[]', 'some'],
        n: ['integer', '', 0],
      }),
    ).toEqual({
      kind: 'json_schema',
      name: 'response',
      schema: {
        type: 'object',
        properties: {
          ok: { type: 'boolean' },
          note: { type: 'string', description: 'short', default: '-' },
          tags: { type: 'array', items: { type: 'string' }, description: 'some' },
          n: { type: 'integer', default: 0 },
        },
        required: ['ok', 'tags'],
        additionalProperties: false,
      },
    });
  });

  test('as text, with unquoted words, as a person writes it in a chat', async () => {
    expect(await schemaOf('{ok: boolean, note: [string, "short", "-"]}')).toEqual(
      await schemaOf({ ok: 'boolean', note: ['string', 'short', '-'] }),
    );
    expect(await schemaOf('{"a": "number"}')).toEqual(await schemaOf({ a: 'number' }));
  });

  test('nested, with schemas inside, with a name', async () => {
    expect(
      await toJsonSchema({
        name: 'trip plan',
        from: { town: 'string' },
        price: { type: 'number', minimum: 0 },
        grid: 'integer[][]',
      }),
    ).toMatchObject({
      name: 'trip_plan',
      schema: {
        properties: {
          from: { type: 'object', required: ['town'] },
          price: { type: 'number', minimum: 0 },
          grid: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
        },
        required: ['from', 'price', 'grid'],
      },
    });
  });

  test('words that are also keywords of JSON Schema are properties where they can be nothing else', async () => {
    expect(await schemaOf({ type: 'string', size: 'integer' })).toMatchObject({ required: ['type', 'size'] });
    expect(await schemaOf({ name: 'string', age: 'integer' })).toMatchObject({ required: ['name', 'age'] });
    expect(await schemaOf({ properties: 'string', enum: ['string', 'which'] })).toMatchObject({
      required: ['properties', 'enum'],
    });
  });
});

describe('a JSON Schema passes as it is', () => {
  test.each([
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    { type: 'array', items: { type: 'number' } },
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { enum: ['a', 'b'] },
    { const: 3 },
    { $ref: '#/$defs/x', $defs: { x: { type: 'string' } } },
  ])('%j', async (schema) => {
    expect(await schemaOf(schema)).toEqual(schema);
  });

  test('with the name that it has', async () => {
    expect(await toJsonSchema({ title: 'A point', type: 'object' })).toMatchObject({ name: 'A_point' });
    const inner = { name: 'p', schema: { type: 'object' } };
    for (const format of [
      { type: 'json_schema', ...inner },
      { type: 'json_schema', json_schema: inner },
      { format: { type: 'json_schema', ...inner } },
    ]) {
      expect(await toJsonSchema(format)).toEqual({ kind: 'json_schema', name: 'p', schema: { type: 'object' } });
    }
  });

  test('a zod schema becomes one, by what it takes', async () => {
    expect(
      await schemaOf(z.object({ a: z.string().optional(), b: z.number().default(1), c: z.enum(['x', 'y']) })),
    ).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number', default: 1 }, c: { enum: ['x', 'y'] } },
      required: ['c'],
    });
  });
});

test('anything else says what was received and what is expected', async () => {
  for (const format of [
    'xml',
    '',
    '[1]',
    '{a: ',
    '{a: wat}',
    { a: 'wat' },
    { a: ['wat'] },
    { a: 3 },
    [],
    7,
    z.custom(() => true),
    { type: 'json_schema' },
  ]) {
    await expect(toJsonSchema(format as never)).rejects.toMatchObject({
      code: 'bad_format',
      message: expect.stringContaining('Expected `json`'),
    });
  }
});
