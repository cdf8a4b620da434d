import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'chat compile',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
