import { headOf } from '../well-formed.js';
import { hideSecrets } from './hide-secrets.js';
import type { Target } from './to-target.js';

const mostWarnings = 20;
const longestWarning = 300;

/** Tells what is odd about a server: without credentials, cut, and not without end where a server writes nothing but rubbish. */
export const createWarner = (
  { label, secrets }: Pick<Target, 'label' | 'secrets'>,
  onWarning: ((text: string) => void) | undefined,
) => {
  let told = 0;
  return (text: string): void => {
    told++;
    if (told > mostWarnings) return;
    const end = told === mostWarnings ? ' (no more is told of this server)' : '';
    try {
      onWarning?.(`MCP server ${label}: ${headOf(hideSecrets(text, secrets), longestWarning)}${end}`);
    } catch {
      // what only listens has no say in what becomes of a server
    }
  };
};
