import { existsSync } from 'node:fs';
import { appendMessages, loadChat } from '@colophon/chat-format/node';
import { describe, expect, test } from 'vitest';

describe.runIf(existsSync('/dev/full'))('a device that never ends', () => {
  test('reads as an empty chat', async () => {
    expect(await loadChat('/dev/full')).toEqual([]);
  });

  test('is a full disk for what is appended', async () => {
    await expect(appendMessages('/dev/full', [{ role: 'user', content: 'x' }])).rejects.toMatchObject({
      code: 'disk_full',
    });
  });
});
