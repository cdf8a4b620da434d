import { join } from 'node:path';
import { createAgent, openAgent } from '@colophon/agent';
import { ask, readConversation } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { actors, afterTools, agentContext, asking, filesIn, freshFolder, lines, receipts } from './helpers.js';

const folderOf = () =>
  freshFolder({
    'Agent/Chef/start_chat': 'system: Chef\nsocialize: true\n',
    'Agent/Baker/start_chat.chat': 'system: Baker\n',
    'Agent/Team/Sous2/start_chat': 'system: Sous\nsocialize: true\n',
  });

const bread = () =>
  actors((asked) => {
    if (asked.who === 'Chef')
      return afterTools(asked) ? `done: ${JSON.parse(asked.last).content}` : asking(['c1', 'Baker', 'bread?']);
    return `rye for ${asked.last}`;
  });

describe('a question to another agent', () => {
  test('is answered in a conversation of its own, and its receipt is in the output', async () => {
    const folder = folderOf();
    const { backend, asked } = bread();
    const chef = await openAgent('Chef', { context: agentContext(folder), options: { backend } });
    chef.user('menu?');
    const answer = await chef.chat();
    expect(answer.text).toBe('done: rye for bread?');
    expect(lines(asked[1]!.chat)).toEqual(['system Baker', 'user bread?']);
    expect(receipts(chef.messages)).toMatchObject({ c1: [{ tt: 15, inference_id: 'id-2', backend: 'actors' }] });
    expect(asked[0]!.tools).toEqual(['ask']);
  });

  test('is saved beside the chat that asks, one folder for each call', async () => {
    const folder = folderOf();
    const { backend } = bread();
    const saveFile = join(folder, 'x.chat');
    const chef = await openAgent('Chef', { context: agentContext(folder), options: { backend }, saveFile });
    chef.user('menu?');
    await chef.chat();
    const [file] = filesIn(folder).filter((name) => name.startsWith('x.society'));
    expect(file).toMatch(/^x\.society\/Baker\/one-shot_c1\.[0-9a-f]{12}\/agent\.chat$/);
    expect(lines(await readConversation(join(folder, file!)))).toEqual([
      'system Baker',
      'skip asked by call c1',
      'user bread?',
      'assistant rye for bread?',
    ]);
    expect(await readConversation(saveFile)).toHaveLength(chef.messages.length);
  });

  test('by a chat that names an agent: the chat is the record, the whole conversation stands beside it', async () => {
    const folder = folderOf();
    const { backend } = bread();
    const file = join(folder, 'x.chat');
    const answer = await ask({ file, question: 'menu?' }, { agent: 'Chef', backend, context: agentContext(folder) });
    expect(answer.text).toBe('done: rye for bread?');
    expect(filesIn(folder).filter((name) => name.startsWith('x'))).toEqual([
      'x.chat',
      'x.chat.files/Chef.chat',
      expect.stringMatching(/^x\.chat\.files\/Chef\.society\/Baker\/one-shot_c1\.[0-9a-f]{12}\/agent\.chat$/),
    ]);
    expect(lines(await readConversation(join(folder, 'x.chat.files/Chef.chat'))).slice(0, 3)).toEqual([
      'system Chef',
      'socialize true',
      'user menu?',
    ]);
  });

  test('goes on under a name, and stands alone without one', async () => {
    const folder = folderOf();
    let round = 0;
    const { backend, asked } = actors((one) => {
      if (one.who !== 'Chef') return `${one.chat.length}`;
      round++;
      if (round === 1) return asking(['c1', 'Baker', 'a', { conversation: 'rye' }], ['c2', 'Baker', 'b']);
      if (round === 2) return asking(['c3', 'Baker', 'c', { conversation: 'rye' }], ['c4', 'Baker', 'd']);
      return 'done';
    });
    for (const saveFile of [undefined, join(folder, 'x.chat')]) {
      round = 0;
      asked.length = 0;
      const chef = createAgent(
        { name: 'Chef', start: [{ role: 'system', content: 'Chef' }] },
        { context: agentContext(folder), options: { backend }, ...(saveFile === undefined ? {} : { saveFile }) },
      ).socialize();
      chef.user('menu?');
      await chef.chat();
      const bakers = asked.filter(({ who }) => who === 'Baker').map(({ chat }) => lines(chat).slice(1).join('; '));
      expect(bakers.sort()).toEqual(['user a', 'user a; assistant 2; user c', 'user b', 'user d']);
    }
  });

  test('an agent that is not there, a path and an agent that asks already are errors that the model sees', async () => {
    const folder = folderOf();
    const { backend } = actors((asked) => {
      if (afterTools(asked)) return 'sorry';
      return asking(
        ['c1', 'Chef', 'x'],
        ['c2', '../Agent/Baker', 'x'],
        ['c3', 'Nobody', 'x'],
        ['c4', 'Team/Sous2', 'go'],
      );
    });
    const chef = await openAgent('Chef', { context: agentContext(folder), options: { backend } });
    chef.user('menu?');
    await chef.chat();
    const outputs = lines(chef.messages)
      .filter((line) => line.startsWith('output'))
      .sort();
    expect(outputs[0]).toMatch(/^output c1 error .*already at work on this: Chef → Chef/);
    expect(outputs[1]).toMatch(/^output c2 invalid_arguments/);
    expect(outputs[2]).toMatch(/^output c3 invalid_arguments/);
    expect(outputs[3]).toBe('output c4 ok sorry');
  });
});
