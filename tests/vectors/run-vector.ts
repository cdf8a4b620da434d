import { rm } from 'node:fs/promises';
import { ColophonError } from '@colophon/chat-format';
import { match } from './cases/match.mjs';
import { expand, freshRoot, layOut } from './expand.js';
import { operations } from './operations/index.js';
import type { Outcome, Vector } from './vector.js';

/** An error as a vector sees it, with the requests that were made before it. */
const errorResult = (error: unknown): { error: { class: string; message: string }; requests?: unknown } => {
  const message = error instanceof Error ? error.message : String(error);
  const name = error instanceof ColophonError ? (error.code === 'aborted' ? 'Aborted' : 'ParameterException') : 'Error';
  const requests = (error as { requests?: unknown } | undefined)?.requests;
  return { error: { class: name, message }, ...(requests === undefined ? {} : { requests }) };
};

/** Milliseconds after which a vector has failed. */
const timeLimit = 60_000;

const tooLong = (milliseconds: number): { promise: Promise<never>; stop: () => void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${milliseconds / 1000} s`)), milliseconds);
  });
  return { promise, stop: () => clearTimeout(timer) };
};

/** Runs one vector in a directory of its own. An operation that nobody knows is a failure. */
export const runVector = async (vector: Vector): Promise<Outcome> => {
  const operation = operations[vector.input.op];
  if (!operation) return { kind: 'failed', mismatches: [`unknown operation ${vector.input.op}`] };
  const root = await freshRoot();
  const limit = tooLong(timeLimit);
  try {
    const input = expand(vector.input, root);
    await layOut(input, root, vector.tree);
    const run = async () => operation(input, { root });
    const result = await Promise.race([run(), limit.promise]).catch(errorResult);
    const plain: unknown = JSON.parse(JSON.stringify(result ?? null));
    const mismatches = match(expand(vector.expect, root), plain);
    return mismatches.length === 0 ? { kind: 'passed' } : { kind: 'failed', mismatches };
  } finally {
    limit.stop();
    await rm(root, { recursive: true, force: true });
  }
};
