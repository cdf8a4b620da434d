import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import { doctorChecks, type Finding } from '../doctor-checks.js';
import { jsonOption } from '../write-result.js';

const marks: Readonly<Record<Finding['state'], string>> = { good: '✓', note: '·', bad: '✗' };

export const command = defineCommand({
  name: 'doctor',
  description:
    'Check the installation: Node, the roots and whether they may be written, endpoints and keys (by name only), the packages that are loaded when they are used, locks that a killed run left. Exit code 1 when something has to be done.',
  options: [jsonOption],
  examples: [['colophon doctor', 'is everything in order?']],
  run: async ({ options }, context) => {
    const { stdout } = context;
    const findings = await doctorChecks(context);
    const isBad = findings.some(({ state }) => state === 'bad');
    if (options.json) stdout.line(JSON.stringify({ good: !isBad, findings }, null, 2));
    else {
      const { green, yellow, red, dim } = createColors(stdout.color);
      const paint = { good: green, note: yellow, bad: red };
      const widest = Math.max(...findings.map(({ about }) => about.length));
      for (const { about, state, said, action } of findings) {
        stdout.line(
          `${paint[state](marks[state])} ${about.padEnd(widest)}  ${dim(said)}${action ? `\n    ${red('→')} ${action}` : ''}`,
        );
      }
    }
    return isBad ? 1 : 0;
  },
});
