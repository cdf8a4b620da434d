import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePrompt, requestAbort } from '@colophon/prompt-strategies';
import { expect, onTestFinished, test } from 'vitest';

test('a run is asked to stop, whole at once, with the newest reason; also when one was stopped before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'abort-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const saveFile = join(folder, 'x.chat');
  const chat = [{ role: 'user', content: 'go' }];
  for (const reason of ['first', 'second']) {
    await Promise.all([requestAbort(saveFile, 'other'), requestAbort(saveFile, 'other')]);
    const note = await requestAbort(saveFile, reason);
    expect(readFileSync(note, 'utf8')).toBe(reason);
    expect(readdirSync(join(folder, 'x.inbox'))).toEqual(['abort']);
    writeFileSync(join(folder, 'x.inbox', 'a.md'), 'advice');
    await expect(preparePrompt(chat, 'inbox', { saveFile })).rejects.toMatchObject({ facts: { reason } });
    expect(readdirSync(join(folder, 'x.inbox'))).toEqual(['a.md']);
    rmSync(join(folder, 'x.inbox', 'a.md'));
  }
});
