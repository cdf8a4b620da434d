import { createHash } from 'node:crypto';
import { printCanonical } from './plain-value.js';
import type { Inputs } from './workflow.js';

/**
 * What makes a job that job: its task, all inputs with defaults filled in (plain values), and the digests of its dependencies by
 * the name in `needs`.
 */
export type Identity = {
  workflow: string;
  task: string;
  inputs: Inputs;
  dependencies: Record<string, string | readonly string[]>;
};

/**
 * The first 32 hex digits of the SHA-256 of the identity's canonical JSON. It depends on nothing else: not on the order of keys,
 * the process, the folder, or on files that a text happens to name.
 */
export const jobDigest = ({ workflow, task, inputs, dependencies }: Identity): string =>
  createHash('sha256')
    .update(printCanonical([[workflow, task], inputs, dependencies]))
    .digest('hex')
    .slice(0, 32);
