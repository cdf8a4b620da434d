import { readFileSync } from 'node:fs';
import type { Message } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';
import { describe, expect, test } from 'vitest';
import { call, idOf, isToolMessage, output, user } from './chats.js';

type Classes = { full: string[]; compacted: string[]; dropped: string[] };
type Case = { config: Record<string, number>; arguments: number[]; expect: Record<string, Classes> };

const cases: Case[] = JSON.parse(readFileSync(new URL('recorded/epochs.json', import.meta.url), 'utf8'));

const classesOf = async (strategy: string, { config, arguments: asked }: Case): Promise<Classes> => {
  const pairs = asked.map((n, index) => [
    call(`c${index}`, { n, pad: 'p'.repeat(300) }),
    output(`c${index}`, 'o'.repeat(900)),
  ]);
  const { chat } = await preparePrompt([user('go'), ...pairs.flat()], strategy, { options: config });
  const kept = new Map<string, Message[]>();
  for (const message of chat.filter(isToolMessage))
    kept.set(idOf(message), [...(kept.get(idOf(message)) ?? []), message]);
  const classes: Classes = { full: [], compacted: [], dropped: [] };
  for (const [index, pair] of pairs.entries()) {
    const messages = kept.get(`c${index}`);
    if (!messages) classes.dropped.push(`c${index}`);
    else if (messages.every((message) => pair.includes(message))) classes.full.push(`c${index}`);
    else classes.compacted.push(`c${index}`);
  }
  return classes;
};

describe('the recorded results of the program that this one succeeds', () => {
  test.each(cases.map((recorded, index) => ({ index, recorded })))('case $index', async ({ recorded }) => {
    for (const [strategy, expected] of Object.entries(recorded.expect)) {
      expect({ [strategy]: await classesOf(strategy, recorded) }).toEqual({ [strategy]: expected });
    }
  });
});
