import { anthropic } from './anthropic.js';
import { bedrock } from './bedrock.js';
import { google } from './google.js';
import { ollama } from './ollama.js';
import { openai } from './openai.js';
import { responses } from './responses.js';

/** The wire formats that a scripted server speaks. */
export const wires = { openai, responses, anthropic, ollama, bedrock, google };

/** The name of a wire format. */
export type WireName = keyof typeof wires;
