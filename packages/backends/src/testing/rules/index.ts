import type { WireName } from '../wires/index.js';
import { anthropic } from './anthropic.js';
import { bedrock } from './bedrock.js';
import { google } from './google.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import { responses } from './responses.js';
import type { Rules } from './rule.js';

/** What each provider would refuse a request for. */
export const rules = { openai, responses, anthropic, ollama, bedrock, google } satisfies Record<WireName, Rules>;
