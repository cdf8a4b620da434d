import { runCli } from '../../../apps/cli/test/built-cli.js';
import type { Operation } from '../vector.js';

/** The built command line, as a process of its own. It writes no colours where nobody watches. */
export const prov: Record<string, Operation> = {
  prov: async ({ args }, { root }) => {
    const { code, stdout, stderr } = await runCli(['prov', ...args], { cwd: root });
    return { exit: code, stdout, stderr };
  },
};
