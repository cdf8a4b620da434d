import { readFile } from 'node:fs/promises';
import { ColophonError } from '@colophon/chat-format';
import { writeAtomically } from '@colophon/chat-format/node';
import { createColors } from 'picocolors';
import { defineCommand } from '../command.js';
import { configPath, readConfig, sameEntry, setEntry } from '../config-file.js';
import type { MachineContext } from '../context.js';
import { usageError } from '../errors.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

type Action = (words: string[], context: MachineContext, json: boolean) => Promise<void> | void;

const show: Action = (_, context, json) => {
  const entries = readConfig(context.roots);
  const { stdout, stderr } = context;
  if (json) return stdout.line(JSON.stringify(entries, null, 2));
  if (entries.length === 0)
    return stderr.line(
      `nothing is configured; \`colophon config set KEY VALUE\` writes ${configPath(context.userRoot)}`,
    );
  const rows = entries.map(({ key, value, tokens, file, line }) => [
    key,
    value,
    tokens.join(' '),
    `${shownPath(file, context)}:${line}`,
  ]);
  stdout.line(renderTable(['KEY', 'VALUE', 'TOKENS', 'FROM'], rows, { paint: createColors(stdout.color).dim }));
};

const get: Action = ([key, ...tokens], context, json) => {
  if (key === undefined) throw usageError('name the key to get', 'config');
  const found = readConfig(context.roots).find((entry) => sameEntry(entry, { key, tokens }));
  if (found === undefined)
    throw new ColophonError(
      'not_configured',
      `${[key, ...tokens].join(' ')} is not configured; \`colophon config\` lists what is`,
    );
  context.stdout.line(json ? JSON.stringify(found) : found.value);
};

const write = async (entry: { key: string; tokens: string[]; value?: string }, context: MachineContext) => {
  const file = configPath(context.userRoot);
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const after = setEntry(before, entry, file);
  if (after !== before) await writeAtomically(file, after);
  const { key, tokens, value } = entry;
  context.log(
    'info',
    `${shownPath(file, context)}: ${[key, ...tokens].join(' ')} ${value === undefined ? 'taken out' : `is ${value}`}`,
  );
};

const set: Action = ([key, value, ...tokens], context) => {
  if (key === undefined || value === undefined) throw usageError('name a key and its value', 'config');
  return write({ key, tokens, value }, context);
};

const unset: Action = ([key, ...tokens], context) => {
  if (key === undefined) throw usageError('name the key to take out', 'config');
  return write({ key, tokens }, context);
};

const actions: Readonly<Record<string, Action>> = { show, get, set, unset };

export const command = defineCommand({
  name: 'config',
  description:
    'Show or change the configuration: lines `key value token…` in etc/config of each root. `set` and `unset` change your own root (~/.colophon) only. Tokens narrow an entry to where they are asked for. Read are `endpoint` and `backend` (with the token ask: what asking falls back to) and the thresholds of prompt strategies by their names, such as `epoch_size`.',
  arguments: [
    { name: 'ACTION', description: 'what to do; show when absent', choices: Object.keys(actions), optional: true },
    {
      name: 'WORDS',
      description: 'get KEY [TOKEN…] | set KEY VALUE [TOKEN…] | unset KEY [TOKEN…]',
      optional: true,
      many: true,
    },
  ],
  options: [jsonOption],
  examples: [
    ['colophon config', 'everything that is configured, and where'],
    ['colophon config set endpoint local ask', 'ask the endpoint `local` unless another is named'],
    ['colophon config get endpoint ask', 'what was set'],
  ],
  run: ({ words: [action = 'show', ...words], options }, context) =>
    actions[action]!(words, context, options.json === true),
});
