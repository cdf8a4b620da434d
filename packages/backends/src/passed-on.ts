import type { AskOptions } from './ask-options.js';
import type { HarnessOption } from './option-names.js';
import type { ResolvedOptions } from './resolve-options.js';

// What belongs to one conversation, or to one call.
const ofSession: HarnessOption[] = [
  'agent',
  'before',
  'defaults',
  'format',
  'ledger',
  'mainChat',
  'maxCost',
  'maxTokens',
  'onDelta',
  'onEvent',
  'onProgress',
  'onRecord',
  'previousResponse',
  'previousResponseId',
  'saveFile',
  'signal',
  'steps',
  'tools',
  'transcript',
  'websearch',
  'context',
];

/**
 * The options that a run gives to those that its tools begin: the way to the provider as it was resolved (so that nothing that an
 * untrusted chat said counts as the user's word), the model, the parameters; nothing of the session.
 */
export const passedOn = ({ backend, model, credentials, parameters, thresholds, own }: ResolvedOptions): AskOptions => {
  const { url, key, headers, timeout } = credentials;
  const rest = Object.entries(own).filter(([name]) => !ofSession.includes(name as HarnessOption));
  return {
    ...parameters,
    ...thresholds,
    ...Object.fromEntries(rest),
    backend,
    model,
    ...(url === undefined ? {} : { url }),
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers }),
    ...(timeout === undefined ? {} : { timeout }),
  };
};
