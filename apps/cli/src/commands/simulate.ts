import { parseChat } from '@colophon/chat-format';
import { providerCacheRules, type Simulation, simulate } from '@colophon/prompt-strategies';
import { createColors } from 'picocolors';
import { askContext } from '../ask-context.js';
import { defineCommand } from '../command.js';
import type { MachineContext } from '../context.js';
import { readChatText } from '../read-chat.js';
import { renderTable } from '../table.js';
import { jsonOption } from '../write-result.js';

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

const show = (
  { turns, exact, estimated, rules, strategies }: Simulation,
  provider: string,
  { stdout, stderr }: MachineContext,
) => {
  const { dim } = createColors(stdout.color);
  const rows = strategies.map(({ strategy, sent, served, written, cost, relative, expired }) => [
    strategy,
    grouped(sent),
    grouped(served),
    grouped(written),
    grouped(cost),
    `${Math.round(relative * 100)} %`,
    String(expired),
  ]);
  const head = ['STRATEGY', 'SENT', 'FROM CACHE', 'INTO CACHE', 'COST', 'OF NONE', 'EXPIRED'];
  stdout.line(renderTable(head, rows, { right: [1, 2, 3, 4, 5, 6], paint: dim }));
  const share = exact + estimated === 0 ? 100 : Math.round((100 * exact) / (exact + estimated));
  stderr.line(
    `${grouped(turns)} request${turns === 1 ? '' : 's'}, in tokens; cost in tokens at the input price, by the cache rules of ${provider} (a read costs ${rules.read}, a write ${rules.write}); ${share} % of the counts as recorded, the rest estimated`,
  );
};

export const command = defineCommand({
  name: 'simulate',
  description:
    'Compare prompt strategies on a stored chat: it is replayed request by request, and for each strategy you see what would be sent, what a prefix cache would serve, and what that costs beside sending everything.',
  arguments: [{ name: 'FILE', description: 'a chat, or - for standard input', complete: 'chat' }],
  options: [
    {
      name: 'strategy',
      short: 's',
      value: 'NAMES',
      many: true,
      description: 'a strategy, or several with commas between; default: the built-in ones',
    },
    {
      name: 'provider',
      short: 'p',
      value: 'NAME',
      choices: Object.keys(providerCacheRules),
      description: 'whose cache rules count; default anthropic',
    },
    jsonOption,
  ],
  examples: [
    ['colophon simulate long.chat', 'the built-in strategies compared'],
    [
      'colophon simulate long.chat -s none -s shorten_tools,inbox -p openai',
      'two of your choice, by the rules of OpenAI',
    ],
  ],
  run: async ({ words: [name], options }, context) => {
    const { text, file } = await readChatText(name!, context);
    const { setting } = askContext(context);
    const provider = options.provider ?? 'anthropic';
    const simulation = await simulate(parseChat(text, { file }), {
      provider,
      ...(options.strategy ? { strategies: options.strategy } : {}),
      ...(context.asked.model ? { model: context.asked.model } : {}),
      ...(setting ? { setting } : {}),
    });
    if (options.json) context.stdout.line(JSON.stringify(simulation, null, 2));
    else show(simulation, provider, context);
  },
});
