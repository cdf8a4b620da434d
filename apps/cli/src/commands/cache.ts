import { clearCache, listCache } from '@colophon/backends';
import { createColors } from 'picocolors';
import { cachePlace } from '../cache-place.js';
import { defineCommand } from '../command.js';
import { usageError } from '../errors.js';
import { printBytes } from '../print-bytes.js';
import { shownPath } from '../shown-path.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

const dayMilliseconds = 86_400_000;

export const command = defineCommand({
  name: 'cache',
  description:
    'List or clear the answers that `ask --persist` keeps. An answer is found again for the same backend, model, request and tools; keys are no part of it.',
  arguments: [
    { name: 'ACTION', description: 'what to do; list when absent', choices: ['list', 'clear'], optional: true },
  ],
  options: [
    { name: 'older-than', value: 'DAYS', description: 'clear: only what is older than this many days' },
    jsonOption,
  ],
  examples: [
    ['colophon cache', 'what is kept, and how large it is'],
    ['colophon cache clear --older-than 7', 'remove what is older than a week'],
  ],
  run: async ({ words: [action = 'list'], options }, context) => {
    const place = cachePlace(context);
    const { stdout, stderr, now } = context;
    const days = options['older-than'] === undefined ? undefined : Number(options['older-than']);
    if (days !== undefined && !(days >= 0))
      throw usageError(`--older-than ${options['older-than']}: expected a number of days`, 'cache');
    if (action === 'clear') {
      const before = days === undefined ? {} : { before: new Date(now().getTime() - days * dayMilliseconds) };
      const cleared = await clearCache(place, before);
      stdout.line(
        options.json
          ? JSON.stringify({ ...cleared, folder: place.folder })
          : `removed ${cleared.removed} (${printBytes(cleared.bytes)})`,
      );
      return;
    }
    const entries = await listCache(place);
    if (options.json) return stdout.line(JSON.stringify({ folder: place.folder, entries }, null, 2));
    const total = printBytes(entries.reduce((sum, { bytes }) => sum + bytes, 0));
    if (entries.length > 0) {
      const { dim } = createColors(stdout.color);
      const rows = entries.map(({ timestamp, backend, model, bytes, text }) => [
        timestamp.slice(0, 16).replace('T', ' '),
        backend,
        model,
        printBytes(bytes),
        text.replace(/\s+/g, ' ').slice(0, 40),
      ]);
      stdout.line(renderTable(['KEPT', 'BACKEND', 'MODEL', 'SIZE', 'ANSWER'], rows, { right: [3], paint: dim }));
    }
    stderr.line(`${entries.length} kept, ${total}, in ${shownPath(place.folder, context)}`);
  },
});
