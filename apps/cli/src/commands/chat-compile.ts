import { compileChat, type Policy, takeOptions } from '@colophon/chat-compile';
import { printChat } from '@colophon/chat-format';
import { defineCommand } from '../command.js';
import { compileContext } from '../compile-context.js';
import { locateChat } from '../locate-chat.js';
import { readStdin } from '../read-stdin.js';
import { workflowsOf } from '../workflow-context.js';
import { jsonOption, outputOption, writeResult } from '../write-result.js';

const policies: readonly Policy[] = ['read', 'run', 'inspect'];

export const command = defineCommand({
  name: 'chat compile',
  description:
    'Print the chat that a chat file compiles to: imports, files, clearing. Options and tools are still in it. The policy `read` (default, since this only shows) reads files and executes nothing: a directive that would is an error; `run` executes tasks, as asking does; `inspect` leaves every directive in place.',
  arguments: [{ name: 'FILE', description: 'a chat, or - for standard input', complete: 'chat' }],
  options: [
    { name: 'policy', value: 'POLICY', choices: policies, description: 'what compiling may do; default read' },
    { ...jsonOption, description: 'print {options, messages} as JSON: options taken out and typed' },
    outputOption,
  ],
  examples: [
    ['colophon chat compile hello.chat', 'what hello.chat compiles to'],
    ['colophon chat compile hello.chat --policy run', 'the same, with its tasks executed'],
    ['colophon chat compile hello.chat --json | jq .options', 'its options'],
  ],
  run: async ({ words: [name], options }, context) => {
    const compile = compileContext(context, (options.policy ?? 'read') as Policy, workflowsOf(context));
    const input =
      name === '-'
        ? ((await readStdin(context, { expected: true })) ?? '')
        : { file: await locateChat(name!, context) };
    const compiled = await compileChat(input, compile);
    if (!options.json) return writeResult(printChat(compiled), options.output, context);
    const taken = await takeOptions(compiled, compile);
    const messages = taken.chat.map(({ role, content }) => ({ role, content }));
    return writeResult(JSON.stringify({ options: taken.options, messages }, null, 2), options.output, context);
  },
});
