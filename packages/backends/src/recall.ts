import type { Reply } from './backend.js';
import { type CachedInference, pruneCache, readCached, writeCached } from './cache.js';
import { cacheKey } from './cache-key.js';
import { prepare } from './prepare.js';
import type { Received } from './request.js';
import type { Run } from './run.js';
import { tellWhole } from './tell.js';

const cacheOf = ({ options, context }: Run) => (options.persist ? context.cache : undefined);

/**
 * A finished inference of the same request, where answers are kept. It takes no note from the inbox. The key of the request is
 * kept for `request`.
 */
export const recall = async (run: Run): Promise<Received | undefined> => {
  const place = cacheOf(run);
  if (!place) return undefined;
  const prompt = await prepare(run, { chat: run.chat, known: 0 }, { quiet: true });
  run.cacheKey = await cacheKey(run, prompt);
  const found = await readCached(place, run.cacheKey, run.context.now());
  if (!found) return undefined;
  tellWhole(run, found.reply, { text: false });
  return { ...found.reply, inferenceId: found.inferenceId, timestamp: run.context.now().toISOString(), cached: true };
};

const isWhole = ({ stopReason }: Reply): boolean =>
  stopReason === undefined || stopReason === 'stop' || stopReason === 'tool_calls';

const withoutCarry = <T extends object>(part: T): T => {
  const { carry: _, ...rest } = part as T & { carry?: unknown };
  return rest as T;
};

/** Keeps a finished inference, where answers are kept; one that answers a note of the inbox is not asked for again. */
export const keep = async (run: Run, received: Received): Promise<void> => {
  const place = cacheOf(run);
  const { inferenceId, timestamp, notes = [], cached: _, ...reply } = received;
  if (!place || run.cacheKey === undefined || notes.length > 0 || !isWhole(reply)) return;
  const { backend, model } = run.options;
  const plain = { ...reply, messages: reply.messages.map(withoutCarry), calls: reply.calls.map(withoutCarry) };
  const inference: CachedInference = {
    version: 1,
    backend: backend.name,
    model,
    inferenceId,
    timestamp,
    reply: plain,
  };
  try {
    await writeCached(place, run.cacheKey, inference, run.context.randomId());
    if (run.rounds === 1) await pruneCache(place, run.context.now());
  } catch (error) {
    run.warnings.push({
      code: 'cache_failed',
      message: `The answer was not kept in ${place.folder}: ${error instanceof Error ? error.message : error}`,
    });
  }
};
