import { runConformance, type WireName } from '@colophon/backends/testing';
import { describe, test } from 'vitest';
import { anthropic } from '../src/anthropic/index.js';
import { ollama } from '../src/ollama/index.js';
import { openai } from '../src/openai/index.js';
import { responses } from '../src/responses/index.js';

describe.each([
  ['responses', responses],
  ['openai', openai],
  ['anthropic', anthropic],
  ['ollama', ollama],
] as const)('%s', (wire, backend) => {
  runConformance(backend, { test, wire: wire as WireName });
});
