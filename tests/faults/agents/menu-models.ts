import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordedRequest, ScriptedReply } from '@colophon/backends/testing';
import { requestAbort } from '@colophon/prompt-strategies';

/** A reply that the server sent: its id, who it played, and what it used. */
export type SentReply = { id: string; who: string; tokens: number };

type WireMessage = { role: string; content?: unknown; tool_calls?: unknown };

const textOf = ({ content }: WireMessage): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => (part as { text?: string }).text ?? '').join('')
      : '';

/** What a specialist is asked: so many replies, and what happens on the way. */
const order =
  /^(?<order>[A-Za-z ]+): (?<replies>\d+) replies(?: and ask Clerk at (?<delegate>\d+))?(?<end>, then fail|, then be stopped|, be advised)?$/;

const asked = (messages: readonly WireMessage[]) => {
  const at = messages.findLastIndex((message) => message.role === 'user' && order.test(textOf(message)));
  const groups = order.exec(textOf(messages[at]!))!.groups!;
  const done = messages.slice(at + 1).filter(({ role }) => role === 'tool').length;
  return {
    order: groups['order'] ?? '',
    end: groups['end'],
    replies: Number(groups['replies']),
    delegate: Number(groups['delegate'] ?? -1),
    done,
  };
};

const ask = (id: string, agent: string, prompt: string, more: object = {}) => ({
  id,
  name: 'ask',
  arguments: { agent, prompt, ...more },
});

/** What the manager does: three at once, three at once, one more, and the answer. */
const plan = [
  [
    ask('bread', 'Baker', 'bread: 9 replies'),
    ask('taste', 'Critic', 'taste: 8 replies', { conversation: 'tasting' }),
    ask('buy', 'Buyer', 'buy: 6 replies and ask Clerk at 3'),
  ],
  [
    ask('taste-again', 'Critic', 'taste again: 7 replies, be advised', { conversation: 'tasting' }),
    ask('cake', 'Baker', 'cake: 3 replies, then fail'),
    ask('deliver', 'Buyer', 'deliver: 5 replies, then be stopped', { conversation: 'delivery' }),
  ],
  [ask('rolls', 'Baker', 'rolls: 11 replies')],
];

/**
 * The models of a kitchen: a manager with three specialists, one of which asks a fourth. 60 replies in all, each a function of what it is
 * asked, so that a session that was killed ends as one that was not. `folder`: where its notes are left, as a person would.
 */
export const menuModels = (folder: string, record = 'menu.chat') => {
  const sent: SentReply[] = [];
  const noted = new Set<string>();
  const society = join(folder, `${record}.files`, 'Chef.society');

  const advise = (): void => {
    if (noted.has('advice')) return;
    noted.add('advice');
    const note = join(society, 'Critic', 'tasting', 'agent.inbox', 'advice.md');
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(note, 'Mind the salt.');
  };

  const stop = async (): Promise<void> => {
    if (noted.has('abort')) return;
    noted.add('abort');
    await requestAbort(join(society, 'Buyer', 'delivery', 'agent.chat'), 'The shop is closed.');
  };

  const content = (who: string, messages: readonly WireMessage[]): ScriptedReply => {
    if (who === 'Chef') {
      const outputs = messages.filter(({ role }) => role === 'tool').length;
      const round = plan.findIndex((_, index) => plan.slice(0, index).flat().length === outputs);
      return round < 0 ? { text: 'The menu is done.' } : { text: '', calls: plan[round]! };
    }
    const { order: name, replies, delegate, done, end } = asked(messages);
    if (end === ', then fail' && done === replies) return { status: 400, code: 'too_hot', message: 'The oven burns.' };
    // A run that was killed when it had taken the note goes on without it.
    if (end === ', then be stopped' && done >= replies) return { text: `${name} is done.` };
    if (end === ', be advised' && done === 2) advise();
    if (end === ', then be stopped' && done === replies - 1) void stop();
    if (end === undefined || end === ', be advised') if (done === replies - 1) return { text: `${name} is done.` };
    if (done === delegate) return { text: '', calls: [ask(`${name}-clerk`, 'Clerk', 'prices: 7 replies')] };
    const call = {
      id: `${name} ${done}`.replaceAll(' ', '-'),
      name: 'count',
      arguments: { shelf: `${who} ${name} ${done}` },
    };
    return { text: '', calls: [call] };
  };

  const reply = ({ body }: RecordedRequest, number: number): ScriptedReply => {
    const messages = body['messages'] as WireMessage[];
    const who = textOf(messages.find(({ role }) => role === 'system')!);
    const says = content(who, messages);
    if ('status' in says) return says;
    const id = `reply_${number}`;
    const usage = { pt: 100 + number, ct: 7 };
    sent.push({ id, who, tokens: usage.pt + usage.ct });
    return { ...says, id, usage } as ScriptedReply;
  };
  return { reply, sent, society };
};
