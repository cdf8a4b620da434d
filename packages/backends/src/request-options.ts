import type { RequestOptions } from './backend.js';
import { positionOf } from './position.js';
import type { Prompt } from './prepare.js';
import type { Run } from './run.js';
import { readEnding } from './unfinished.js';

// Texts of a reply that was cut off are no reply: it is asked for again.
const positionIn = ({ input, fresh }: Run) => {
  const stored = [...input.stored, ...input.question];
  const torn = new Set(readEnding(stored, input).torn);
  return positionOf([...stored.filter((message) => !torn.has(message)), ...fresh]);
};

/** What a backend gets beside the prompt. */
export const requestOptions = (run: Run, prompt: Prompt): RequestOptions => {
  const { options, context, promptCacheKey } = run;
  const { previousResponseId } = prompt.view;
  return {
    model: options.model,
    parameters: { ...options.parameters },
    boundaries: prompt.boundaries,
    position: positionIn(run),
    readBytes: (path) => context.files.readBytes(path),
    ...(options.format ? { format: options.format } : {}),
    ...(options.own.websearch === true ? { websearch: true } : {}),
    ...(promptCacheKey === undefined || options.credentials.url !== undefined ? {} : { promptCacheKey }),
    ...(previousResponseId === undefined ? {} : { previousResponseId }),
  };
};
