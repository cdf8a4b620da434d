import type { AskEvent } from '@colophon/backends';
import { pairToolCalls, parseMeta, parseOutput, printTokens, tokenFields } from '@colophon/chat-format';
import { createColors } from 'picocolors';
import type { MachineContext } from '../context.js';
import { showArguments } from '../show-run.js';
import type { DemoSession } from './demo-session.js';
import { pairMessages, renderSides } from './side-by-side.js';
import { createTextStream } from './stream-text.js';

const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** Shows the parts of a session on standard output, at most 80 columns wide. */
export const createStage = ({ stdout }: MachineContext) => {
  const { bold, dim, cyan, green } = createColors(stdout.color);
  const width = Math.min(80, stdout.columns);
  let number = 0;
  const stream = createTextStream(stdout.write, width, '  ');
  return {
    width,
    say: (text = '') => stdout.line(text),
    heading: (text: string) => stdout.line(`\n${bold(cyan(`${++number}`))}  ${bold(text)}\n`),
    quote: (text: string) => {
      for (const line of text.trim().split('\n')) stdout.line(`  ${dim('│')} ${line}`.trimEnd());
    },
    /** The run as it goes: text as it comes, calls and what they gave. */
    onEvent: (event: AskEvent) => {
      if (event.kind === 'text-delta') stream.push(event.text);
      if (event.kind === 'meta') stream.end();
      if (event.kind === 'tool-call') {
        const { name, arguments: given } = event.call;
        stdout.line(`  ${cyan('→')} ${name} ${dim(cut(showArguments(given), width - name.length - 5))}`);
      }
      if (event.kind === 'tool-result') {
        const { name = '', content } = parseOutput(event.message.content) ?? {};
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        stdout.line(`  ${green('←')} ${name} ${dim(cut(text ?? '', width - name.length - 5))}`);
      }
    },
    sides: ({ stored, seen }: DemoSession) => stdout.line(renderSides(pairMessages(stored, seen), { width, dim })),
    evidence: ({ answer, stored }: DemoSession) => {
      const metas = stored.filter(({ role }) => role === 'meta').map(({ content }) => parseMeta(content));
      for (const [index, meta] of metas.entries()) {
        const tokens = Object.fromEntries(
          tokenFields.flatMap((field) => (typeof meta[field] === 'number' ? [[field, meta[field]]] : [])),
        );
        const id = String(meta['inference_id'] ?? '').slice(0, 8);
        stdout.line(
          `  meta ${index + 1}  ${id}  ${cut(printTokens(tokens).padEnd(46), width - 32)}  ${dim(String(meta['stop_reason'] ?? ''))}`.trimEnd(),
        );
      }
      stdout.line(`  ${bold('sum')}               ${printTokens(answer.tokens)}`);
      for (const { envelope } of pairToolCalls(stored))
        if (envelope?.['step']) stdout.line(`  job     ${cut(String(envelope['step']), width - 10)}`);
    },
  };
};
