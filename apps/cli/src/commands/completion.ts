import { defineCommand } from '../command.js';
import { completionScript, type Shell, shells } from '../completion-script.js';

export const command = defineCommand({
  name: 'completion',
  description:
    'Print the completion script of a shell. It completes commands, options, endpoints and the chats of your library; load it in the start-up file of your shell.',
  arguments: [{ name: 'SHELL', description: 'the shell', choices: shells }],
  options: [],
  examples: [
    [
      'source <(colophon completion bash)',
      'complete in this shell; put the same line into ~/.bashrc to complete in every one',
    ],
    ['colophon completion fish > ~/.config/fish/completions/colophon.fish', 'the same for fish'],
  ],
  run: ({ words: [shell] }, { stdout }) => stdout.write(completionScript(shell as Shell)),
});
