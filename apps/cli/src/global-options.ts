import type { OptionSpec } from './command.js';

/** Options that every command understands, before or after its name. None of them reaches a provider. */
export const globalOptions = [
  { name: 'endpoint', short: 'e', value: 'NAME', description: 'endpoint to ask', complete: 'endpoint' },
  { name: 'model', short: 'm', value: 'NAME', description: 'model to ask' },
  { name: 'backend', short: 'b', value: 'NAME', description: 'backend to ask with', complete: 'backend' },
  { name: 'root', value: 'DIR', description: 'search this folder first (COLOPHON_ROOT)' },
  {
    name: 'log-level',
    value: 'LEVEL',
    choices: ['debug', 'info', 'warn', 'error'],
    description: 'how much to tell on standard error',
  },
  { name: 'verbose', description: 'show the causes of an error' },
  { name: 'help', short: 'h', description: 'show this help' },
] as const satisfies readonly OptionSpec[];
