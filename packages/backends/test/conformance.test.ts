import { backends } from '@colophon/backends';
import { runConformance, type WireName } from '@colophon/backends/testing';
import { describe, test } from 'vitest';

const names: WireName[] = ['responses', 'openai', 'anthropic', 'ollama'];

describe.each(await Promise.all(names.map(async (name) => ({ name, backend: await backends[name]() }))))(
  '$name',
  ({ name, backend }) => {
    runConformance(backend, { test, wire: name });
  },
);
